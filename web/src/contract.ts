// Request and answer, as engine/json/schema has them; the types are made by web/build/schema.mjs.
import type { TunefitAnswer } from '../../build/web/types/answer';
import type { TunefitRequest } from '../../build/web/types/request';

export type Answer = TunefitAnswer;
export type Request = TunefitRequest;

export type Memory = NonNullable<Answer['memory']>;
export type Interval = Memory['peak']['device'];

export type Finding = Readonly<Answer['findings'][number]>;

/** What comes instead of an answer. */
export interface Failure {
  readonly error: Omit<Finding, 'severity'>;
  readonly findings: readonly Finding[];
}

export const isFailure = (value: unknown): value is Failure => typeof value === 'object' && value !== null && 'error' in value;

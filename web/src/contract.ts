// Request and answer, as engine/json/schema has them; the types are made by wasm/package/types.mjs.
import type { Answer } from '../../build/web/types';

export type { Answer, Request } from '../../build/web/types';

export type Memory = NonNullable<Answer['memory']>;
export type Interval = Memory['peak']['device'];

export type Finding = Readonly<Answer['findings'][number]>;

/** What comes instead of an answer. */
export interface Failure {
  readonly error: Omit<Finding, 'severity'>;
  readonly findings: readonly Finding[];
}

export const isFailure = (value: unknown): value is Failure => typeof value === 'object' && value !== null && 'error' in value;

// What every part of the page is given: the state, and the ways to change it.
import fields from 'virtual:tunefit/fields';
import type { Place, State } from '../state/state';
import type { Change } from '../state/store';
import type { Finding } from '../contract';
import { get, nearest } from '../state/pointer';
import { kPointers } from '../views/size/groups';
import type { Facts } from './facts';

export interface Context {
  readonly state: State;
  readonly apply: (change: Change) => void;
  readonly act: Acts;
}

/** What needs more than a change of state. */
export interface Acts {
  readonly importText: (text: string) => void;
  readonly importFiles: (files: readonly File[]) => void;
  /** Takes the entries of a file into use. */
  readonly openOverlay: (file: File) => void;
  readonly removeOverlay: (name: string) => void;
  readonly go: (to: Place) => void;
  readonly copyLink: () => void;
  readonly download: (what: 'request' | 'answer') => void;
  readonly focus: (id: string) => void;
  /** Shows a sentence for a moment. */
  readonly notify: (text: string) => void;
}

export const factsOf = (pointer: string): Facts => fields[pointer] ?? { kinds: ['string'] };

export const idOf = (pointer: string): string => `f${pointer.replaceAll('/', '-')}`;

/** The value in force at a pointer: set by the person, or assumed by the engine in the last answer. */
export interface Shown {
  readonly value: unknown;
  readonly origin: 'set' | 'assumed' | 'open';
  readonly because: string;
}

export function shown(state: State, pointer: string): Shown {
  const value = get(state.request.present, pointer);
  if (value !== undefined) return { value, origin: 'set', because: '' };
  const assumption = state.answer?.assumptions.find((entry) => entry.pointer === pointer);
  if (assumption) return { value: assumption.value, origin: 'assumed', because: assumption.because };
  return { value: undefined, origin: 'open', because: '' };
}

const known: ReadonlySet<string> = new Set(kPointers);

/** Findings that name this field, or something within it that has no field of its own. */
export const findingsAt = (state: State, pointer: string): readonly Finding[] =>
  state.findings.filter((finding) => nearest(finding.pointer, known) === pointer);

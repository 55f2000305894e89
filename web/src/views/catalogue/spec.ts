// What a kind of entry shows in its list: columns, filters, names. One file a kind says it; list.ts draws it.
import type { TemplateResult } from 'lit/html.js';
import type { Entry } from '../../catalogue';
import type { State } from '../../state/state';

/** A filter never takes what is unknown for enough. */
export type Kept = 'yes' | 'no' | 'unknown' | 'partly';

export interface Column<E extends Entry> {
  readonly id: string;
  readonly label: string;
  readonly numeric?: boolean;
  /** How much room the list must have for it; absent: always shown. */
  readonly from?: 'medium' | 'wide';
  /** undefined: unknown. */
  cell(entry: E, state: State): TemplateResult | string | undefined;
  /** By what it is sorted; undefined, the unknown, comes last. */
  by?(entry: E, state: State): number | string | undefined;
}

export interface Filter<E extends Entry> {
  readonly id: string;
  readonly label: string;
  /** The choices of a list; absent: a number is typed. */
  choices?(entries: readonly E[], state: State): readonly (readonly [value: string, label: string])[];
  /** The number meant by a text, in the unit of the figure. */
  parse?(text: string): number | undefined;
  keep(entry: E, value: string, number: number): Kept;
}

export interface KindSpec<E extends Entry = Entry> {
  readonly id: string;
  readonly columns: readonly Column<E>[];
  readonly filters: readonly Filter<E>[];
  /** The name people know it by. */
  name(entry: E): string;
  /** Small, below the name. */
  detail(entry: E, state: State): string;
  /** Names that an exact search means. */
  names(entry: E): readonly string[];
  /** Further words in which a search looks. */
  words(entry: E, state: State): readonly (string | undefined)[];
  /** Order where nothing else is asked for: greater first. */
  weight?(entry: E): number;
  /** What choosing it changes in the request; absent or undefined: it cannot be chosen. */
  use?(entry: E): Readonly<Record<string, unknown>> | undefined;
}

/** [value, how many] of a member, in alphabetical order. */
export function countsOf<E extends Entry>(
  entries: readonly E[],
  of: (entry: E) => readonly (string | undefined)[],
): readonly (readonly [string, number])[] {
  const counts = new Map<string, number>();
  for (const entry of entries) {
    for (const value of new Set(of(entry))) if (value !== undefined) counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts].sort(([a], [b]) => a.localeCompare(b));
}

/** A list of the values that occur, with how often. */
export const choiceFilter = <E extends Entry>(
  id: string,
  label: string,
  of: (entry: E) => readonly (string | undefined)[],
  inWords: (value: string, state: State) => string = (value) => value,
): Filter<E> => ({
  id,
  label,
  choices: (entries, state) => countsOf(entries, of).map(([value, n]) => [value, `${inWords(value, state)} (${n})`]),
  keep: (entry, value) => {
    const values = of(entry).filter((one) => one !== undefined);
    return values.length === 0 ? 'unknown' : values.includes(value) ? 'yes' : 'no';
  },
});

/** A bound on a figure. */
export const boundFilter = <E extends Entry>(
  id: string,
  label: string,
  of: (entry: E) => number | undefined,
  parse: (text: string) => number | undefined,
  bound: 'least' | 'most' = 'least',
): Filter<E> => ({
  id,
  label,
  parse,
  keep: (entry, _value, number) => {
    const figure = of(entry);
    if (figure === undefined) return 'unknown';
    return (bound === 'least' ? figure >= number : figure <= number) ? 'yes' : 'no';
  },
});

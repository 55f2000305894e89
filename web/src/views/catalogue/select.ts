// Which entries of a list are shown, in which order. Pure: entries and what is asked for in, entries out.
import type { Entry } from '../../catalogue';
import type { ListUi, State } from '../../state/state';
import type { Column, Filter, Kept, KindSpec } from './spec';

export interface Active<E extends Entry> {
  readonly filter: Filter<E>;
  readonly value: string;
  /** NaN where a number was asked for and the text is none; the filter then does nothing. */
  readonly number: number;
}

export interface Selection<E extends Entry> {
  readonly entries: readonly E[];
  /** Entries that fail only because a figure is unknown (or holds only in part), by filter. */
  readonly unsure: readonly { readonly filter: Filter<E>; readonly unknown: number; readonly partly: number }[];
}

export function activeFilters<E extends Entry>(spec: KindSpec<E>, ui: ListUi): readonly Active<E>[] {
  return spec.filters.flatMap((filter) => {
    const value = (ui.filters[filter.id] ?? '').trim();
    if (value === '') return [];
    return [{ filter, value, number: filter.choices ? 0 : (filter.parse?.(value) ?? NaN) }];
  });
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

// 0: the text is one of its names; then the nearer to the beginning of a name the better; undefined: some word is nowhere.
function rank(names: readonly string[], all: string, query: string, words: readonly string[]): number | undefined {
  if (names.includes(query)) return 0;
  if (!words.every((word) => all.includes(word))) return undefined;
  if (names.some((name) => name.startsWith(query))) return 1;
  const parts = names.flatMap((name) => name.split(/[\s/_-]+/));
  return words.every((word) => parts.some((part) => part.startsWith(word))) ? 2 : 3;
}

interface Texts {
  readonly names: readonly string[];
  readonly all: string;
}
const texts = new WeakMap<Entry, Texts>();

function textsOf<E extends Entry>(spec: KindSpec<E>, entry: E, state: State): Texts {
  let found = texts.get(entry);
  if (!found) {
    const names = [spec.name(entry), ...spec.names(entry)].map((name) => name.toLowerCase());
    const all = [...names, ...spec.words(entry, state)].filter((word) => word !== undefined);
    found = { names, all: all.join('\n').toLowerCase() };
    texts.set(entry, found);
  }
  return found;
}

function compare(a: number | string | undefined, b: number | string | undefined, sign: number): number {
  if (a === undefined || b === undefined) return (a === undefined ? 1 : 0) - (b === undefined ? 1 : 0);
  return sign * (typeof a === 'number' && typeof b === 'number' ? a - b : String(a).localeCompare(String(b)));
}

function judge<E extends Entry>(entry: E, active: readonly Active<E>[]): { readonly verdict: Kept; readonly filter?: Filter<E> } {
  let unsure: { verdict: Kept; filter: Filter<E> } | undefined;
  for (const { filter, value, number } of active) {
    if (Number.isNaN(number)) continue;
    const verdict = filter.keep(entry, value, number);
    if (verdict === 'no') return { verdict };
    if (verdict !== 'yes') unsure ??= { verdict, filter };
  }
  return unsure ?? { verdict: 'yes' };
}

export function select<E extends Entry>(spec: KindSpec<E>, entries: readonly E[], ui: ListUi, state: State): Selection<E> {
  const query = ui.query.trim().toLowerCase();
  const words = wordsOf(query);
  const active = activeFilters(spec, ui);
  const unsure = new Map(active.map(({ filter }) => [filter, { filter, unknown: 0, partly: 0 }]));
  const kept: { entry: E; rank: number }[] = [];
  for (const entry of entries) {
    const { names, all } = textsOf(spec, entry, state);
    const place = words.length === 0 ? 0 : rank(names, all, query, words);
    if (place === undefined) continue;
    const { verdict, filter } = judge(entry, active);
    if (verdict === 'yes') kept.push({ entry, rank: place });
    const counts = filter && unsure.get(filter);
    if (counts) counts[verdict === 'partly' ? 'partly' : 'unknown'] += 1;
  }
  const column: Column<E> | undefined = spec.columns.find(({ id }) => id === ui.sort);
  const sign = ui.descending ? -1 : 1;
  kept.sort((a, b) => {
    if (column?.by) return compare(column.by(a.entry, state), column.by(b.entry, state), sign);
    return a.rank - b.rank || (spec.weight?.(b.entry) ?? 0) - (spec.weight?.(a.entry) ?? 0);
  });
  return { entries: kept.map(({ entry }) => entry), unsure: [...unsure.values()].filter((one) => one.unknown + one.partly > 0) };
}

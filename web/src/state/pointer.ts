// JSON pointers (RFC 6901) into plain data, without changing it.

export type Json = null | boolean | number | string | readonly Json[] | { readonly [key: string]: Json };

const parts = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value a pointer names, undefined where there is none. Own properties only. */
export function get(document: unknown, pointer: string): unknown {
  let at: unknown = document;
  for (const part of parts(pointer)) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, part)) return undefined;
    at = (at as Record<string, unknown>)[part];
  }
  return at;
}

/** A copy in which the pointer names `value`; undefined removes it, and every object that this leaves empty. */
export function set<T>(document: T, pointer: string, value: unknown): T {
  return put(document, parts(pointer), value) as T;
}

function put(node: unknown, path: readonly string[], value: unknown): unknown {
  const [head, ...rest] = path;
  if (head === undefined) return value;
  const { [head]: old, ...others } = isRecord(node) ? node : {};
  const next = put(old, rest, value);
  if (next === undefined || (rest.length > 0 && isRecord(next) && Object.keys(next).length === 0)) return others;
  return { ...others, [head]: next };
}

/** Structural equality of JSON values; key order does not matter. */
export function same(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  const left = Object.keys(a);
  if (Array.isArray(a) !== Array.isArray(b) || left.length !== Object.keys(b).length) return false;
  return left.every((key) => Object.hasOwn(b, key) && same((a as Record<string, unknown>)[key], (b as Record<string, unknown>)[key]));
}

/** The pointer of the deepest known field that holds `pointer`; undefined if none does. */
export function nearest(pointer: string, known: ReadonlySet<string>): string | undefined {
  for (let at = pointer; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) {
    if (known.has(at)) return at;
  }
  return undefined;
}

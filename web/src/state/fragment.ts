// The link: `#v=1&view=catalogue/models&recipe.method=lora&recipe.sequence_length=8192`. Only what differs from the page's
// start; never a customer's own model or hardware. What comes in is hostile until the schema has allowed it.
import type { Request } from '../contract';
import { allows, type Facts } from '../fields/facts';
import { get, same, set } from './pointer';

const kVersion = '1';
const kLongest = 8192;

export type Ignored =
  | { readonly why: 'version'; readonly key: string; readonly value: string }
  | { readonly why: 'unknown' | 'value' | 'length'; readonly key: string; readonly value: string }
  | { readonly why: 'own'; readonly key: string; readonly value: string };

const keyOf = (pointer: string): string => pointer.slice(1).replaceAll('/', '.');
const pointerOf = (key: string): string => `/${key.replaceAll('.', '/')}`;

// Ids and numbers stay readable; everything else is percent-encoded.
const encode = (text: string): string => encodeURIComponent(text).replaceAll('%2F', '/').replaceAll('%2C', ',').replaceAll('%3A', ':');

function write(value: unknown): string {
  if (Array.isArray(value)) return value.map(String).join(',');
  return String(value);
}

/** Reads a text as the schema would have it; undefined if it allows no reading. */
function read(facts: Facts, text: string): unknown {
  if (facts.kinds.includes('boolean') && (text === 'true' || text === 'false')) return text === 'true';
  const number = text.trim() === '' ? NaN : Number(text);
  if (allows(facts, number)) return number;
  if (facts.kinds.includes('array') && !(facts.choices?.some(([choice]) => choice === text) ?? false)) {
    const items = text.split(',');
    return items.length <= 64 && items.every((item) => /^[\w.-]{1,80}$/.test(item)) && allows(facts, items) ? items : undefined;
  }
  return allows(facts, text) ? text : undefined;
}

/** What of a request stays out of links. */
export type Own = 'model' | 'hardware';

const kHardware = /^\/placement\/(accelerator|system)$/;

/** The fragment of a request, without '#'; '' for the starting request in the starting view. `view`: where one is, '' at the start. */
export function toFragment(
  request: Request,
  start: Request,
  fields: Readonly<Record<string, Facts>>,
  view = '',
  own: readonly Own[] = [],
): string {
  const pairs: string[] = view === '' ? [] : [`view=${encode(view)}`];
  if (own.includes('hardware')) pairs.push('own=hardware');
  for (const [pointer, facts] of Object.entries(fields)) {
    const value = get(request, pointer);
    if (same(value, get(start, pointer)) || (own.includes('hardware') && kHardware.test(pointer))) continue;
    if (pointer === '/model' && (typeof value !== 'string' || own.includes('model'))) {
      pairs.push('own=1');
    } else if (value === undefined) {
      pairs.push(`${keyOf(pointer)}=`);
    } else if (allows(facts, value)) {
      pairs.push(`${keyOf(pointer)}=${encode(write(value))}`);
    }
  }
  return pairs.length === 0 ? '' : [`v=${kVersion}`, ...pairs].join('&');
}

/** The request a fragment asks for, undefined if it is none of ours; and what of it was ignored. */
export function fromFragment(
  fragment: string,
  start: Request,
  fields: Readonly<Record<string, Facts>>,
): { request: Request; view?: string; ignored: readonly Ignored[] } | undefined {
  if (!/^v=[^&]*(&|$)/.test(fragment)) return undefined;
  const ignored: Ignored[] = [];
  if (fragment.length > kLongest) {
    return { request: start, ignored: [{ why: 'length', key: '', value: String(fragment.length) }] };
  }
  let request = start;
  let view = '';
  for (const [key, value] of new URLSearchParams(fragment.replaceAll('+', '%2B'))) {
    if (key === 'v') {
      if (value !== kVersion) ignored.push({ why: 'version', key, value });
      continue;
    }
    if (key === 'view') {
      view = value;
      continue;
    }
    if (key === 'own') {
      ignored.push({ why: 'own', key, value });
      continue;
    }
    const pointer = pointerOf(key);
    const facts = Object.hasOwn(fields, pointer) ? fields[pointer] : undefined;
    if (facts === undefined) {
      ignored.push({ why: 'unknown', key, value });
      continue;
    }
    const meant = value === '' ? undefined : read(facts, value);
    if (value !== '' && meant === undefined) ignored.push({ why: 'value', key, value });
    else request = set(request, pointer, meant);
  }
  return { request, ...(view === '' ? {} : { view }), ignored };
}

// The link of the page as it stands: where one is, and what of the request differs from the start.
import fields from 'virtual:tunefit/fields';
import type { Facts } from '../../fields/facts';
import { type Own, toFragment } from '../../state/fragment';
import { get } from '../../state/pointer';
import { startingRequest } from '../../state/start';
import { kStart, type OverlayFile, type Place, type State } from '../../state/state';
import { kPointers } from './groups';

/** Facts of the fields a link may set. */
export const linkFields: Readonly<Record<string, Facts>> = Object.fromEntries(
  kPointers.flatMap((pointer) => (fields[pointer] ? [[pointer, fields[pointer]]] : [])),
);

// Entries out of a file are the customer's and stay out of links; those that the page brings along are there for all who open it.
function isOwn(origins: ReadonlyMap<string, OverlayFile>, kind: string, id: unknown): boolean {
  return typeof id === 'string' && origins.get(`${kind}:${id.toLowerCase()}`)?.origin === 'file';
}

function ownOf({ request, overlays }: LinkState): readonly Own[] {
  const own: Own[] = [];
  const { origins, merged } = overlays;
  const model = get(request.present, '/model');
  const byHub = Array.isArray(merged?.['models'])
    ? (merged['models'] as readonly { id: string; hf_id?: string }[]).find((entry) => entry.hf_id === model)?.id
    : undefined;
  if (isOwn(origins, 'models', model) || isOwn(origins, 'models', byHub)) own.push('model');
  const hardware = [
    ['accelerators', '/placement/accelerator'],
    ['systems', '/placement/system'],
  ] as const;
  if (hardware.some(([kind, pointer]) => isOwn(origins, kind, get(request.present, pointer)))) own.push('hardware');
  return own;
}

function viewOf({ ui: { place }, overlays }: LinkState): string {
  if (place.view === kStart.view) return '';
  if (place.view === 'measured') return place.view;
  const entry = isOwn(overlays.origins, place.kind, place.entry) ? '' : place.entry;
  if (entry !== '') return `${place.view}/${place.kind}/${entry}`;
  return place.kind === kStart.kind ? place.view : `${place.view}/${place.kind}`;
}

/** The place a link names; undefined if there is none of that name. */
export function placeOf(view: string): Place | undefined {
  if (view === '') return kStart;
  if (view === 'measured') return { ...kStart, view };
  const [name, kind = kStart.kind, ...entry] = view.split('/');
  if (name !== 'catalogue' || !/^[a-z_]{1,40}$/.test(kind)) return undefined;
  return { view: 'catalogue', kind, entry: entry.join('/').slice(0, 200) };
}

export type LinkState = Pick<State, 'request' | 'overlays'> & { readonly ui: { readonly place: Place } };

/** The fragment with '#', '' for the start. */
export function linkOf(state: LinkState): string {
  const fragment = toFragment(state.request.present, startingRequest, linkFields, viewOf(state), ownOf(state));
  return fragment === '' ? '' : `#${fragment}`;
}

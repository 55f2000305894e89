// The link of a request on this page.
import fields from 'virtual:tunefit/fields';
import type { Request } from '../../contract';
import type { Facts } from '../../fields/facts';
import { toFragment } from '../../state/fragment';
import { startingRequest } from '../../state/start';
import { kPointers } from './groups';

/** Facts of the fields a link may set. */
export const linkFields: Readonly<Record<string, Facts>> = Object.fromEntries(
  kPointers.flatMap((pointer) => (fields[pointer] ? [[pointer, fields[pointer]]] : [])),
);

/** The fragment with '#', '' for the starting request. */
export function linkOf(request: Request): string {
  const fragment = toFragment(request, startingRequest, linkFields);
  return fragment === '' ? '' : `#${fragment}`;
}

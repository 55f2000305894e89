// Every id that was ever published (catalog/ids.txt): "models llama-3.1-8b", and of one that is gone its successor after an arrow:
// "models llama-31-8b -> llama-3.1-8b". Links, records and overlays name entries by id, so an id is never taken back.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { KINDS } from './catalogue.mjs';

const FILE = 'ids.txt';

// [{kind, id, successor}] in the order of the file; null where there is no such file.
export function publishedIds(root) {
  const path = join(root, FILE);
  return existsSync(path) ? readIds(readFileSync(path, 'utf8')) : null;
}

export const readIds = (text) =>
  text
    .split('\n')
    .filter((line) => line && !line.startsWith('#'))
    .map((line) => {
      const [, kind, id, successor = null] = /^(\S+) (\S+)(?: -> (\S+))?$/.exec(line) ?? [null, line, ''];
      return { kind, id, successor };
    });

// The file with every id of the catalogue in it; what stands there stays.
export function withNewIds(published, catalogue) {
  const known = new Set(published.map(({ kind, id }) => `${kind} ${id}`));
  const added = KINDS.flatMap((kind) =>
    catalogue[kind].map(({ entry }) => ({ kind, id: entry.id, successor: null })).filter(({ id }) => !known.has(`${kind} ${id}`)),
  );
  const order = (a, b) => KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) || (a.id < b.id ? -1 : 1);
  const lines = [...published, ...added]
    .sort(order)
    .map(({ kind, id, successor }) => `${kind} ${id}${successor ? ` -> ${successor}` : ''}`);
  return [
    '# Every id ever published; node catalog/build.mjs --fix adds new ones. None is removed: write its successor after an arrow.',
    ...lines,
    '',
  ].join('\n');
}

import assert from 'node:assert/strict';
import test from 'node:test';
import { KINDS, loadCatalogue } from '../lib/catalogue.mjs';
import { readIds, withNewIds } from '../lib/ids.mjs';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './ids.mjs';

const published = (text) => ({ ...sound(), published: readIds(text) });
const OF = { ...Object.fromEntries(KINDS.map((kind) => [kind, sound()[kind][0].entry.id])) };

test('an id of each kind that exists passes', () => {
  assert.deepEqual(check(published(KINDS.map((kind) => `${kind} ${OF[kind]}`).join('\n'))), []);
});

test('an id of each kind that is gone is found, unless it has a successor', () => {
  for (const kind of KINDS) {
    assert.match(messages(check(published(`${kind} gone-1`))), /was published and is gone/, kind);
    assert.deepEqual(check(published(`${kind} gone-1 -> ${OF[kind]}`)), [], kind);
    assert.match(messages(check(published(`${kind} gone-1 -> gone-2`))), /its successor gone-2 does not exist/, kind);
  }
});

test('what makes no sense is found', () => {
  assert.match(messages(check(published('modells acme-7b'))), /no such kind/);
  assert.match(messages(check(published('models acme-7b\nmodels acme-7b'))), /stands twice/);
  assert.match(messages(check(published('models acme-7b -> acme-8b'))), /though the entry exists/);
});

test('new ids are added in order, old ones stay', () => {
  const text = withNewIds(readIds('models gone-1 -> acme-7b\n'), sound());
  assert.deepEqual(readIds(text).slice(0, 3), [
    { kind: 'models', id: 'acme-7b', successor: null },
    { kind: 'models', id: 'gone-1', successor: 'acme-7b' },
    { kind: 'accelerators', id: 'acme-x1-24gb', successor: null },
  ]);
  assert.equal(withNewIds(readIds(text), sound()), text);
});

test('every id of the catalogue is published', () => {
  const catalogue = loadCatalogue();
  const known = new Set(catalogue.published.map(({ kind, id }) => `${kind} ${id}`));
  const missing = KINDS.flatMap((kind) => catalogue[kind].map(({ entry }) => `${kind} ${entry.id}`)).filter((k) => !known.has(k));
  assert.deepEqual(missing, [], 'run node catalog/build.mjs --fix');
});

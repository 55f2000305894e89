import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './options.mjs';
import { check as schema } from './schema.mjs';

const RAM = {
  id: 'ram',
  name: 'Memory',
  what: 'ram',
  default: 'small',
  basis: 'sources',
  source: 'https://example.org/box',
  choices: [
    { id: 'small', name: '512 GB', sets: {} },
    { id: 'large', name: '1 TB', sets: { host: { ram_bytes: 2 ** 40 } }, unknown: ['power_w'] },
  ],
};
const box = (change, more = []) =>
  sound({
    systems: (e) => {
      const option = structuredClone(RAM);
      change?.(option);
      e.options = [option, ...more];
    },
  });
const found = (change, more) => messages(check(box(change, more)));

test('a sound option passes, by the schema too', () => {
  assert.equal(found(), '');
  assert.deepEqual(schema(box()), []);
});

test('the schema finds members that do not exist and values of a wrong type', () => {
  assert.match(messages(schema(box((o) => (o.choices[1].sets = { ram: 5 })))), /unknown member ram/);
  assert.match(messages(schema(box((o) => (o.choices[1].sets = { host: { ram_bytes: '1 TB' } })))), /must be integer,null/);
  assert.match(messages(schema(box((o) => (o.what = 'colour')))), /must be one of/);
});

test('ids that stand twice and a default that is none are found', () => {
  assert.match(found(null, [structuredClone(RAM)]), /two options are called ram/);
  assert.match(
    found((o) => (o.choices[1].id = 'small')),
    /two choices are called small/,
  );
  assert.match(
    found((o) => (o.default = 'huge')),
    /the default huge is no choice/,
  );
  assert.match(
    found((o) => (o.choices[0].sets = { power_w: 900 })),
    /describes the entry itself/,
  );
});

test('an accelerator, a member and a count that cannot be are found', () => {
  const edition = (sets) => (o) => Object.assign(o, { what: 'accelerator', choices: [o.choices[0], { id: 'other', name: 'Other', sets }] });
  assert.match(found(edition({ accelerator: 'nothing' })), /there is no accelerator nothing/);
  assert.match(
    found((o) => (o.choices[1].unknown = ['colour'])),
    /colour is no member/,
  );
  assert.match(
    found((o) => (o.choices[1].sets.accelerators = 3)),
    /3 accelerators do not divide over 2 nodes/,
  );
});

test('a choice sets what its option is about, and no two options the same member', () => {
  assert.match(
    found((o) => (o.choices[1].sets = { power_w: 900 })),
    /sets no host.ram_bytes/,
  );
  const other = { ...structuredClone(RAM), id: 'memory' };
  assert.match(found(null, [other]), /host.ram_bytes is set by option ram too/);
});

test('choices said to be from a source have one', () =>
  assert.match(
    found((o) => delete o.source),
    /source is missing/,
  ));

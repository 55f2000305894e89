import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './tables.mjs';

const ROW = { fused_qkv: true, source: 'acme/acme@0123456 modeling.py', basis: 'code' };
const CONTEXT = {
  architectures: ['*'],
  bytes: 600,
  low_bytes: 400,
  high_bytes: 1000,
  because: 'measured',
  basis: 'measured',
  source: 'acme/acme@0123456',
};
const tables = (row, context) => ({
  ...sound(),
  tables: { transformers: { acme: { ...ROW, ...row } }, runtime: { context: [{ ...CONTEXT, ...context }] } },
});

test('sound tables pass', () => assert.deepEqual(check(tables()), []));

test('an unknown member, a wrong value and a missing source are found', () => {
  assert.match(messages(check(tables({ fused_kv: true }))), /unknown member fused_kv/);
  assert.match(messages(check(tables({ layer_types: ['sliding_attention'] }))), /layer_types cannot be/);
  const bare = tables();
  delete bare.tables.transformers.acme.source;
  assert.match(messages(check(bare)), /source is missing/);
});

test('rows name architectures that exist, and one is for the rest', () => {
  assert.match(messages(check(tables({}, { architectures: ['Kepler'] }))), /no row for "\*"/);
  assert.match(messages(check(tables({}, { architectures: ['*', 'Kepler'] }))), /no accelerator has the architecture Kepler/);
});

test('bytes lie within their range', () => {
  assert.match(messages(check(tables({}, { bytes: 300 }))), /does not hold/);
  assert.match(messages(check(tables({}, { bytes: '600 MB' }))), /no number of bytes/);
});

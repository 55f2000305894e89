import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './dates.mjs';

const TODAY = '2026-12-01';
const file = (data) => ({ ...sound(), files: [{ path: 'models/acme.json', data }] });

test('dates up to today pass, however exact', () => {
  const entries = ['2026', '2026-12', '2026-12-01', '2019-01-31'].map((release) => ({ id: 'a', release }));
  assert.deepEqual(check(file({ models: entries }), TODAY), []);
  assert.deepEqual(check(file({ accelerators: [{ id: 'a', release_year: 2026, price: { date: null } }] }), TODAY), []);
});

test('a release, a price and a year in the future are found with their entry', () => {
  const findings = check(
    file({
      models: [
        { id: 'a', release: '2027' },
        { id: 'b', price: { date: '2026-12-02' } },
        { id: 'c', release_year: 2027 },
      ],
    }),
    TODAY,
  );
  assert.deepEqual(
    findings.map((f) => f.id),
    ['a', 'b', 'c'],
  );
  assert.match(messages(findings), /price|date 2026-12-02 is in the future/);
});

test('a model called by a date is none', () => {
  assert.deepEqual(check(file({ models: [{ id: 'llama-2099', name: '2099' }] }), TODAY), []);
});

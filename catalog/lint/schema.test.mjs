import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './schema.mjs';

test('a sound entry of each kind passes', () => assert.deepEqual(check(sound()), []));

test('an unknown member, a wrong type and a value out of bounds are found in each kind', () => {
  const broken = {
    models: (e) => void (e.hiden_size = 1),
    accelerators: (e) => void (e.memory_marketed_bytes = '24 GB'),
    systems: (e) => void (e.kind = 'fridge'),
    offers: (e) => void (e.price.usd_per_hour = -1),
    frameworks: (e) => void (e.defaults[0].when.transformers = '4.36+'),
    glossary: (e) => void (e.text = 'Too short.'),
    rules: (e) => void (e.predicts = 'happiness'),
  };
  for (const [kind, change] of Object.entries(broken)) {
    const findings = check(sound({ [kind]: change }));
    assert.equal(findings.length, 1, kind);
    assert.equal(findings[0].file, `${kind}/acme.json`);
  }
  assert.match(messages(check(sound({ models: broken.models }))), /unknown member hiden_size/);
});

test('ids, dates and revisions have their form', () => {
  assert.match(messages(check(sound({ models: (e) => void (e.id = 'Acme 7B') }))), /format "id"/);
  assert.match(messages(check(sound({ models: (e) => void (e.release = 'May 2026') }))), /format "date-or-year"/);
  assert.match(messages(check(sound({ models: (e) => void (e.revision = 'main') }))), /format "revision"/);
});

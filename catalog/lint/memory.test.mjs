import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './memory.mjs';

test('figures that agree pass', () => assert.deepEqual(check(sound()), []));

test('more reported than marketed is found', () => {
  assert.match(
    messages(check(sound({ accelerators: (e) => void (e.memory_reported_bytes = 25 * 2 ** 30) }))),
    /more than the marketed size/,
  );
});

test('far less reported than marketed is found', () => {
  assert.match(messages(check(sound({ accelerators: (e) => void (e.memory_reported_bytes = 20 * 2 ** 30) }))), /nine tenths/);
});

test('a visible total is below the reported one and has a source', () => {
  assert.match(
    messages(check(sound({ accelerators: (e) => void (e.memory_visible_bytes = 24 * 2 ** 30) }))),
    /more than the reported size/,
  );
  assert.match(
    messages(check(sound({ accelerators: (e) => void (e.memory_visible_bytes = 23 * 2 ** 30) }))),
    /without memory_visible_source/,
  );
});

test('the marketed bytes are the printed figure, decimal or binary', () => {
  assert.deepEqual(
    check(sound({ accelerators: (e) => void Object.assign(e, { memory_marketed_bytes: 24e9, memory_reported_bytes: null }) })),
    [],
  );
  assert.match(messages(check(sound({ accelerators: (e) => void (e.memory_marketed_gb = 16) }))), /neither memory_marketed_gb/);
});

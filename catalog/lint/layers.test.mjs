import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './layers.mjs';

const change = (more) => ({ models: (e) => void Object.assign(e, more) });

test('plain layers pass', () => assert.deepEqual(check(sound()), []));

test('a pattern with its window passes', () => {
  assert.deepEqual(check(sound(change({ layer_types: ['sliding', 'full'], sliding_window: 4096 }))), []);
});

test('a window without order, or an order without window, is found', () => {
  assert.match(messages(check(sound(change({ sliding_window: 4096 })))), /without layer_types/);
  assert.match(messages(check(sound(change({ layer_types: ['sliding'] })))), /exactly where a layer slides/);
});

test('counts of groups agree with the layers and their order', () => {
  assert.match(messages(check(sound(change({ attention_groups: [{ layers: 31, type: 'full' }] })))), /groups count 31 layers/);
  const groups = [
    { layers: 10, type: 'sliding' },
    { layers: 22, type: 'full' },
  ];
  assert.match(
    messages(check(sound(change({ layer_types: ['sliding', 'full'], sliding_window: 4096, attention_groups: groups })))),
    /make 16 full layers/,
  );
});

test('more types than layers, and heads that do not divide, are found', () => {
  assert.match(messages(check(sound(change({ layer_types: Array(33).fill('full') })))), /33 layer types for 32 layers/);
  assert.match(messages(check(sound(change({ num_kv_heads: 7 })))), /cannot share 7/);
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './references.mjs';

test('names that exist pass', () => assert.deepEqual(check(sound()), []));

test('an unknown accelerator is found', () => {
  assert.match(messages(check(sound({ systems: (e) => void (e.accelerator = 'nothing') }))), /there is no accelerator nothing/);
  assert.match(messages(check(sound({ offers: (e) => void (e.accelerator = 'nothing') }))), /there is no accelerator nothing/);
});

test('no accelerator means none, and they divide over the nodes', () => {
  assert.match(messages(check(sound({ systems: (e) => void (e.accelerator = null) }))), /null exactly where/);
  assert.match(messages(check(sound({ systems: (e) => void (e.accelerators = 3) }))), /do not divide over 2 nodes/);
});

test('dims_of names a model with dimensions, and replaces own ones', () => {
  const second = (more) => (e) => [e, { id: 'b', kind: 'dense', ...more }];
  assert.deepEqual(check(sound({ models: second({ dims_of: 'acme-7b' }) })), []);
  assert.match(messages(check(sound({ models: second({ dims_of: 'nothing' }) }))), /does not exist/);
  assert.match(messages(check(sound({ models: second({ dims_of: 'b' }) }))), /from yet another/);
  assert.match(messages(check(sound({ models: second({ dims_of: 'acme-7b', num_layers: 3 }) }))), /dimensions of its own: num_layers/);
  assert.match(messages(check(sound({ models: second({}) }))), /neither dimensions nor dims_of/);
});

test('frameworks extend what exists, and not themselves', () => {
  assert.match(messages(check(sound({ frameworks: (e) => void (e.extends = 'nothing') }))), /extends nothing/);
  assert.match(messages(check(sound({ frameworks: (e) => void (e.extends = 'transformers') }))), /extends itself/);
});

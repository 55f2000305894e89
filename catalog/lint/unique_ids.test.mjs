import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './unique_ids.mjs';

test('one entry an id', () => assert.deepEqual(check(sound()), []));

test('an id twice is found, whatever the case', () => {
  const twice = (e) => [e, { ...e, id: 'other', hf_id: 'ACME/acme-7b' }];
  assert.match(messages(check(sound({ models: twice }))), /acme\/acme-7b already names/);
  assert.match(messages(check(sound({ systems: (e) => [e, { ...e }] }))), /acme-box already names/);
});

test('a system and an offer cannot share an id', () => {
  assert.match(messages(check(sound({ offers: (e) => void (e.id = 'acme-box') }))), /a system has this id/);
});

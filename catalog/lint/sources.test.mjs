import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './sources.mjs';

test('sourced entries pass', () => assert.deepEqual(check(sound()), []));

test('an entry without source is found unless it says memory', () => {
  assert.match(messages(check(sound({ systems: (e) => void (e.sources = []) }))), /no source/);
  assert.deepEqual(check(sound({ systems: (e) => void Object.assign(e, { sources: [], basis: 'memory' }) })), []);
});

test('fields from memory make the basis mixed', () => {
  assert.match(messages(check(sound({ accelerators: (e) => void (e.fields_from_memory = ['power_w']) }))), /"mixed"/);
});

test('a count or a licence without source is found', () => {
  assert.match(messages(check(sound({ models: (e) => void delete e.params_total_source }))), /params_total_source is missing/);
  assert.match(messages(check(sound({ models: (e) => void (e.licence.sources = []) }))), /licence names no source/);
  assert.match(messages(check(sound({ models: (e) => void delete e.licence }))), /licence is missing/);
});

test('a source that leads nowhere is found', () => {
  assert.match(messages(check(sound({ offers: (e) => void (e.sources = ['the internet']) }))), /not a source: the internet/);
});

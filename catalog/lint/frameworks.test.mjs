import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check, compare, parseRange } from './frameworks.mjs';

test('a sound framework passes', () => assert.deepEqual(check(sound()), []));

test('version ranges are read', () => {
  assert.deepEqual(parseRange('>=4.45,<4.50'), { from: [4, 45], to: [4, 50] });
  assert.deepEqual(parseRange('<2'), { from: null, to: [2] });
  for (const wrong of ['', '4.45', '>4.45', '>=4.45,', '<4.50,>=4.45', '>=four']) assert.equal(parseRange(wrong), null, wrong);
  assert.ok(compare([4, 9], [4, 50]) < 0);
  assert.equal(compare([4], [4, 0]), 0);
});

test('a range that no version satisfies, or is none, is found', () => {
  const when = (range) => ({ frameworks: (e) => void (e.defaults[0].when = { transformers: range }) });
  assert.match(messages(check(sound(when('>=4.50,<4.45')))), /no version is in/);
  assert.match(messages(check(sound(when('4.50')))), /is not a version range/);
});

test('packages are declared', () => {
  assert.match(
    messages(check(sound({ frameworks: (e) => void (e.defaults[0].when = { peft: '>=0.1' }) }))),
    /peft, which is not among the packages/,
  );
  assert.match(messages(check(sound({ frameworks: (e) => void (e.current.peft = { version: '1', source: 'x' }) }))), /current names peft/);
});

test('a fact of the code cites its line', () => {
  assert.match(messages(check(sound({ frameworks: (e) => void (e.habits[0].source = 'the docs') }))), /path:line/);
  assert.deepEqual(check(sound({ frameworks: (e) => void Object.assign(e.habits[0], { source: 'the docs', basis: 'docs' }) })), []);
});

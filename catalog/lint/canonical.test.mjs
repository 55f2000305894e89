import assert from 'node:assert/strict';
import test from 'node:test';
import { format, formatFramework, inSchemaOrder } from '../lib/format.mjs';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { canonical, check } from './canonical.mjs';

const file = (text) => ({ ...sound(), files: [{ path: 'systems/acme.json', kind: 'systems', text, data: JSON.parse(text) }] });

test('a file in canonical form passes and is its own canonical form', () => {
  const text = format({ group: 'acme', systems: [{ id: 'a', name: 'A', kind: 'server', places: ['rack', 'lab'] }] });
  assert.deepEqual(check(file(text)), []);
  assert.equal(canonical(file(text).files[0], sound().schemas), text);
});

test('order of members and layout are found with the line', () => {
  const text = format({ group: 'acme', systems: [{ name: 'A', id: 'a' }] });
  assert.match(messages(check(file(text))), /not in canonical form at line 5/);
  assert.match(messages(check(file('{"group":"acme","systems":[]}'))), /line 1/);
});

test('short lists stay on a line, long ones do not', () => {
  assert.equal(format({ a: [1, 2] }), '{\n  "a": [1, 2]\n}\n');
  assert.match(format({ a: Array(40).fill('word') }), /\[\n {4}"word",/);
});

test('members that a schema does not name keep their place at the end', () => {
  assert.deepEqual(Object.keys(inSchemaOrder({ z: 1, b: 2, a: 3 }, { properties: { a: {}, b: {} } })), ['a', 'b', 'z']);
});

test('a framework has one rule a line', () => {
  const text = formatFramework({
    id: 'x',
    defaults: [
      { pointer: '/a', value: 1 },
      { pointer: '/b', value: [2] },
    ],
  });
  assert.equal(text.split('\n').length, 8);
  assert.deepEqual(JSON.parse(text).defaults[1], { pointer: '/b', value: [2] });
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './memory_marks.mjs';

const found = (kind, more) => messages(check(sound({ [kind]: (e) => void Object.assign(e, more) })));

test('marked members with a value pass', () => {
  assert.deepEqual(check(sound()), []);
  assert.equal(found('systems', { basis: 'mixed', fields_from_memory: ['host.ram_bytes'], host: { ram_bytes: 2 ** 40 } }), '');
});

test('a mark on nothing, or twice, is found in each kind', () => {
  for (const kind of ['accelerators', 'systems', 'offers']) {
    assert.match(found(kind, { basis: 'mixed', fields_from_memory: ['power_kw'] }), /power_kw, which has no value/);
    assert.match(found(kind, { basis: 'mixed', fields_from_memory: ['name', 'name'] }), /name twice/);
    assert.match(found(kind, { basis: 'mixed', fields_from_memory: [] }), /"mixed" but/);
  }
});

test('an option without source is from memory', () => {
  assert.match(found('systems', { options: [{ id: 'ram', basis: 'inferred' }] }), /option ram: without a source/);
  assert.equal(found('systems', { options: [{ id: 'ram', basis: 'memory' }] }), '');
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './source_form.mjs';

const found = (kind, change) => messages(check(sound({ [kind]: (e) => void change(e) })));

test('sources that lead somewhere pass', () => {
  assert.deepEqual(check(sound()), []);
  assert.equal(
    found(
      'accelerators',
      (e) => (e.mig = [{ memory_source: 'nvidia-smi mig -lgip listings in public repositories (string search, 2026-12-01)' }]),
    ),
    '',
  );
});

test('one that leads nowhere is found with its place, in each kind', () => {
  assert.match(
    found('accelerators', (e) => (e.price.source = 'a shop')),
    /\/price\/source is not a source: a shop/,
  );
  assert.match(
    found('accelerators', (e) => (e.memory_reported_source = 'my card')),
    /\/memory_reported_source/,
  );
  assert.match(
    found('systems', (e) => (e.options = [{ source: 'the vendor' }])),
    /\/options\/0\/source/,
  );
  assert.match(
    found('offers', (e) => (e.price.source = '2 x another')),
    /\/price\/source/,
  );
  assert.match(
    found('glossary', (e) => (e.source = 'well known')),
    /\/source/,
  );
  assert.match(
    found('rules', (e) => (e.misleads_source = 'experience')),
    /\/misleads_source/,
  );
});

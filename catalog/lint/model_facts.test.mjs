import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './model_facts.mjs';

const found = (change) => messages(check(sound({ models: change })));

test('a model with all its facts passes', () =>
  assert.equal(
    found(() => {}),
    '',
  ));

test('what every model has is missed', () => {
  for (const member of ['owner', 'kind', 'licence', 'basis', 'architectures', 'dtype'])
    assert.match(
      found((e) => void delete e[member]),
      new RegExp(`^${member} is missing$`),
    );
});

test('what may be absent needs its reason, and only then', () => {
  assert.match(
    found((e) => void delete e.params_total),
    /params_total is missing: give it, or say in absent.params_total why/,
  );
  const bare = (e) => {
    delete e.release;
    delete e.release_basis;
    e.absent = { release: 'No source gives it.' };
  };
  assert.equal(found(bare), '');
  assert.match(
    found((e) => void (e.absent = { release: 'No source gives it.' })),
    /absent.release gives a reason though release is there/,
  );
});

test('a release says where it comes from', () => {
  assert.match(
    found((e) => void delete e.release_basis),
    /release_basis is missing/,
  );
  assert.match(
    found((e) => void (e.release_basis = 'sources')),
    /release_source stands exactly where/,
  );
  assert.match(
    found((e) => void (e.release_source = 'https://example.org')),
    /release_source stands exactly where/,
  );
  assert.match(
    found((e) => void delete e.release),
    /release_basis without release/,
  );
});

test('a note on how the dimensions were read contradicts memory', () => {
  assert.match(
    found((e) => void Object.assign(e, { basis: 'memory', basis_note: 'Read in the file.' })),
    /basis_note has nothing to say/,
  );
});

import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './mig.mjs';

const SLICE = {
  profile: '1g.6gb',
  instances: 4,
  memory_slices: [1, 4],
  compute_slices: [1, 4],
  memory_bytes: 6238482268,
  memory_source: 'x',
  source: 'x',
};
const found = (more, twice) =>
  messages(check(sound({ accelerators: (e) => void (e.mig = [{ ...SLICE, ...more }, ...(twice ? [SLICE] : [])]) })));

test('slices that agree pass, without a listing too', () => {
  assert.equal(found({}), '');
  assert.equal(found({ memory_bytes: null }), '');
});

test('a name that disagrees with the shares is found', () => {
  assert.match(found({ profile: '2g.6gb' }), /compute slices/);
  assert.match(found({ profile: '1g.12gb' }), /its share of the memory is 6/);
  assert.match(found({ instances: 5 }), /do not fit/);
  assert.match(found({ compute_slices: [1, 0] }), /more slices than there are/);
});

test('memory beyond the name, far below it, or without source is found', () => {
  assert.match(found({ memory_bytes: 7 * 2 ** 30 }), /more than its name says/);
  assert.match(found({ memory_bytes: 2 ** 32 }), /far less/);
  assert.match(found({ memory_source: undefined }), /without memory_source/);
});

test('a slice stands once', () => assert.match(found({}, true), /stands twice/));

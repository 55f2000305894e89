import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './prices.mjs';

const TODAY = '2026-12-01';

test('dated prices and none pass', () => assert.deepEqual(check(sound(), TODAY), []));

test('a price without date needs the reason', () => {
  assert.match(messages(check(sound({ offers: (e) => void (e.price.date = null) }), TODAY)), /no date/);
  assert.deepEqual(
    check(sound({ offers: (e) => void Object.assign(e.price, { date: null, date_note: 'the source stores none' }) }), TODAY),
    [],
  );
});

test('a date in the future is found', () => {
  assert.match(messages(check(sound({ offers: (e) => void (e.price.date = '2027-01-01') }), TODAY)), /in the future/);
});

test('a spot price is a price or a range', () => {
  const spot = { usd_per_hour: null, date: '2026-08', source: 'https://example.org' };
  assert.match(messages(check(sound({ offers: (e) => void (e.price_spot = spot) }), TODAY)), /neither a price nor a range/);
});

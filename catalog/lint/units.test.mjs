import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './units.mjs';

const found = (kind, change) => messages(check(sound({ [kind]: (e) => void change(e) })));

test('plausible figures and unknown ones pass', () => {
  assert.deepEqual(check(sound()), []);
  assert.deepEqual(check(sound({ systems: (e) => void Object.assign(e, { power_w: null, host: { ram_bytes: null } }) })), []);
});

test('accelerators: gigabytes per second, kilowatts, sparse rates', () => {
  assert.match(
    found('accelerators', (e) => (e.memory_bandwidth_bytes_per_s = 936)),
    /bytes per second are meant/,
  );
  assert.match(
    found('accelerators', (e) => (e.power_w = 0.7)),
    /watts are meant/,
  );
  assert.match(
    found('accelerators', (e) => (e.link_bytes_per_s = 900)),
    /link_bytes_per_s/,
  );
  assert.match(
    found('accelerators', (e) =>
      Object.assign(e, { tflops_dense: { bf16: 100 }, matmul_measured: [{ dtype: 'bf16', tflops: 190, source: 'x' }] }),
    ),
    /without sparsity/,
  );
  assert.match(
    found('accelerators', (e) => (e.tflops_dense = { bf16: 100, fp8: 50 })),
    /bf16 is faster than fp8/,
  );
});

test('systems: gigabytes of memory, gigabits, megawatts, the price of one card', () => {
  assert.match(
    found('systems', (e) => (e.host = { ram_bytes: 512 })),
    /host.ram_bytes 512/,
  );
  assert.match(
    found('systems', (e) => (e.host = { network_bits_per_s: 100 })),
    /bits per second/,
  );
  assert.match(
    found('systems', (e) => (e.power_w = 4e6)),
    /power_w/,
  );
  assert.match(
    found('systems', (e) => (e.host = { ram_bytes: 2 ** 40, ram_max_bytes: 2 ** 39 })),
    /more than host.ram_max_bytes/,
  );
  assert.match(
    found('systems', (e) => (e.price = { purchase_usd: 400, date: '2026', source: 'x' })),
    /price.purchase_usd 400 \(100 for each of 4 accelerators\)/,
  );
});

test('choices of options and offers are looked at too', () => {
  const choice = { id: 'big', name: 'Big', sets: { host: { nvme_bytes: 8 } } };
  assert.match(
    found('systems', (e) => (e.options = [{ id: 'nvme', choices: [choice] }])),
    /options.nvme.choices.big.sets.host.nvme_bytes 8/,
  );
  assert.match(
    found('offers', (e) => (e.host = { cpu_clock_ghz: 3200 })),
    /GHz/,
  );
});

test('an hour in cents, of one second, a range in cents', () => {
  for (const usd_per_hour of [360, 0.001])
    assert.match(
      found('offers', (e) => (e.price.usd_per_hour = usd_per_hour)),
      /price.usd_per_hour .* USD for an hour of the whole machine are meant/,
    );
  const spot = { usd_per_hour: null, usd_per_hour_range: [40, 90], date: '2026-08', source: 'https://example.org' };
  assert.match(
    found('offers', (e) => (e.price_spot = spot)),
    /price_spot.usd_per_hour_range.1 90/,
  );
});

test('the host of an offer is described as that of a system', () => {
  const { schemas } = sound();
  assert.deepEqual(schemas.offer.$defs.host, schemas.system.$defs.host);
});

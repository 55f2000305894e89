// Overlays through the command line: what is wrong gets one finding, with pointer and hint, and does not spoil the rest.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ownFolder, request, root, run } from './installed.mjs';

const cli = join(root, 'dist/npm/cli.mjs');
let folder;
before(async () => (folder = await ownFolder()));

async function withOverlay(overlay, words, input) {
  const file = join(folder, 'overlay.json');
  await writeFile(file, typeof overlay === 'string' ? overlay : JSON.stringify(overlay));
  return run(process.execPath, [cli, ...words, '--overlay', file], { input });
}

const listed = async (overlay, ...words) => withOverlay(overlay, ['catalogue', 'accelerators', 'house', '--json', ...words]);

async function findingsOf(overlay) {
  const { status, stdout } = await listed(overlay);
  return status === 0 ? [] : JSON.parse(stdout).findings;
}

const card = (id, more) => ({ id: `house-${id}`, name: 'House card', vendor: 'House', memory_marketed_bytes: 24 * 2 ** 30, ...more });
const machine = (id, more) => ({ id: `house-${id}`, name: 'House box', accelerator: 'nvidia-l40s', accelerators: 4, ...more });
const rented = (id, more) => ({ ...machine(id, more), provider: 'House' });
const hour = (usd_per_hour, more) => ({ price: { usd_per_hour, date: '2026-11', source: 'House price list', ...more } });
const buy = (purchase_usd, more) => ({ price: { purchase_usd, date: '2026-11', source: 'House price list', ...more } });

// A kind, an entry with one fault, where the finding points below the entry, and what its hint or message says.
const FAULTS = [
  ['accelerators', 7, '', /object/],
  ['accelerators', card('memory-text', { memory_marketed_bytes: '24 GB' }), '/memory_marketed_bytes', /number/],
  ['accelerators', card('memory-in-gb', { memory_marketed_bytes: 24 }), '/memory_marketed_bytes', /1073741824/],
  ['accelerators', card('power-list', { power_w: [300] }), '/power_w', /number/],
  ['accelerators', card('power-negative', { power_w: -300 }), '/power_w', /above 0/],
  ['accelerators', card('flops', { tflops_dense: { bf16: 181e12 } }), '/tflops_dense/bf16', /1000000/],
  [
    'accelerators',
    card('bandwidth-in-gb', { memory_bandwidth_bytes_per_s: 864 }),
    '/memory_bandwidth_bytes_per_s',
    /bytes per second|from \d/,
  ],
  ['accelerators', card('reports-more', { memory_reported_bytes: 48 * 2 ** 30 }), '/memory_reported_bytes', /marketed/],
  ['accelerators', card('unknown-member', { memory_gb: 24 }), '/memory_gb', /./],
  ['accelerators', { id: 'house-no-memory', name: 'House card', vendor: 'House' }, '/memory_marketed_bytes', /given/],
  ['accelerators', card('Upper Case'), '/id', /[Ll]ower case/],
  ['accelerators', card('good-1'), '/id', /overlay twice/],
  ['accelerators', { ...card(''), id: 'nvidia-l40s' }, '/id', /"replaces": true/],
  ['accelerators', card('replaces-nothing', { replaces: true }), '/replaces', /no "house-replaces-nothing"/],
  ['systems', machine('near', { accelerator: 'nvidia-l40ss' }), '/accelerator', /nvidia-l40s/],
  ['systems', machine('far', { accelerator: 'nothing-like-it' }), '/accelerator', /catalogue|overlay/],
  ['systems', machine('none-left', { accelerators: -4 }), '/accelerators', /0/],
  ['systems', machine('price-in-cents', buy(4_200_000)), '/price/purchase_usd', /USD/],
  ['systems', machine('price-in-thousands', buy(42)), '/price/purchase_usd', /100/],
  ['systems', machine('price-text', buy('42,000')), '/price/purchase_usd', /number/],
  ['systems', machine('price-undated', { price: { purchase_usd: 42000, source: 'House price list' } }), '/price/date', /given/],
  ['systems', machine('price-day', buy(42000, { date: '12.11.2026' })), '/price/date', /2026-08-27/],
  ['offers', rented('in-cents', hour(350)), '/price/usd_per_hour', /USD/],
  ['offers', rented('per-month', hour(3500)), '/price/usd_per_hour', /hour/],
  ['offers', rented('per-second', hour(0.0009)), '/price/usd_per_hour', /0\.001|hour/],
  ['offers', rented('negative', hour(-3.5)), '/price/usd_per_hour', /0\.001|hour/],
  ['offers', rented('text', hour('3.50')), '/price/usd_per_hour', /without quotes/],
  ['offers', rented('bare', { price: 3.5 }), '/price', /object/],
  ['offers', rented('euro', hour(3.5, { currency: 'EUR' })), '/price/currency', /./],
  ['offers', rented('box'), '/id', /system/],
  ['models', { id: 'house-7b', kind: 'dense', dims_of: 'no-such-model' }, '/dims_of', /model/],
  ['models', { id: 'house-8b', kind: 'thick', dims_of: 'llama-3.1-8b' }, '/kind', /dense/],
];
const GOOD = {
  accelerators: [card('good-1', { compute_capability: '8.9' }), card('good-2', { power_w: 300 })],
  systems: [machine('box', buy(42000)), machine('of-own', { accelerator: 'house-good-1' })],
  offers: [rented('rent', hour(3.5))],
  models: [{ id: 'house-good-8b', kind: 'dense', dims_of: 'llama-3.1-8b' }],
};

const withFaults = (rows) => rows.reduce((all, [kind, entry]) => ({ ...all, [kind]: [...all[kind], entry] }), structuredClone(GOOD));

// The finding that must come for a row of FAULTS when it stands at that place.
function assertNamed(finding, [kind, , below, says], place) {
  assert.equal(finding.pointer, `/catalogue_overlay/${kind}/${place}${below}`);
  assert.ok(finding.code && finding.message && finding.hint, JSON.stringify(finding));
  assert.match(`${finding.message} ${finding.hint}`, says);
}

test('a sound overlay has no findings', async () => assert.deepEqual(await findingsOf(GOOD), []));

for (const row of FAULTS) {
  const [kind, entry, below] = row;
  test(`one finding: ${kind} ${entry.id ?? JSON.stringify(entry)}${below}`, async () => {
    const findings = await findingsOf(withFaults([row]));
    assert.deepEqual(
      findings.map(({ pointer }) => pointer),
      [`/catalogue_overlay/${kind}/${GOOD[kind].length}${below}`],
    );
    assertNamed(findings[0], row, GOOD[kind].length);
  });
}

test('all faults of a file are told at once', async () => {
  const pointers = (await findingsOf(withFaults(FAULTS))).map(({ pointer }) => pointer);
  const places = Object.fromEntries(Object.entries(GOOD).map(([kind, list]) => [kind, list.length]));
  const expected = FAULTS.map(([kind, , below]) => `/catalogue_overlay/${kind}/${places[kind]++}${below}`);
  assert.deepEqual(pointers.sort(), expected.sort());
});

test('kinds that are no lists, and no kinds, hide nothing else', async () => {
  const overlay = { ...GOOD, accelerators: [...GOOD.accelerators, card('text', { power_w: '300' })], offers: 'all', gpus: [] };
  const pointers = (await findingsOf(overlay)).map(({ pointer }) => pointer);
  assert.deepEqual(
    pointers.sort(),
    ['/accelerators/2/power_w', '/gpus', '/offers'].map((p) => `/catalogue_overlay${p}`),
  );
});

test('files that are no overlays', async () => {
  for (const text of ['[]', '"x"', '{', '7']) assert.equal((await listed(text)).status, 2, text);
  for (const text of ['{}', '{"accelerators": []}']) assert.equal((await listed(text)).status, 0, text);
});

test('a wrong overlay refuses a sizing, with the same findings', async () => {
  const { status, stdout } = await withOverlay(withFaults([FAULTS[1]]), ['size', '-'], JSON.stringify(request));
  assert.equal(status, 2);
  assertNamed(JSON.parse(stdout).error, FAULTS[1], GOOD.accelerators.length);
});

test('--skip-wrong: the rest is listed and sized, each fault is told by its place in the file', async () => {
  const overlay = withFaults(FAULTS);
  const { status, stdout, stderr } = await listed(overlay, '--skip-wrong');
  assert.equal(status, 0, stderr);
  assert.deepEqual(
    JSON.parse(stdout).map(({ id }) => id),
    ['house-good-1', 'house-good-2'],
  );
  const places = Object.fromEntries(Object.entries(GOOD).map(([kind, list]) => [kind, list.length]));
  for (const [kind, , below] of FAULTS) {
    const pointer = `/catalogue_overlay/${kind}/${places[kind]++}${below}`;
    assert.ok(stderr.includes(`tunefit: left out: ${pointer}: `), `${pointer} is not told:\n${stderr}`);
  }
  const ours = JSON.stringify({ ...request, model: 'house-good-8b', placement: { accelerator: 'house-good-1', accelerators: 1 } });
  const sized = await withOverlay(overlay, ['size', '-', '--skip-wrong'], ours);
  assert.equal(sized.status, 0, sized.stdout);
  assert.equal(JSON.parse(sized.stdout).model.parameters, 8030261248);
});

test('--skip-wrong: an entry that names one left out goes too', async () => {
  const overlay = {
    accelerators: [card('wrong', { power_w: 'x' }), card('good')],
    systems: [machine('box', { accelerator: 'house-wrong' })],
  };
  const { status, stdout, stderr } = await listed(overlay, '--skip-wrong');
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).length, 1);
  assert.match(stderr, /systems\/0\/accelerator: /);
});

test('--skip-wrong alone is a slip', async () => {
  assert.equal((await run(process.execPath, [cli, 'catalogue', 'accelerators', '--skip-wrong'])).status, 2);
});

// 10 MB of entries, and more of them than the engine takes. Seconds: with room for a slow machine, far under quadratic time.
const MOST_SECONDS = 6;
const words = 'as the price list of the House says, '.repeat(60);

async function timed(call) {
  const start = performance.now();
  const result = await call();
  const seconds = (performance.now() - start) / 1000;
  assert.ok(seconds < MOST_SECONDS, `${seconds.toFixed(1)} s`);
  return result;
}

test('10 MB of sound entries are read', async () => {
  const many = (make) => Array.from({ length: 1900 }, (_, i) => make(i, { note: words }));
  const overlay = JSON.stringify({ accelerators: many(card), systems: many((i, more) => machine(`box-${i}`, more)) });
  assert.ok(overlay.length > 8e6);
  const { status, stdout } = await timed(() => withOverlay(overlay, ['catalogue', 'systems', 'house-box-1899', '--json']));
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).length, 1);
});

test('10 MB of too many entries: one finding that says how many there may be', async () => {
  const overlay = JSON.stringify({ accelerators: Array.from({ length: 10000 }, (_, i) => card(i, { note: words.slice(0, 850) })) });
  assert.ok(overlay.length > 9e6);
  const findings = await timed(() => findingsOf(overlay));
  assert.deepEqual(
    findings.map(({ pointer }) => pointer),
    ['/catalogue_overlay/accelerators'],
  );
  assert.match(findings[0].hint, /\d+ at most|[Aa]t most \d+/);
});

test('10 MB of wrong entries: a hundred findings, not ten thousand', async () => {
  const wrong = Array.from({ length: 1900 }, (_, i) => card(i, { power_w: 'x', note: words.repeat(2) }));
  const findings = await timed(() => findingsOf(JSON.stringify({ accelerators: wrong })));
  assert.ok(findings.length >= 50 && findings.length <= 101, `${findings.length} findings`);
});

test('the largest number of entries is the one that the finding names', async () => {
  const many = (length) => ({ accelerators: Array.from({ length }, (_, i) => card(i)) });
  const [{ hint }] = await findingsOf(many(12000));
  const most = Number(/\d+/.exec(hint)[0]);
  assert.ok(most >= 1000);
  assert.deepEqual(await timed(() => findingsOf(many(most))), []);
  assert.equal((await findingsOf(many(most + 1))).length, 1);
});

// The scorer's arithmetic on examples worked by hand, and that every case gets an answer.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../dist/npm/index.mjs';
import { comparison, groupResults, readCases, sizeCases } from './cases.mjs';
import { columns, renderCase, renderTable } from './report.mjs';
import { median, percentile, summary } from './statistics.mjs';

const close = (a, b) => assert.ok(Math.abs(a - b) < 1e-12, `${a} is not ${b}`);
const answer = (allocated, reserved, device, verdict = 'fits') => ({
  memory: { verdict, peak: { allocated: { expected: allocated }, reserved: { expected: reserved }, device: { expected: device } } },
});
const measured = (counter, bytes, more = {}) => ({ id: 'x', source_family: 'f', measured: { counter, bytes, oom: false, ...more } });

test('median and percentile', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(percentile([5, 1, 4, 2, 3], 0.9), 5);
  assert.equal(percentile([10, 9, 8, 7, 6, 5, 4, 3, 2, 1], 0.9), 9);
  assert.ok(Number.isNaN(median([])) && Number.isNaN(percentile([], 0.9)));
});

test('summary of five errors', () => {
  const s = summary([-0.2, -0.1, 0, 0.05, 0.4]);
  assert.equal(s.n, 5);
  assert.equal(s.median, 0);
  assert.equal(s.medianAbsolute, 0.1);
  assert.equal(s.p90Absolute, 0.4);
  assert.equal(s.under10, 0.2);
});

test('each counter is compared with its own figure', () => {
  const a = answer(90, 100, 110);
  close(comparison(measured('allocated', 100), a).error, -0.1);
  close(comparison(measured('reserved', 80), a).error, 0.25);
  close(comparison(measured('device', 100), a).error, 0.1);
  close(comparison(measured('unknown', 100), a).error, 0.1);
  const baseline = comparison(measured('device', 150, { baseline_bytes: 50 }), a);
  assert.equal(baseline.counter, 'reserved');
  assert.equal(baseline.error, 0);
  assert.equal(comparison(measured('device', null, { oom: true }), a), null);
});

test('groups count runs out of memory and refusals apart from errors', () => {
  const engine = { size: (request) => request };
  const make = (request, m, family) => ({ ...m, request, source_family: family });
  const oom = { counter: 'device', bytes: null, oom: true };
  const cases = [
    make(answer(110, 0, 0), measured('allocated', 100), 'a'),
    make(answer(0, 0, 0, 'no'), { measured: oom }, 'a'),
    make(answer(0, 0, 0, 'fits'), { measured: oom }, 'a'),
    make({ error: {}, findings: [] }, measured('allocated', 100), 'b'),
  ];
  const [a, b] = groupResults(sizeCases(cases, engine), (r) => r.case.source_family);
  assert.deepEqual({ ...a, errors: a.errors.length }, { key: 'a', cases: 3, oom: 2, oomNotFitting: 1, notSized: 0, errors: 1 });
  close(a.errors[0], 0.1);
  assert.deepEqual(b, { key: 'b', cases: 1, oom: 0, oomNotFitting: 0, notSized: 1, errors: [] });
});

test('the Markdown table has one line a row and a rule', () => {
  const text = renderTable(columns([{ key: 'f', cases: 1, notSized: 0, oom: 0, oomNotFitting: 0, ...summary([0.1]) }], 'family'), true);
  assert.equal(text.split('\n').length, 3);
  assert.match(text, /^\| family \|.*\n\| -+ \| -*: \|.*\n\| f .* \+10\.0 % \|/);
});

test('the machine-readable report holds every case and class', () => {
  const script = new URL('./score.mjs', import.meta.url);
  const run = spawnSync(process.execPath, [fileURLToPath(script), '--json'], { encoding: 'utf8', maxBuffer: 1 << 26 });
  const { groups, classes, cases } = JSON.parse(run.stdout);
  assert.equal(cases.length, readCases().length);
  assert.equal(groups.at(-1).cases, cases.length);
  assert.equal(classes.length, 7);
  for (const c of cases.filter(({ oom }) => !oom)) assert.ok(Math.abs(c.predicted / c.measured - 1 - c.error) < 1e-12, c.id);
});

test('every case is sized, and differently from others', async () => {
  const engine = await load();
  const cases = readCases();
  assert.equal(cases.length, 359);
  assert.equal(new Set(cases.map((c) => c.id)).size, cases.length);
  const results = sizeCases(cases, engine);
  const refused = results
    .filter((r) => r.refusal)
    .map((r) => `${r.case.id}: ${r.refusal.error.code} ${r.refusal.error.pointer} ${r.refusal.error.message}`);
  assert.deepEqual(refused, []);
  for (const r of results) {
    const { allocated, reserved, device } = r.answer.memory.peak;
    assert.ok(allocated.expected > 0 && allocated.expected <= reserved.expected && reserved.expected <= device.expected, r.case.id);
  }
  assert.ok(new Set(results.map((r) => r.answer.memory.peak.allocated.expected)).size > 150);
  assert.match(renderCase(results[0]), /at the peak/);
});

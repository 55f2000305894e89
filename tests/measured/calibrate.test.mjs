// The arithmetic of the intervals on examples worked by hand, and that the catalogue holds what the cases give.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { load } from '../../dist/npm/index.mjs';
import { againstAims } from './aims.mjs';
import { calibrate, classOf, deciles, weightedQuantile } from './calibrate.mjs';
import { readCases, sizeCases } from './cases.mjs';

const rows = (source, values) => values.map((value) => ({ source, value }));

test('a weighted quantile is the first value at which the share is reached', () => {
  const even = [1, 2, 3, 4].map((value) => ({ value, weight: 1 }));
  assert.equal(weightedQuantile(even, 0.5), 2);
  assert.equal(weightedQuantile(even, 0.9), 4);
  assert.equal(
    weightedQuantile(
      [
        { value: 1, weight: 9 },
        { value: 5, weight: 1 },
      ],
      0.9,
    ),
    1,
  );
});

test('each source counts the same, however many rows it gave', () => {
  const many = rows('a', Array(100).fill(1)),
    few = rows('b', Array(30).fill(1.5));
  assert.deepEqual(deciles([...many, ...few], []), { low: 0.99, high: 1.5 });
});

test('the wider of both readings is taken', () => {
  const rowsOfOne = rows('a', [...Array(80).fill(1), ...Array(20).fill(1.3)]),
    few = rows('b', Array(10).fill(1));
  assert.deepEqual(deciles([...rowsOfOne, ...few], []), { low: 0.99, high: 1.3 });
});

test('a class of few rows takes the wider of its own and of all', () => {
  const own = rows('a', Array(5).fill(0.9)),
    all = [...own, ...rows('b', Array(20).fill(1.2))];
  assert.deepEqual(deciles(own, all), { low: 0.9, high: 1.2 });
});

test('the class of a run is its counter and whether rows vary', () => {
  const run = (counter, pointer) => ({ comparison: { counter }, answer: { assumptions: [{ pointer }] } });
  assert.equal(classOf(run('reserved', '/recipe/lengths')), 'reserved_varying');
  assert.equal(classOf(run('device', '/recipe/attention')), 'device');
  assert.equal(classOf(run('allocated', '/recipe/lengths')), 'allocated');
});

test('each case is judged against the aim of its class', () => {
  const run = (framework, measured, predicted) => ({
    case: { quality: 'A', measured: { counter: 'allocated' }, request: { recipe: { framework } } },
    comparison: { counter: 'allocated', measured, predicted, error: predicted / measured - 1 },
    answer: { assumptions: [], memory: { peak: { allocated: { low: 90, high: 110 } } } },
  });
  const rows = againstAims([run('trl', 100, 99), run('trl', 120, 100), run('litgpt', 100, 103)]);
  const named = (name) => rows.find((r) => r.name.startsWith(name));
  assert.equal(named('allocated, quality A').n, 2);
  assert.deepEqual(
    named('allocated, litgpt').reached,
    [0.03, 0.03, 0].map((x) => (x ? 103 / 100 - 1 : 0)),
  );
  assert.equal(named('all together').above, 1 / 3);
  assert.equal(named('allocated, quality A').coverage, 0.5);
});

test('the catalogue holds what the cases give, and the aims of verdicts hold', async () => {
  const results = sizeCases(readCases(), await load());
  const stored = JSON.parse(readFileSync(new URL('../../catalog/calibration.json', import.meta.url), 'utf8'));
  assert.deepEqual(stored.classes, calibrate(results).classes);
  const verdicts = (oom) => results.filter((r) => r.answer && r.case.measured.oom === oom).map((r) => r.answer.memory.verdict);
  const share = (list, wanted) => list.filter((v) => wanted.includes(v)).length / list.length;
  assert.ok(share(verdicts(true), ['no', 'tight']) >= 0.95, 'runs out of memory are called no or tight');
  assert.ok(share(verdicts(false), ['no']) <= 0.02, 'runs that did fit are not called no');
  assert.ok(share(verdicts(false), ['tight']) <= 0.2 && share(verdicts(true), ['tight']) <= 0.2, 'few are called tight');
});

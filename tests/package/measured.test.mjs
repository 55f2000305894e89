// The published measurements as the package gives them, against sizing each by itself.
import assert from 'node:assert/strict';
import { before, test } from 'node:test';
import { load } from '../../dist/npm/index.mjs';
import { comparison, readCases } from '../measured/cases.mjs';

const cases = readCases();
let engine;
before(async () => (engine = await load()));

test('every published run is there, with the figures that sizing it gives', () => {
  const runs = engine.measured();
  assert.deepEqual(
    runs.map(({ id }) => id),
    cases.map(({ id }) => id),
  );
  for (const [i, c] of cases.entries()) {
    const run = runs[i];
    assert.equal(run.source, c.source);
    assert.equal(run.oom, c.measured.oom);
    if (i % 7 !== 0) continue;
    const answer = engine.size(c.request);
    assert.equal(run.verdict, answer.memory.verdict);
    const own = comparison(c, answer);
    if (!own) assert.equal(run.measured, undefined);
    else assert.deepEqual([run.measured, run.predicted], [own.measured, answer.memory.peak[own.counter]]);
  }
});

test('the nearest run to a published one is that run, and differs in nothing', () => {
  for (const c of cases.filter(({ measured, quality }, i) => !measured.oom && quality !== 'C' && i % 11 === 0)) {
    const { nearest_measured: nearest } = engine.size({ ...c.request, want: ['nearest_measured'] });
    assert.equal(nearest.length, 5);
    const same = nearest.find(({ id }) => id === c.id) ?? nearest[0];
    assert.deepEqual(same.differs_in, [], c.id);
    assert.deepEqual(nearest[0].differs_in, [], c.id);
    assert.equal(new Set(nearest.map(({ id }) => id)).size, 5);
  }
});

test('what differs is named, the nearest first, and each run can be sized as it stands', () => {
  const request = {
    model: 'meta-llama/Llama-3.1-8B',
    recipe: { framework: 'trl', method: 'qlora', sequence_length: 2048 },
    placement: { accelerator: 'nvidia-rtx-4090' },
    want: ['nearest_measured'],
  };
  const { nearest_measured: nearest, memory } = engine.size(request);
  assert.equal(memory, undefined);
  for (const run of nearest) {
    assert.ok(run.differs_in.includes('/model'));
    assert.ok(!run.differs_in.includes('/recipe/method'), run.id);
    const { error } = engine.size(run.request);
    assert.equal(error, undefined);
  }
});

test('it is in the answer only where it is wanted', () => {
  const { nearest_measured: nearest } = engine.size({ model: 'meta-llama/Llama-3.1-8B', recipe: { method: 'lora' } });
  assert.equal(nearest, undefined);
});

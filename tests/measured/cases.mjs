// Published measurements and what an answer is compared with.
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const casesFile = fileURLToPath(new URL('../../catalog/measured/memory.jsonl', import.meta.url));

/** The cases of a JSON-lines file. */
export function readCases(file = casesFile) {
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line));
}

/** Name of the model of a case. */
export const modelName = (c) => (typeof c.request.model === 'string' ? c.request.model : c.request.model.name);

/**
 * The counter, what it read, and what the answer says it would read; null for a run that ran out of memory.
 * Where the source does not tell which counter it was, the device's. Where the device figure holds something besides the run
 * (baseline_bytes: a sleeping engine and the context), the rest is compared with reserved.
 */
export function comparison(c, answer) {
  const { counter, bytes, baseline_bytes: baseline, oom } = c.measured;
  if (oom || bytes === null) return null;
  const ours = baseline ? 'reserved' : counter === 'unknown' ? 'device' : counter;
  const predicted = answer.memory.peak[ours].expected;
  const measured = bytes - (baseline ?? 0);
  return { counter: ours, measured, predicted, error: predicted / measured - 1 };
}

/** Sizes each case: { case, answer, comparison } or, where the engine gives no answer, { case, refusal }. */
export function sizeCases(cases, engine) {
  return cases.map((c) => {
    const answer = engine.size(c.request);
    return answer.error ? { case: c, refusal: answer } : { case: c, answer, comparison: comparison(c, answer) };
  });
}

/** One row a group: errors summed up elsewhere, runs out of memory and refusals counted here. */
export function groupResults(results, keyOf) {
  const groups = new Map();
  for (const r of results) {
    const key = keyOf(r);
    const group = groups.get(key) ?? { key, cases: 0, oom: 0, oomNotFitting: 0, notSized: 0, errors: [] };
    groups.set(key, group);
    group.cases += 1;
    if (r.refusal) group.notSized += 1;
    else if (r.comparison) group.errors.push(r.comparison.error);
    if (r.case.measured.oom) {
      group.oom += 1;
      if (r.answer && r.answer.memory.verdict !== 'fits') group.oomNotFitting += 1;
    }
  }
  return [...groups.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

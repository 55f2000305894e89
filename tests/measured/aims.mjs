// What the errors are to be, class by class, on cases of quality A and B: median absolute error, 90th percentile, share predicted more than
// 10 % too low. Classes are read from a case, not from its outcome.
import { classOf } from './calibrate.mjs';
import { summary } from './statistics.mjs';

const ofItsOwn = new Set(['litgpt', 'torchtune']);
const own = (r) => ofItsOwn.has(r.case.request.recipe.framework);

export const AIMS = [
  {
    name: 'allocated, quality A, transformers, TRL, PEFT',
    has: (r) => classOf(r) === 'allocated' && r.case.quality === 'A' && !own(r),
    aim: [0.015, 0.06, 0.03],
  },
  { name: 'allocated, litgpt, torchtune', has: (r) => classOf(r) === 'allocated' && own(r), aim: [0.05, 0.15, 0.1] },
  { name: 'reserved, fixed lengths', has: (r) => classOf(r) === 'reserved', aim: [0.04, 0.12, 0.1] },
  { name: 'reserved, varying lengths not given', has: (r) => classOf(r) === 'reserved_varying', aim: [0.1, 0.3, null] },
  { name: 'device', has: (r) => r.case.measured.counter === 'device', aim: [0.06, 0.15, 0.1] },
  { name: 'counter unknown', has: (r) => r.case.measured.counter === 'unknown', aim: [0.08, 0.2, 0.15] },
  { name: 'all together', has: () => true, aim: [0.04, 0.15, 0.1] },
];

/** One row a class: { name, n, reached: [median abs., 90th percentile, share under], aim, coverage, above }. */
export function againstAims(results) {
  const sound = results.filter((r) => r.comparison && r.case.quality !== 'C');
  return AIMS.map(({ name, has, aim }) => {
    const rows = sound.filter(has);
    const s = summary(rows.map((r) => r.comparison.error));
    const share = (holds) =>
      rows.filter((r) => holds(r.comparison.measured, r.answer.memory.peak[r.comparison.counter])).length / rows.length;
    return {
      name,
      n: rows.length,
      reached: [s.medianAbsolute, s.p90Absolute, s.under10],
      aim,
      coverage: share((bytes, { low, high }) => bytes >= low && bytes <= high),
      above: share((bytes, { high }) => bytes > high),
    };
  });
}

// What is said of many runs together.
import type { MeasuredRun } from '../../catalogue';

export interface Row {
  readonly counter: string;
  readonly n: number;
  readonly median: number;
  readonly p90: number;
  readonly under: number;
  readonly within: number;
}

export type Compared = Pick<MeasuredRun, 'measured' | 'predicted'>;

export const errorOf = (run: Compared): number | null => (run.measured === undefined ? null : run.predicted.expected / run.measured - 1);

export const isWithin = ({ measured, predicted }: Compared): boolean =>
  measured !== undefined && measured >= predicted.low && measured <= predicted.high;

/** By nearest rank; of an even number the median is the mean of the middle two. */
function quantile(sorted: readonly number[], q: number): number {
  const at = (index: number): number => sorted[index] ?? NaN;
  const n = sorted.length;
  return q === 0.5 && n % 2 === 0 ? (at(n / 2 - 1) + at(n / 2)) / 2 : at(Math.ceil(q * n) - 1);
}

function row(counter: string, runs: readonly MeasuredRun[]): Row {
  const errors = runs.map((run) => errorOf(run) ?? 0);
  const off = errors.map(Math.abs).sort((a, b) => a - b);
  const share = (those: number): number => those / runs.length;
  return {
    counter,
    n: runs.length,
    median: quantile(off, 0.5),
    p90: quantile(off, 0.9),
    under: share(errors.filter((error) => error < -0.1).length),
    within: share(runs.filter(isWithin).length),
  };
}

/** A row a counter, the last for all; runs of quality A and B that were measured. */
export function byCounter(runs: readonly MeasuredRun[]): readonly Row[] {
  const sound = runs.filter((run) => run.measured !== undefined && run.quality !== 'C');
  const counters = ['allocated', 'reserved', 'device', 'unknown'].filter((counter) => sound.some((run) => run.counter === counter));
  return [
    ...counters.map((counter) =>
      row(
        counter,
        sound.filter((run) => run.counter === counter),
      ),
    ),
    row('', sound),
  ];
}

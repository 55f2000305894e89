// Words of the view that sets predicted figures against published measurements.
import { count } from '../format/units';

const signed = (share: number): string => `${share < 0 ? '−' : '+'}${(Math.abs(share) * 100).toFixed(1)} %`;

export const m = {
  title: 'Predicted against measured',
  lead: 'Published measurements of real runs, sized just now by the engine in this page. No constant of the prediction was fitted to them; only the width of the intervals is read off them.',
  pageTitle: 'Tunefit: predicted against measured',
  skip: 'Skip to the measurements',
  running: 'Sizing the published runs …',
  failed: 'The engine could not size the published runs.',
  signed,

  counters: {
    allocated: 'allocated (PyTorch)',
    reserved: 'reserved (PyTorch)',
    device: 'device (nvidia-smi)',
    unknown: 'source does not tell which',
  } as Readonly<Record<string, string>>,

  summary: (n: number, oom: number, right: number) =>
    `${count(n)} measured peaks, and ${count(oom)} runs that ran out of memory, of which ${right === oom ? 'none is' : `${count(oom - right)} are`} called “fits”.`,

  plot: {
    heading: 'All of them',
    name: 'Predicted against measured peak memory, logarithmic scales',
    describe: (n: number) =>
      `${count(n)} runs, one mark each; on the diagonal prediction and measurement agree. The same numbers are in the table below.`,
    measured: 'measured, GiB',
    predicted: 'predicted, GiB',
    band: '10 % off',
    point: (measured: string, predicted: string) => `measured ${measured}, predicted ${predicted}`,
  },

  classes: {
    heading: 'By what was read',
    note: 'Quality C, where the source leaves too much open, counts in none of these rows.',
    counter: 'Counter',
    n: 'Runs',
    median: 'Median error',
    p90: '90th percentile',
    under: 'Predicted more than 10 % too low',
    within: 'Within the interval',
    all: 'All together',
  },

  nearest: {
    heading: 'Nearest to your run',
    none: 'No published run is near to yours.',
    waiting: 'There is no answer for your run at the moment.',
    same: 'in nothing that was compared',
    differs: 'Differs in',
    use: 'Use',
    useLong: (id: string) => `Size the run ${id}`,
    used: (id: string) => `The run ${id} is now yours to change; undo brings yours back.`,
  },

  table: {
    heading: 'One by one',
    run: 'Run',
    search: 'Search',
    searchFor: 'Model, method, framework or source',
    counter: 'Counter',
    measured: 'Measured',
    predicted: 'Predicted',
    error: 'Error',
    outside: 'outside its interval',
    oom: 'out of memory',
    quality: (q: string) => `quality ${q}`,
    found: (n: number, all: number) => (n === all ? `${count(all)} runs` : `${count(n)} of ${count(all)} runs`),
    more: (n: number) => `Show all ${count(n)}`,
    none: 'None matches.',
  },
};

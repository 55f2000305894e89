// ./dev bench: sizes of what ships, what the catalogue adds, time to ready, microseconds per sizing. Prints medians with
// the least and the most.
//   node tests/bench/bench.mjs [--rounds N] [--times N] [--only sizes,catalogue,sizing,page]
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../../wasm/package/cli/output.mjs';
import { withModule } from './almost_empty_page.mjs';
import { almostEmpty, catalogueBytes, kMostBytes, measuredBytes, kMostMilliseconds } from './catalogue.mjs';
import { empty, saved, timesToReady } from './ready.mjs';
import { sizes } from './sizes.mjs';
import { request, timesOfSizing } from './sizing.mjs';
import { timesOfStart } from './start.mjs';
import { differences, medianError, row, summary } from './statistics.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const all = ['sizes', 'catalogue', 'sizing', 'page'];
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '15' },
    times: { type: 'string', default: '200' },
    only: { type: 'string', default: all.join() },
  },
});
const [rounds, times, chosen] = [Number(values.rounds), Number(values.times), values.only.split(',')];
const unknown = chosen.filter((part) => !all.includes(part));
if (!(rounds >= 1 && times >= 1) || unknown.length) {
  console.error(`bench: --rounds and --times are counts; --only takes ${all.join(', ')}`);
  process.exit(2);
}
const page = join(root, 'dist/tunefit.html');
const wasm = readFileSync(join(root, 'dist/npm/tunefit.wasm'));
const columns = ['median', 'min', 'max', 'n'];
const figures = [1, 2, 3, 4];

if (chosen.includes('sizes')) console.log(`${table([['file', 'bytes', 'brotli'], ...sizes(root)], [1, 2])}\n`);
if (chosen.includes('catalogue')) await printCatalogue();
if (chosen.includes('sizing')) await printSizings();
if (chosen.includes('page')) await printPage();

async function printCatalogue() {
  const bytes = catalogueBytes(root, wasm);
  const measured = measuredBytes(root);
  const share = existsSync(page) ? `${((100 * bytes.page) / readFileSync(page).length).toFixed(1)} %` : 'not built';
  const number = (n) => n.toLocaleString('en');
  const rows = [
    ['in the module', number(bytes.raw), number(bytes.gzip), number(bytes.brotli), '', number(kMostBytes)],
    ['measurements, apart', number(measured.raw), number(measured.gzip), number(measured.brotli), '', ''],
    ['as text in the saved page', '', number(bytes.page), '', share, ''],
  ];
  console.log(`${table([['the catalogue adds', 'bytes', 'gzip', 'brotli', 'share', 'budget'], ...rows], [1, 2, 3, 4, 5])}\n`);

  const spent = await timesOfStart(root, { with: wasm, without: almostEmpty(root, wasm) }, request, rounds);
  const steps = { load: 'engine loaded', size: 'first sizing', lists: 'lists of models and accelerators' };
  const started = Object.entries(steps).flatMap(([step, name]) => [
    row(name, spent.with[step], 'ms', 1),
    row('  of it the catalogue', differences(spent.with[step], spent.without[step]), 'ms', 1),
  ]);
  console.log(`${table([['start in Node', ...columns], ...started], figures)}\n`);
}

async function printSizings() {
  const sizings = (await timesOfSizing(root, times)).map(([name, spent]) => row(name, spent, 'µs'));
  console.log(`${table([['one sizing', ...columns], ...sizings], figures)}\n`);
}

async function printPage() {
  if (!existsSync(page)) return console.log('dist/tunefit.html is not built: no time to ready');
  const folder = mkdtempSync(join(tmpdir(), 'tunefit-bench-'));
  try {
    const bare = join(folder, 'almost-empty.html');
    writeFileSync(bare, withModule(readFileSync(page, 'utf8'), wasm, almostEmpty(root, wasm, { accelerators: true })));
    const shown = '.fit tbody tr'; // the first result
    const spent = await timesToReady({ page: saved(page, shown), bare: saved(bare, shown), empty }, rounds);
    const catalogue = differences(spent.page, spent.bare);
    const rows = [
      row('dist/tunefit.html', spent.page, 'ms'),
      row('the same with accelerators only', spent.bare, 'ms'),
      row('empty page', spent.empty, 'ms'),
      row('page less empty page', differences(spent.page, spent.empty), 'ms'),
      row('the catalogue adds', catalogue, 'ms'),
    ];
    console.log(table([['first result in Chromium', ...columns], ...rows], figures));
    console.log(verdict(summary(catalogue).median, medianError(catalogue)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

// A busy machine does not let it be told: then that is said.
function verdict(median, error) {
  const [low, high] = [median - 2 * error, median + 2 * error];
  const kept =
    high <= kMostMilliseconds
      ? 'kept'
      : low > kMostMilliseconds
        ? 'exceeded'
        : 'not decided by this run (more --rounds, or a machine at rest)';
  return `The catalogue adds ${low.toFixed(0)} to ${high.toFixed(0)} ms; its budget of ${kMostMilliseconds} ms is ${kept}.`;
}

// ./dev bench: sizes of what ships, time to ready, microseconds per sizing. Prints medians with the least and the most.
//   node tests/bench/bench.mjs [--rounds N] [--times N]
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { table } from '../../wasm/package/cli/output.mjs';
import { timesToReady } from './ready.mjs';
import { timesOfSizing } from './sizing.mjs';
import { sizes } from './sizes.mjs';
import { row } from './statistics.mjs';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { values } = parseArgs({ options: { rounds: { type: 'string', default: '15' }, times: { type: 'string', default: '200' } } });
const saved = join(root, 'dist/tunefit.html');
const firstResult = '.fit tbody tr';
const columns = ['median', 'min', 'max', 'n'];

console.log(`${table([['file', 'bytes', 'brotli'], ...sizes(root)], [1, 2])}\n`);

const sizings = (await timesOfSizing(root, Number(values.times))).map(([name, spent]) => row(name, spent, 'µs'));
console.log(`${table([['one sizing', ...columns], ...sizings], [1, 2, 3, 4])}\n`);

if (existsSync(saved)) {
  const times = await timesToReady(saved, firstResult, Number(values.rounds));
  const over = times.page.map((spent, i) => spent - times.empty[i]);
  const rows = [row('dist/tunefit.html', times.page, 'ms'), row('empty page', times.empty, 'ms'), row('difference', over, 'ms')];
  console.log(table([['first result in Chromium', ...columns], ...rows], [1, 2, 3, 4]));
} else {
  console.log('dist/tunefit.html is not built: no time to ready');
}

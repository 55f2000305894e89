// `./dev calibrate`: the deciles of measured / predicted by class of run, from the development cases; written to catalog/calibration.json, or
// compared with it (--check).
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { readCases, sizeCases } from './cases.mjs';

const file = fileURLToPath(new URL('../../catalog/calibration.json', import.meta.url));
const kFewest = 30;

/** The class of a run: its counter, and whether its rows vary in length. */
export function classOf({ comparison, answer }) {
  const varies = answer.assumptions.some(({ pointer }) => pointer === '/recipe/lengths');
  return comparison.counter === 'allocated' || !varies ? comparison.counter : `${comparison.counter}_varying`;
}

/** Value below which the share q of the weight lies. */
export function weightedQuantile(rows, q) {
  const sorted = [...rows].sort((a, b) => a.value - b.value);
  const all = sorted.reduce((sum, { weight }) => sum + weight, 0);
  let below = 0;
  for (const { value, weight } of sorted) {
    below += weight;
    if (below >= q * all) return value;
  }
  return sorted.at(-1)?.value ?? NaN;
}

// Each source counts the same, however many rows it gave, but one of few rows by their number: an unseen source is like a source, not like a row.
const kFull = 10;
function weighted(rows) {
  const bySource = groupBy(rows);
  return rows.map((r) => ({ ...r, weight: Math.min(1, bySource.get(r.source).length / kFull) / bySource.get(r.source).length }));
}
function groupBy(rows) {
  const groups = new Map();
  for (const r of rows) groups.set(r.source, [...(groups.get(r.source) ?? []), r]);
  return groups;
}

// The wider of two readings: each row the same, each source the same.
function bothWays(rows) {
  const quantiles = (list) => [0.1, 0.9].map((q) => weightedQuantile(list, q));
  const [byRow, bySource] = [quantiles(rows.map((r) => ({ ...r, weight: 1 }))), quantiles(weighted(rows))];
  return [Math.min(byRow[0], bySource[0]), Math.max(byRow[1], bySource[1])];
}

/** Deciles of a class; a class of fewer than 30 rows takes the wider of its own and those of all runs. */
export function deciles(rows, all) {
  const own = rows.length > 0 ? bothWays(rows) : [1, 1];
  const wide = rows.length >= kFewest ? own : bothWays(all);
  const [low, high] = [Math.min(own[0], wide[0]), Math.max(own[1], wide[1])];
  return { low: Math.min(round(low), 0.99), high: Math.max(round(high), 1.01) };
}
const round = (x) => Math.round(x * 1000) / 1000;

const kClasses = ['allocated', 'reserved', 'reserved_varying', 'device', 'device_varying'];

/** The file's content from sized cases. Classes C and runs out of memory stay out. */
export function calibrate(results) {
  const rows = results
    .filter((r) => r.comparison && r.case.quality !== 'C')
    .map((r) => ({ class: classOf(r), source: r.case.source_family, value: r.comparison.measured / r.comparison.predicted }));
  const classes = {};
  for (const name of kClasses) {
    const own = rows.filter((r) => r.class === name);
    const fixed = rows.filter((r) => r.class.endsWith('_varying') === name.endsWith('_varying'));
    classes[name] = { ...deciles(own, fixed), cases: own.length, sources: new Set(own.map((r) => r.source)).size };
  }
  // What a run needs is its allocated memory and a little; it spreads as the well-described runs of that counter do.
  const sound = results
    .filter((r) => r.comparison?.counter === 'allocated' && r.case.quality === 'A')
    .map((r) => ({ source: r.case.source_family, value: r.comparison.measured / r.comparison.predicted, weight: 1 }));
  classes.needed = {
    low: Math.min(round(weightedQuantile(sound, 0.1)), 0.99),
    high: Math.max(round(weightedQuantile(sound, 0.9)), 1.01),
    cases: sound.length,
    sources: new Set(sound.map((r) => r.source)).size,
  };
  return { classes };
}

async function main() {
  const { load } = await import('../../dist/npm/index.mjs');
  const results = sizeCases(readCases(), await load());
  const now = calibrate(results);
  const stored = JSON.parse(readFileSync(file, 'utf8'));
  if (process.argv.includes('--check')) {
    const same = JSON.stringify(stored.classes) === JSON.stringify(now.classes);
    console.log(JSON.stringify(now.classes, null, 1));
    console.log(
      same ? 'catalog/calibration.json is what the cases give' : 'catalog/calibration.json differs: run ./dev calibrate, build again',
    );
    process.exitCode = same ? 0 : 1;
    return;
  }
  writeFileSync(file, `${JSON.stringify({ ...stored, ...now }, null, 2)}\n`);
  console.log(`${file} written`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await main();

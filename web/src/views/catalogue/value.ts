// Values of an entry's members as text, by the member's name: units stand in the names.
import { count, exact, gibUnit, parameters, scaled, usd } from '../../format/units';
import { writeNumber } from '../../fields/number';
import { c } from '../../strings/catalogue';
import { t } from '../../strings/en';

type Write = (value: number) => string;

const twice = (short: string, long: string): string => (short === long ? short : `${short} (${long})`);

// First that fits the member's last name.
const kUnits: readonly (readonly [RegExp, Write])[] = [
  [/^nvme_bytes$/, (n) => scaled(n, 'B')],
  [/_bytes$/, (n) => twice(gibUnit(n), t.exactly(exact(n)))],
  [/_bytes_per_s$/, (n) => scaled(n, 'B/s')],
  [/_bits_per_s$/, (n) => scaled(n, 'bit/s')],
  [/_gb$/, (n) => `${writeNumber(n)} GB`],
  [/_ghz$/, (n) => `${writeNumber(n)} GHz`],
  [/_dba$/, (n) => `${writeNumber(n)} dB(A)`],
  [/_w$/, (n) => `${writeNumber(n)} W`],
  [/_latency_s$/, (n) => `${writeNumber(Number((n * 1e6).toPrecision(4)))} µs`],
  [/(^|_)usd$/, usd],
  [/^usd_per_hour$/, (n) => c.perHour(usd(n))],
  [/^(params|params_.*|count|active)$/, (n) => twice(parameters(n), count(n))],
  [/^release_year$/, String],
];

const kRate = /^tflops_dense\.(.*)$/;

/** 989 -> 989 TFLOP/s; of integers TOP/s. */
export const rate = (value: number, dtype: string): string => `${writeNumber(value)} ${dtype.startsWith('int') ? 'TOP/s' : 'TFLOP/s'}`;

function number(path: string, value: number): string {
  const [, dtype] = kRate.exec(path) ?? [];
  if (dtype !== undefined) return rate(value, dtype);
  const name = path.slice(path.lastIndexOf('.') + 1);
  const write = kUnits.find(([pattern]) => pattern.test(name))?.[1] ?? writeNumber;
  return write(value);
}

// sliding, sliding, full -> 2 × sliding, full
function runs(items: readonly string[]): string {
  const parts: [string, number][] = [];
  for (const item of items) {
    const last = parts.at(-1);
    if (last?.[0] === item) last[1] += 1;
    else parts.push([item, 1]);
  }
  return parts.map(([item, n]) => (n === 1 ? item : `${t.times(n)} ${item}`)).join(', ');
}

export function valueText(path: string, value: unknown): string {
  if (value === null || value === undefined) return c.unknown;
  if (typeof value === 'boolean') return value ? c.yes : c.no;
  if (value === 'partial') return c.partlyWord;
  if (typeof value === 'number') return number(path, value);
  if (typeof value === 'string') return value;
  if (Array.isArray(value)) return runs(value.map((item: unknown) => valueText(path, item)));
  return Object.entries(value)
    .filter(([name]) => !name.endsWith('source'))
    .map(([name, part]) => `${t.words(name)} ${valueText(name, part)}`)
    .join(', ');
}

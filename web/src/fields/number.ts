// Numbers as people type them: 4096, 4,096, 4 096, 4k, 0.05, 0,05, 1e-4.
import { locale } from '../strings/locale';

const kGrouped = /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/;
const kPlain = /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i;
const kDecimalComma = /^[+-]?\d+,\d+$/;
const kPower: Readonly<Record<string, number>> = { k: 1, m: 2, g: 3, b: 3 };

/** The number a text means, undefined if none. `kilo` is what k stands for: 1024 for token positions, else 1000. */
export function parseNumber(text: string, kilo: 1000 | 1024 = 1000): number | undefined {
  const compact = text.trim().replace(/(?<=\d)[\s_'’](?=\d{3}(?!\d))/g, '');
  const suffix = kPower[compact.at(-1)?.toLowerCase() ?? ''];
  const digits = suffix === undefined ? compact : compact.slice(0, -1).trimEnd();
  let plain = digits;
  if (kGrouped.test(digits)) plain = digits.replaceAll(',', '');
  else if (kDecimalComma.test(digits)) plain = digits.replace(',', '.');
  if (!kPlain.test(plain)) return undefined;
  const value = Number(plain) * kilo ** (suffix ?? 0);
  return Number.isFinite(value) ? value : undefined;
}

const kCounts: Readonly<Record<string, number>> = { m: 1e6, million: 1e6, b: 1e9, bn: 1e9, billion: 1e9, t: 1e12, trillion: 1e12 };
const kCount = /^(.*?\d\.?)\s*(m|million|b|bn|billion|t|trillion)?(\s*param(eter)?s?)?$/i;

/** A model's number of parameters as people write it: 13B, 7,5 b, 350M, 1.2 trillion, 7000000000; undefined if it is none. */
export function parseParameters(text: string): number | undefined {
  const [, digits = '', unit] = kCount.exec(text.trim()) ?? [];
  const value = Math.round((parseNumber(digits) ?? NaN) * (unit ? (kCounts[unit.toLowerCase()] ?? NaN) : 1));
  // A small number without a unit may mean anything.
  return value >= (unit ? 1 : 1e6) ? value : undefined;
}

const kFormat = new Intl.NumberFormat(locale, { maximumSignificantDigits: 15 });

/** As the page writes whatever stands in a field; text that is no number stays as it was typed. */
export const writeValue = (value: unknown): string => {
  if (typeof value === 'number') return writeNumber(value);
  if (Array.isArray(value)) return value.map(writeValue).join(', ');
  return typeof value === 'string' ? value : value === null || value === undefined ? '' : JSON.stringify(value);
};

/** As the page writes a number into a field. */
export const writeNumber = (value: number): string =>
  Math.abs(value) >= 1e15 || (value !== 0 && Math.abs(value) < 1e-4) ? String(value) : kFormat.format(value);

/** Steps of a logarithmic slider: powers of two and the values half-way between, within the limits. */
export function logSteps(from: number, to: number): readonly number[] {
  const steps: number[] = [];
  for (let power = 1; power <= to; power *= 2) {
    if (power >= from) steps.push(power);
    const half = power * 1.5;
    if (Number.isInteger(half) && half >= from && half <= to) steps.push(half);
  }
  return steps;
}

/** Index of the step nearest to a value, by ratio. */
export function nearestStep(steps: readonly number[], value: number): number {
  let best = 0;
  const distance = (i: number): number => Math.abs(Math.log((steps[i] ?? 1) / Math.max(value, 1e-9)));
  for (let i = 1; i < steps.length; ++i) if (distance(i) < distance(best)) best = i;
  return best;
}

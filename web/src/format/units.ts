// Figures as text. Bytes are shown in GiB (2^30), said so; exact bytes are a title or a switch away.
import { locale } from '../strings/locale';

export const kGiB = 2 ** 30;

const fixed = [0, 1, 2].map((digits) => new Intl.NumberFormat(locale, { minimumFractionDigits: digits, maximumFractionDigits: digits }));
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });
const short = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });

/** Three figures or so: 0.24, 9.24, 23.5, 1,126. No unit. */
export function gib(bytes: number): string {
  const value = bytes / kGiB;
  const size = Math.abs(value);
  return (fixed[size < 9.995 ? 2 : size < 99.95 ? 1 : 0] ?? whole).format(value);
}

export const gibUnit = (bytes: number): string => `${gib(bytes)} GiB`;
export const exact = (bytes: number): string => whole.format(bytes);
export const count = (value: number): string => whole.format(value);

/** A share of a whole; what is not quite nothing or not quite all says so. */
export function percent(share: number): string {
  if (share > 0 && share < 0.005) return '< 1 %';
  if (share < 1 && share > 0.995) return '> 99 %';
  return `${whole.format(Math.round(share * 100))} %`;
}

/** A chance is never none and never certain. */
export const chance = (share: number): string => percent(Math.min(Math.max(share, 0.001), 0.999));

/** 8,030,261,248 -> 8.03 B */
export function parameters(value: number): string {
  if (value >= 1e12) return `${short.format(value / 1e12)} T`;
  if (value >= 1e9) return `${short.format(value / 1e9)} B`;
  if (value >= 1e6) return `${short.format(value / 1e6)} M`;
  return whole.format(value);
}

const decimal = new Intl.NumberFormat(locale, { maximumSignificantDigits: 4 });
const kSteps = ['', 'k', 'M', 'G', 'T', 'P'];

/** With a decimal prefix: 3.35e12, "B/s" -> 3.35 TB/s. */
export function scaled(value: number, unit: string): string {
  let step = 0;
  let rest = value;
  while (rest >= 1000 && step < kSteps.length - 1) {
    rest /= 1000;
    ++step;
  }
  return `${decimal.format(rest)} ${kSteps[step] ?? ''}${unit}`;
}

const dollars = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });
const cents = new Intl.NumberFormat(locale, { style: 'currency', currency: 'USD', minimumFractionDigits: 2, maximumFractionDigits: 3 });

export const usd = (value: number): string => (value >= 1000 ? dollars : cents).format(value);

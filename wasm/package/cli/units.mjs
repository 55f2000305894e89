// Numbers for a person. Bytes are binary (1 GiB = 2^30), as memory counters report them.
const steps = [
  [2 ** 40, 'TiB'],
  [2 ** 30, 'GiB'],
  [2 ** 20, 'MiB'],
  [2 ** 10, 'KiB'],
];

export function bytes(value) {
  const [size, unit] = steps.find(([size]) => Math.abs(value) >= size) ?? [1, 'B'];
  return `${(value / size).toFixed(size === 1 ? 0 : 2)} ${unit}`;
}

export const percent = (share, digits = 0) => `${(100 * share).toFixed(digits)} %`;

/** 8030261248 -> "8.03 B". */
export function count(value) {
  const [size, unit] = [
    [1e12, ' T'],
    [1e9, ' B'],
    [1e6, ' M'],
    [1e3, ' k'],
  ].find(([size]) => value >= size) ?? [1, ''];
  return `${size === 1 ? value : (value / size).toPrecision(3)}${unit}`;
}

/** A probability from an estimated spread: never said to be certain. */
export const chance = (p) => (p > 0.99 ? 'over 99 %' : p < 0.01 ? 'under 1 %' : percent(p));

/** Bytes per second as data sheets give them: decimal. */
export function rate(value) {
  const [size, unit] = value >= 1e12 ? [1e12, 'TB/s'] : [1e9, 'GB/s'];
  return `${Number((value / size).toPrecision(3))} ${unit}`;
}

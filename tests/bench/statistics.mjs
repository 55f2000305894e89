// Median with the least and the most: a mean hides what one slow run did.
export function summary(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length / 2;
  const median = sorted.length % 2 ? sorted[Math.floor(middle)] : (sorted[middle - 1] + sorted[middle]) / 2;
  return { n: sorted.length, median, min: sorted[0], max: sorted.at(-1) };
}

export const row = (name, values, unit, digits = 0) => {
  const { n, median, min, max } = summary(values);
  const text = (value) => value.toFixed(digits);
  return [name, `${text(median)} ${unit}`, text(min), text(max), String(n)];
};

/** Round by round, so that what a slow moment of the machine did to both goes out. */
export const differences = (a, b) => a.map((value, i) => value - b[i]);

/** Standard error of the median, from the quartiles: 1.25 sigma / sqrt(n), sigma = range between the quartiles / 1.35. */
export function medianError(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share) => sorted[Math.round(share * (sorted.length - 1))];
  return (0.93 * (at(0.75) - at(0.25))) / Math.sqrt(sorted.length);
}

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

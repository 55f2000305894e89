// The figures of a table row. An error is predicted / measured - 1.

/** Middle value; mean of the two middle ones for an even number. NaN for an empty list. */
export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** Smallest value that at least the share q of the list does not exceed (nearest rank). NaN for an empty list. */
export function percentile(values, q) {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(q * sorted.length) - 1)] ?? NaN;
}

/** n, median signed error, median and 90th percentile absolute error, share under-predicted by more than 10 %. */
export function summary(errors) {
  const absolute = errors.map(Math.abs);
  return {
    n: errors.length,
    median: median(errors),
    medianAbsolute: median(absolute),
    p90Absolute: percentile(absolute, 0.9),
    under10: errors.filter((e) => e < -0.1).length / errors.length,
  };
}

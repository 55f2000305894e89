// No date lies in the future: releases, prices, days on which something was read.
export const name = 'dates';

const MEMBERS = new Set(['date', 'read', 'release']);

export function check(catalogue, today = new Date().toISOString().slice(0, 10)) {
  const findings = [];
  for (const { path, data } of catalogue.files) {
    const walk = (value, key, id) => {
      if (value && typeof value === 'object') {
        const own = typeof value.id === 'string' && !Array.isArray(value) ? value.id : id;
        for (const [k, v] of Object.entries(value)) walk(v, Array.isArray(value) ? key : k, own);
        return;
      }
      const date = key === 'release_year' && Number.isInteger(value) ? String(value) : MEMBERS.has(key) ? value : null;
      // "2026" and "2026-08" are in the future when their first day is.
      if (typeof date === 'string' && /^\d{4}/.test(date) && date > today.slice(0, date.length))
        findings.push({ file: path, id: id ?? null, message: `${key} ${date} is in the future` });
    };
    walk(data, '', null);
  }
  return findings;
}

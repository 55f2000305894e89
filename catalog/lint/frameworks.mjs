// Framework rules: version ranges that some version satisfies, packages that are declared, a line for each fact.
export const name = 'frameworks';

export function check(catalogue) {
  const byId = new Map(catalogue.frameworks.map(({ entry }) => [entry.id, entry]));
  const findings = [];
  for (const { entry, file } of catalogue.frameworks) {
    const say = (message) => findings.push({ file, id: entry.id, message });
    const packages = new Set();
    for (let f = entry, n = 0; f && n < 10; f = byId.get(f.extends), n++) f.packages.forEach((p) => packages.add(p));
    for (const p of Object.keys(entry.current)) if (!packages.has(p)) say(`current names ${p}, which is not among the packages`);
    for (const rule of [...entry.defaults, ...entry.habits]) {
      const what = rule.pointer ?? rule.habit;
      for (const [p, range] of Object.entries(rule.when ?? {})) {
        if (!packages.has(p)) say(`${what}: the rule asks for the version of ${p}, which is not among the packages`);
        const bounds = parseRange(range);
        if (!bounds) say(`${what}: ${range} is not a version range; write ">=4.50", "<4.45" or ">=4.45,<4.50"`);
        else if (bounds.from && bounds.to && compare(bounds.from, bounds.to) >= 0) say(`${what}: no version is in ${range}`);
      }
      const inferred = rule.basis === 'inferred' || rule.basis === 'docs';
      if (!inferred && !/@[0-9a-f]{7,40}( \([^)]*\))? \S+?:\s?\w+/.test(rule.source))
        say(`${what}: the source names no repository@commit path:line`);
    }
  }
  return findings;
}

// ">=4.45,<4.50" -> {from: [4, 45], to: [4, 50]}; null if it is no range.
export function parseRange(text) {
  const m = /^(?:>=(\d+(?:\.\d+)*))?(?:(?:^|,)<(\d+(?:\.\d+)*))?$/.exec(text);
  if (!m || !text) return null;
  const parts = (v) => v?.split('.').map(Number) ?? null;
  return { from: parts(m[1]), to: parts(m[2]) };
}

// Order of two versions: negative, 0 or positive.
export function compare(a, b) {
  for (let i = 0; i < Math.max(a.length, b.length); i++) if ((a[i] ?? 0) !== (b[i] ?? 0)) return (a[i] ?? 0) - (b[i] ?? 0);
  return 0;
}

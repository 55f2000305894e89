// Figures that do not lie where such things lie: "x-plausible" of the entry schemas, which the engine reads of overlays too
// (engine/json/src/plausible.cpp). {"minimum", "maximum", "unit"}; with "each", a member of the entry, the value is divided by it.

/** [{member, value, each, range}] of one entry; member: host.ram_bytes, options.nvme.choices.big.sets.host.nvme_bytes. */
export function implausible(entry, schema) {
  const found = [];
  const walk = (given, value, path) => {
    const s = given?.$ref ? schema.$defs[given.$ref.replace('#/$defs/', '')] : given;
    if (!s || value === null || value === undefined) return;
    if (typeof value === 'number' && s['x-plausible']) {
      const range = s['x-plausible'];
      const each = range.each ? Math.max(1, entry[range.each] ?? 1) : 1;
      if (value / each < range.minimum || value / each > range.maximum) found.push({ member: path.join('.'), value, each, range });
    } else if (Array.isArray(value)) {
      value.forEach((v, i) => walk(s.items, v, [...path, v?.id ?? i]));
    } else if (typeof value === 'object') {
      for (const [k, v] of Object.entries(value)) walk(s.properties?.[k], v, [...path, k]);
    }
  };
  walk(schema, entry, []);
  return found;
}

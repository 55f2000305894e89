// The one way a catalogue file is written: two spaces, members in the order of the schema, short lists of plain values on one line.

const WIDTH = 140;

// Canonical text of a JSON value, with a newline at its end.
export function format(value) {
  return write(value, '') + '\n';
}

// room: columns left on the line for a list in one piece.
function write(value, indent, room = WIDTH - indent.length) {
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const list = Array.isArray(value);
  const entries = list ? value.map((v) => ['', v]) : Object.entries(value);
  const [open, close] = list ? '[]' : '{}';
  if (entries.length === 0) return open + close;
  if (list && value.every((v) => v === null || typeof v !== 'object')) {
    const line = `[${value.map((v) => JSON.stringify(v)).join(', ')}]`;
    if (line.length <= room) return line;
  }
  const inner = indent + '  ';
  const members = entries.map(([k, v], i) => {
    const name = list ? '' : `${JSON.stringify(k)}: `;
    return inner + name + write(v, inner, WIDTH - inner.length - name.length - (i + 1 < entries.length ? 1 : 0));
  });
  return `${open}\n${members.join(',\n')}\n${indent}${close}`;
}

// A framework file: one rule a line, so that a set of rules reads as a table.
export function formatFramework(framework) {
  const lines = Object.entries(framework).map(([k, v]) => {
    if (Array.isArray(v) && v.some((x) => x && typeof x === 'object'))
      return `  ${JSON.stringify(k)}: [\n${v.map((x) => `    ${rule(x)}`).join(',\n')}\n  ]`;
    if (k === 'current')
      return `  ${JSON.stringify(k)}: {\n${Object.entries(v)
        .map(([p, x]) => `    ${JSON.stringify(p)}: ${inline(x)}`)
        .join(',\n')}\n  }`;
    return `  ${JSON.stringify(k)}: ${inline(v)}`;
  });
  return `{\n${lines.join(',\n')}\n}\n`;
}

const rule = (x) => `{ ${inline(x).slice(1, -1)} }`;

function inline(v) {
  if (v === null || typeof v !== 'object') return JSON.stringify(v);
  if (Array.isArray(v)) return `[${v.map(inline).join(', ')}]`;
  return `{${Object.entries(v)
    .map(([k, x]) => `${JSON.stringify(k)}: ${inline(x)}`)
    .join(', ')}}`;
}

// The value with its members in the order in which the schema lists them, deep. Members that the schema does not name keep
// their place at the end. `root` is the schema document in which local $refs are looked up.
export function inSchemaOrder(value, schema, root = schema) {
  if (value === null || typeof value !== 'object' || !schema) return value;
  const s = resolve(schema, root);
  if (Array.isArray(value)) return value.map((v) => inSchemaOrder(v, s.items, root));
  const known = Object.keys(s.properties ?? {});
  const place = (k) => (known.includes(k) ? known.indexOf(k) : known.length);
  const keys = Object.keys(value);
  keys.sort((a, b) => place(a) - place(b) || keys.indexOf(a) - keys.indexOf(b));
  return Object.fromEntries(keys.map((k) => [k, inSchemaOrder(value[k], s.properties?.[k] ?? s.additionalProperties, root)]));
}

function resolve(schema, root) {
  if (schema.$ref?.startsWith('#/'))
    return resolve(
      schema.$ref
        .slice(2)
        .split('/')
        .reduce((s, k) => s[k], root),
      root,
    );
  const branch = (schema.anyOf ?? schema.oneOf)?.find((s) => s.properties || s.items || s.$ref);
  return branch && !schema.properties ? resolve(branch, root) : schema;
}

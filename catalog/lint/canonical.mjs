// Files are written in the one format, entries with their members in the order of the schema. `node catalog/build.mjs --fix` writes them so.
import { format, formatFramework, inSchemaOrder } from '../lib/format.mjs';
import { SCHEMA_OF } from '../lib/catalogue.mjs';

export const name = 'canonical';

export function check(catalogue) {
  return catalogue.files
    .filter((f) => f.text !== canonical(f, catalogue.schemas))
    .map((f) => ({
      file: f.path,
      id: null,
      message: `not in canonical form at line ${firstDifference(f.text, canonical(f, catalogue.schemas))}: run node catalog/build.mjs --fix`,
    }));
}

export function canonical({ data, kind }, schemas) {
  if (!kind) return format(data);
  const schema = schemas[SCHEMA_OF[kind]];
  if (kind === 'frameworks') return formatFramework(inSchemaOrder(data, schema));
  const list = Array.isArray(data[kind]) ? data[kind].map((e) => inSchemaOrder(e, schema)) : data[kind];
  return format({ ...data, [kind]: list });
}

function firstDifference(a, b) {
  const [x, y] = [a.split('\n'), b.split('\n')];
  return x.findIndex((line, i) => line !== y[i]) + 1 || x.length;
}

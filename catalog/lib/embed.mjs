// The embedded form of the catalogue: compact JSON, shared texts once, one model a line (engine/json/src/embedded.h).
import { createHash } from 'node:crypto';
import { SCHEMA_OF } from './catalogue.mjs';
import { licenceTable } from './licences.mjs';
import { Places } from './places.mjs';

export const SHARED_TEXT = new Set([
  'sources',
  'source',
  'params_total_source',
  'release_source',
  'basis_note',
  'note',
  'memory_reported_source',
  'memory_visible_source',
  'memory_source',
  'misleads_source',
]);

// Members of a model that lists show; they stand first, apart from the rest.
const HEAD = ['id', 'hf_id', 'name', 'kind', 'release', 'hf_downloads_month', 'params_total', 'max_position_embeddings', 'basis', 'family'];

// Name of the constant (without k) -> text, in a fixed order.
export function embeddedParts(catalogue, requestSchema) {
  const texts = new Places();
  const entries = (kind) => catalogue[kind].map(({ entry }) => compact(entry, texts, catalogue.schemas[SCHEMA_OF[kind]]));
  const families = [];
  const familyOf = new Map();
  const models = catalogue.models.map(({ entry }) => {
    const { family, owner, licence, ...own } = entry;
    const key = JSON.stringify([family, owner, licence]);
    if (!familyOf.has(key)) {
      familyOf.set(key, families.length);
      families.push(compact({ family, owner, licence }, texts, null));
    }
    const all = { ...compact(own, texts, catalogue.schemas.model), family: familyOf.get(key) };
    const part = (wanted) => JSON.stringify(Object.fromEntries(Object.entries(all).filter(([k]) => HEAD.includes(k) === wanted)));
    return `${part(true)}\t${part(false)}`;
  });
  const parts = {
    Models: models.join('\n') + '\n',
    Families: families,
    Licences: compact(licenceTable(catalogue.tables.licences.licences), texts, null),
    Accelerators: entries('accelerators'),
    Systems: entries('systems'),
    Offers: entries('offers'),
    Frameworks: catalogue.frameworks.map(({ entry }) => entry),
    Glossary: entries('glossary'),
    Rules: entries('rules'),
    Runtime: catalogue.tables.runtime,
    Transformers: catalogue.tables.transformers,
    Calibration: catalogue.tables.calibration,
    Measured: catalogue.measured,
    Releases: Object.fromEntries(Object.entries(catalogue.tables.releases).map(([name, { releases }]) => [name, releases])),
    Texts: texts.list,
    RequestSchema: requestSchema,
    EntrySchemas: entrySchemas(catalogue.schemas),
  };
  for (const [k, v] of Object.entries(parts)) parts[k] = ascii(typeof v === 'string' ? v : JSON.stringify(v));
  const hash = createHash('sha256');
  for (const [k, v] of Object.entries(parts)) if (k !== 'RequestSchema') hash.update(`${k}\0${v}\0`);
  return { Version: hash.digest('hex').slice(0, 12), Date: newestDate(catalogue), ...parts };
}

// Other characters as \\u escapes, so that the bytes are the same whether char has a sign or not.
const ascii = (json) => json.replace(/[\u0080-\uffff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);

// Without nulls, empty lists and members that equal the schema's default; shared texts by their place in the table.
function compact(value, texts, schema, key = '') {
  if (SHARED_TEXT.has(key)) {
    if (typeof value === 'string') return texts.of(value);
    if (Array.isArray(value)) return value.map((v) => texts.of(v));
  }
  if (Array.isArray(value)) return value.map((v) => compact(v, texts, null, ''));
  if (value === null || typeof value !== 'object') return value;
  const out = {};
  for (const [k, v] of Object.entries(value)) {
    if (v === null || (Array.isArray(v) && v.length === 0)) continue;
    if (schema?.properties?.[k] && 'default' in schema.properties[k] && schema.properties[k].default === v) continue;
    out[k] = compact(v, texts, null, k);
  }
  return out;
}

// What the overlay reader needs of the entry schemas: no descriptions.
function entrySchemas(schemas) {
  const bare = (s) => {
    if (Array.isArray(s)) return s.map(bare);
    if (s === null || typeof s !== 'object') return s;
    return Object.fromEntries(
      Object.entries(s)
        .filter(([k, v]) => !(k === 'description' && typeof v === 'string') && !k.startsWith('$schema') && k !== '$id' && k !== 'title')
        .map(([k, v]) => [k, bare(v)]),
    );
  };
  return {
    models: bare(schemas.model),
    accelerators: bare(schemas.accelerator),
    systems: bare(schemas.system),
    offers: bare(schemas.offer),
  };
}

// The newest day that the catalogue names as one on which something was read or valid.
function newestDate(catalogue) {
  let newest = '';
  const walk = (v, key) => {
    if (typeof v === 'string' && (key === 'date' || key === 'read') && /^\d{4}-\d{2}-\d{2}$/.test(v) && v > newest) newest = v;
    else if (v && typeof v === 'object') for (const [k, x] of Object.entries(v)) walk(x, k);
  };
  for (const f of catalogue.files) walk(f.data, '');
  return newest;
}

// C++ source. Texts are arrays of characters, so that no limit on string literals applies.
export function asCpp(parts) {
  const lines = ['// Made by catalog/build.mjs; not to be edited.', '#include "embedded.h"', '', 'namespace tunefit::json::embedded {', ''];
  for (const [name, text] of Object.entries(parts)) {
    const bytes = Buffer.from(text, 'utf8');
    if (bytes.length < 64) {
      lines.push(`const std::string_view k${name} = ${JSON.stringify(text)};`, '');
      continue;
    }
    lines.push(`static constexpr char t${name}[] = {`);
    for (let i = 0; i < bytes.length; i += 40) {
      lines.push([...bytes.subarray(i, i + 40)].join(',') + ',');
    }
    lines.push('};', `const std::string_view k${name}{t${name}, sizeof t${name}};`, '');
  }
  lines.push('}  // namespace tunefit::json::embedded', '');
  return lines.join('\n');
}

// Reads the catalogue's files. Entries come with what their file says of all of them (family, owner, vendor, provider, licence).
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { publishedIds } from './ids.mjs';
import { measuredParts } from './measured.mjs';

export const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');
export const KINDS = ['models', 'accelerators', 'systems', 'offers', 'frameworks', 'glossary', 'rules'];
export const SCHEMA_OF = {
  models: 'model',
  accelerators: 'accelerator',
  systems: 'system',
  offers: 'offer',
  frameworks: 'framework',
  glossary: 'term',
  rules: 'rule',
};

// Members of a file that hold for each of its entries.
const SHARED = { models: ['family', 'owner', 'licence'], accelerators: ['vendor'], offers: ['provider'] };

// Files that are not lists of entries.
const TABLES = {
  runtime: 'accelerators/runtime.json',
  transformers: 'models/transformers.json',
  releases: 'frameworks/releases.json',
  calibration: 'calibration.json',
  licences: 'licences.json',
};

// {models: [{entry, raw, file}], ..., tables: {runtime, transformers, releases, licences}, schemas: {model, ...}, measured: published measurements, files: [{path, text, kind}], broken: [{file, message}]}
// entry: completed by its file; raw: as it stands in the file.
export function loadCatalogue(root = ROOT) {
  const catalogue = { tables: {}, schemas: {}, files: [], broken: [], published: publishedIds(root) };
  Object.defineProperty(catalogue, 'measured', { enumerable: true, get: () => measuredParts(root) }); // read only where it is asked for
  const read = (path) => {
    const text = readFileSync(join(root, path), 'utf8');
    try {
      return { text, data: JSON.parse(text) };
    } catch (e) {
      catalogue.broken.push({ file: path, message: e.message });
      return null;
    }
  };
  for (const name of [...Object.values(SCHEMA_OF), 'licence']) catalogue.schemas[name] = read(`schema/${name}.schema.json`)?.data;
  for (const [name, path] of Object.entries(TABLES)) {
    const file = read(path);
    if (!file) continue;
    catalogue.tables[name] = file.data;
    catalogue.files.push({ path, text: file.text, data: file.data, kind: null });
  }
  for (const kind of KINDS) {
    catalogue[kind] = [];
    for (const name of readdirSync(join(root, kind))
      .filter((n) => n.endsWith('.json'))
      .sort()) {
      const path = `${kind}/${name}`;
      if (Object.values(TABLES).includes(path)) continue;
      const file = read(path);
      if (!file) continue;
      catalogue.files.push({ path, text: file.text, data: file.data, kind });
      catalogue[kind].push(...entriesOf(kind, file.data, path));
    }
  }
  return catalogue;
}

// The entries of one file. A framework file is one entry.
export function entriesOf(kind, data, file) {
  if (kind === 'frameworks') return [{ entry: data, raw: data, file }];
  if (!Array.isArray(data[kind])) return [];
  const shared = Object.fromEntries((SHARED[kind] ?? []).filter((k) => k in data).map((k) => [k, data[k]]));
  return data[kind].map((raw) => ({ entry: { ...shared, ...raw }, raw, file }));
}

// A model's entry with the dimensions of the one it names in dims_of. The schema lists which members those are.
export function withDimensions(entry, byId, schema) {
  const base = entry.dims_of && byId.get(entry.dims_of);
  if (!base) return entry;
  return { ...Object.fromEntries(schema.dimensions.filter((k) => k in base).map((k) => [k, base[k]])), ...entry };
}

// A vendor's own entries for the page: judged by the engine, as a request's catalogue_overlay is, and by the catalogue's linters.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const kKinds = ['models', 'accelerators', 'systems', 'offers'];

/** {name, entries, count}; null without a file. Throws, naming every finding, if anything is wrong. */
export async function readOverlay(file, engine) {
  if (!file) return null;
  const path = resolve(process.env.INIT_CWD ?? '.', file);
  const text = await readFile(path, 'utf8');
  let entries;
  try {
    entries = JSON.parse(text);
  } catch (error) {
    throw new Error(`${file} is no JSON: ${error.message}`, { cause: error });
  }
  const wrong = await findingsOfEngine(entries, engine);
  if (wrong.length === 0) wrong.push(...(await findingsOfLinters(entries)));
  if (wrong.length > 0) throw new Error(`${file} cannot be built in:\n  ${wrong.join('\n  ')}`);
  const count = kKinds.reduce((sum, kind) => sum + (entries[kind]?.length ?? 0), 0);
  return { name: basename(path).replace(/\.json$/, ''), entries, count };
}

async function findingsOfEngine(entries, engine) {
  const create = createRequire(import.meta.url)(fileURLToPath(new URL('tunefit_node.cjs', engine)));
  const door = await create({ wasmBinary: await readFile(new URL('tunefit_node.wasm', engine)) });
  const answer = JSON.parse(door.catalogue(JSON.stringify({ kind: 'frameworks', catalogue_overlay: entries })));
  return (answer.findings ?? []).map(({ pointer, message, hint }) => `${pointer.replace('/catalogue_overlay', '')}: ${message} ${hint}`);
}

/** Linters that find what contradicts itself or cannot be. The others ask for what only the catalogue owes: sources, completeness. */
const kLinters = ['dates', 'layers', 'licences', 'memory', 'mig', 'options', 'parameter_count', 'prices', 'references', 'units'];

/** What they say of the entries among the catalogue's. */
async function findingsOfLinters(entries) {
  const { loadCatalogue } = await import('../../catalog/lib/catalogue.mjs');
  const { findingsOf } = await import('../../catalog/lib/linters.mjs');
  const catalogue = loadCatalogue();
  const file = 'overlay';
  catalogue.files.push({ path: file, text: '', data: entries, kind: null });
  for (const kind of kKinds) {
    const own = (entries[kind] ?? []).map((raw) => ({ entry: completed(kind, raw), raw, file }));
    const replaced = new Set(own.map(({ entry }) => entry.id));
    catalogue[kind] = [...catalogue[kind].filter(({ entry }) => !replaced.has(entry.id)), ...own];
  }
  const findings = await findingsOf(
    catalogue,
    kLinters.map((name) => `${name}.mjs`),
  );
  return findings.filter((finding) => finding.file === file).map(({ id, message, linter }) => `${id}: ${message} [${linter}]`);
}

// A vendor's own model need not have a published count that its dimensions reproduce.
const completed = (kind, entry) =>
  kind === 'models' && !entry.params_total ? { ...entry, diff_note: entry.diff_note ?? 'not published' } : entry;

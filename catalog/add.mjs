// ./dev catalogue add: writes the first form of an entry and lists what is still to be filled in.
//   node catalog/add.mjs model --config config.json --family NAME [--id ID] [--hf-id OWNER/NAME] [--owner NAME] [--licence ID]
//     [--source TEXT] [--revision HEX]
//   node catalog/add.mjs accelerator --id ID --name NAME --vendor NAME [--architecture NAME] [--source TEXT]
//   node catalog/add.mjs system --id ID --name NAME --group GROUP [--vendor NAME] [--accelerator ID --accelerators N] [--nodes N] [--source TEXT]
//   node catalog/add.mjs offer --id ID --name NAME --provider NAME [--accelerator ID --accelerators N] [--nodes N] [--source TEXT]
// Paths are relative to INIT_CWD, the folder of the person who typed the command.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadCatalogue, ROOT, SCHEMA_OF, withDimensions } from './lib/catalogue.mjs';
import { countParameters } from './lib/count.mjs';
import { findingsOf } from './lib/linters.mjs';
import { blankEntry, idOf, modelEntry, place, Refused, SINGULAR } from './lib/scaffold.mjs';
import { canonical } from './lint/canonical.mjs';

const OPTIONS = {
  model: ['config', 'id', 'hf-id', 'owner', 'family', 'licence', 'source', 'revision'],
  accelerator: ['id', 'name', 'vendor', 'architecture', 'source'],
  system: ['id', 'name', 'group', 'vendor', 'accelerator', 'accelerators', 'nodes', 'source'],
  offer: ['id', 'name', 'provider', 'accelerator', 'accelerators', 'nodes', 'source'],
};

function givenOf(words) {
  const [singular, ...rest] = words;
  if (!Object.hasOwn(OPTIONS, singular ?? '')) throw new Refused(`add what? ${Object.keys(OPTIONS).join(', ')}`);
  let values;
  try {
    ({ values } = parseArgs({ args: rest, options: Object.fromEntries(OPTIONS[singular].map((name) => [name, { type: 'string' }])) }));
  } catch (e) {
    throw new Refused(`${e.message}. add ${singular} takes ${OPTIONS[singular].map((name) => `--${name}`).join(', ')}`);
  }
  const given = Object.fromEntries(Object.entries(values).map(([name, value]) => [name.replace('-', '_'), value]));
  for (const count of ['accelerators', 'nodes']) if (given[count] !== undefined) given[count] = wholeNumber(count, given[count]);
  return { kind: SINGULAR[singular], given };
}

function wholeNumber(name, text) {
  if (!/^\d{1,6}$/.test(text)) throw new Refused(`--${name} ${text} is no whole number`);
  return Number(text);
}

// The entry that the engine makes of a config.json. Its warnings are printed; an error is a refusal.
async function readConfig(path) {
  if (!path) throw new Refused("--config is missing: the model's config.json");
  let text;
  try {
    text = readFileSync(resolve(process.env.INIT_CWD ?? '.', path), 'utf8');
  } catch (e) {
    throw new Refused(`${path} cannot be read: ${e.code}`);
  }
  const { load } = await import('../dist/npm/index.mjs');
  const imported = (await load()).import({ kind: 'hf-config', text });
  const say = ({ pointer, message, hint }) => `${path} ${pointer}: ${message} ${hint ?? ''}`.trim();
  if (imported.error) throw new Refused(imported.findings.map(say).join('\n'));
  for (const finding of imported.findings ?? []) console.log(say(finding));
  return { entry: imported.entry, named: JSON.parse(text)._name_or_path };
}

async function modelOf(given, catalogue) {
  const { entry, named } = await readConfig(given.config);
  given.hf_id ??= /^[\w.-]+\/[\w.-]+$/.test(named ?? '') ? named : undefined;
  given.id ??= given.hf_id && idOf(given.hf_id);
  return modelEntry(entry, given, catalogue);
}

async function add(words) {
  const { kind, given } = givenOf(words);
  const before = loadCatalogue();
  if (before.broken.length) throw new Refused(before.broken.map(({ file, message }) => `catalog/${file}: not JSON: ${message}`).join('\n'));
  const schema = before.schemas[SCHEMA_OF[kind]];
  const entry = kind === 'models' ? await modelOf(given, before) : blankEntry(kind, given, schema);
  const file = place(kind, entry, given, before);
  writeFileSync(join(ROOT, file.path), canonical(file, before.schemas));
  console.log(`catalog/${file.path}: ${entry.id} written${file.isNew ? ', a new file' : ''}`);
  await report(kind, entry, file);
}

async function report(kind, { id, dims_of: base }, { path }) {
  const after = loadCatalogue();
  if (base) console.log(`  it has the dimensions of ${base}, so it names that model instead of repeating them`);
  if (kind === 'models') {
    const byId = new Map(after.models.map(({ entry }) => [entry.id, entry]));
    const counted = countParameters(withDimensions(byId.get(id), byId, after.schemas.model));
    console.log(`  its dimensions make ${counted.toLocaleString('en')} parameters; params_total is what its publisher says`);
  }
  const open = (await findingsOf(after)).filter((f) => f.file === path && f.id === id);
  if (open.length) console.log('still to be filled in (./dev catalogue lint names it until it is):');
  for (const { message, linter } of open) console.log(`  ${message} [${linter}]`);
}

try {
  await add(process.argv.slice(2));
} catch (e) {
  if (!(e instanceof Refused)) throw e;
  console.error(e.message);
  process.exitCode = 2;
}

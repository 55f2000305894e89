// From engine/json/schema: the facts about each field that the page shows (labels, limits, choices, help), and the types.
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { typesOf } from '../../wasm/package/types.mjs';

const kSchemas = new URL('../../engine/json/schema/', import.meta.url);
const kRoots = ['model', 'recipe', 'placement'];

export const readSchema = async (name) => JSON.parse(await readFile(new URL(`${name}.schema.json`, kSchemas), 'utf8'));

/** Facts by JSON pointer, for every field under the roots (see web/src/fields/facts.ts). */
export function collectFacts(schema) {
  const facts = {};
  const resolve = (node) => {
    if (!node.$ref) return node;
    const { $ref, ...own } = node;
    const target = $ref
      .slice(2)
      .split('/')
      .reduce((at, part) => at[part], schema);
    return { ...resolve(target), ...own };
  };
  const branches = (node) => (node.anyOf ?? node.oneOf ?? [node]).map(resolve);

  function walk(pointer, raw) {
    const node = resolve(raw);
    const all = branches(node);
    const fact = describe(node, all);
    if (fact.kinds.length > 0) facts[pointer] = fact;
    for (const branch of pointer === '/model' ? [] : all) {
      for (const [name, child] of Object.entries(branch.properties ?? {})) walk(`${pointer}/${name}`, child);
    }
  }
  for (const root of kRoots) walk(`/${root}`, schema.properties[root]);
  return facts;
}

function describe(node, branches) {
  const kinds = new Set();
  const choices = [];
  const fact = {};
  for (const branch of branches) {
    const supported = branch['x-supported'] ?? {};
    for (const type of [branch.type ?? []].flat()) if (type !== 'null') kinds.add(type);
    for (const choice of supported.enum ?? branch.enum ?? []) {
      if (choice === null) continue;
      kinds.add(typeof choice);
      choices.push(choice);
    }
    for (const limit of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
      const value = supported[limit] ?? branch[limit];
      if (value !== undefined) fact[limit] = value;
    }
    const items = branch.items ?? {};
    if (items.enum) fact.items = (items['x-supported']?.enum ?? items.enum).map((value) => [value, items['x-values']?.[value] ?? value]);
  }
  if (choices.length > 0) fact.choices = choices.map((value) => [value, node['x-values']?.[value] ?? value]);
  for (const key of ['title', 'description', 'default']) if (node[key] !== undefined) fact[key] = node[key];
  return { kinds: [...kinds], ...fact };
}

const kEntrySchemas = new URL('../../catalog/schema/', import.meta.url);
const kEntries = { models: 'model', accelerators: 'accelerator', systems: 'system', offers: 'offer' };

/** What each member of a catalogue entry means: kind -> member ("host.ram_bytes") -> description. */
export async function collectMeanings() {
  const meanings = {};
  for (const [kind, name] of Object.entries(kEntries)) {
    const schema = JSON.parse(await readFile(new URL(`${name}.schema.json`, kEntrySchemas), 'utf8'));
    const resolve = (node) => (node.$ref ? { ...schema.$defs[node.$ref.split('/').at(-1)], ...node } : node);
    const walk = (node, path) => {
      for (const [member, raw] of Object.entries(resolve(node).properties ?? {})) {
        const at = path === '' ? member : `${path}.${member}`;
        if (raw.description) (meanings[kind] ??= {})[at] = raw.description;
        walk(raw, at);
      }
    };
    walk(schema, '');
  }
  return meanings;
}

/** Writes the TypeScript types of request and answer, the same as the package's. */
export async function writeTypes(file) {
  await mkdir(new URL('.', file), { recursive: true });
  await writeFile(file, await typesOf(fileURLToPath(kSchemas)));
}

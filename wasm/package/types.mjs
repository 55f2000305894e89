// TypeScript types of the request and the answer, made from the JSON Schemas; never written by hand.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { compile } from 'json-schema-to-typescript';

const roots = { request: 'Request', answer: 'Answer' };
const options = { bannerComment: '', format: true, style: { singleQuote: true, printWidth: 120 }, unreachableDefinitions: false };

/** The text of types.d.ts for the schemas in `folder`. */
export async function typesOf(folder) {
  const parts = [];
  for (const [file, name] of Object.entries(roots)) {
    const schema = JSON.parse(await readFile(join(folder, `${file}.schema.json`), 'utf8'));
    parts.push(await compile(withoutTitles(schema), name, { ...options, cwd: folder }));
  }
  return `// Made from schema/*.schema.json by wasm/package/types.mjs.\n\n${parts.join('\n')}`;
}

// A title is a label for a form; as a type name ("Batch size" -> BatchSize) it would only get in the way. Properties that
// are called title are objects and stay.
function withoutTitles(node) {
  if (Array.isArray(node)) return node.map(withoutTitles);
  if (typeof node !== 'object' || node === null) return node;
  const kept = Object.entries(node).filter(([key, value]) => !((key === 'title' || key === '$id') && typeof value === 'string'));
  return Object.fromEntries(kept.map(([key, value]) => [key, withoutTitles(value)]));
}

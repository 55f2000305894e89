// Checks the catalogue and embeds it.
//   node catalog/build.mjs --check            every linter; findings with file and id, exit status 1 if there are any
//   node catalog/build.mjs --fix              writes every file in canonical form
//   node catalog/build.mjs --embed OUT.cpp    C++ source that holds the catalogue and the request schema (engine/json/src/embedded.h)
//   node catalog/build.mjs --sizes            bytes of the embedded form, raw and compressed
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { KINDS, loadCatalogue, ROOT } from './lib/catalogue.mjs';
import { withNewIds } from './lib/ids.mjs';
import { findingsOf, line, linterFiles, uncanonical } from './lib/linters.mjs';

const [mode, out] = process.argv.slice(2);
const catalogue = loadCatalogue();
for (const { file, message } of catalogue.broken) console.error(`catalog/${file}: not JSON: ${message}`);
if (catalogue.broken.length) process.exit(1);

if (mode === '--check') await check();
else if (mode === '--fix') fix();
else if (mode === '--embed' && out) await embed();
else if (mode === '--sizes') await sizes();
else {
  console.error('usage: node catalog/build.mjs --check | --fix | --embed OUT.cpp | --sizes');
  process.exit(2);
}

async function check() {
  const linters = linterFiles();
  const findings = await findingsOf(catalogue, linters);
  for (const finding of findings) console.error(line(finding));
  const entries = KINDS.map((kind) => `${catalogue[kind].length} ${kind}`).join(', ');
  console.log(`catalogue: ${entries}; ${linters.length} linters, ${findings.length} findings`);
  if (findings.length) process.exit(1);
}

function fix() {
  const files = uncanonical(catalogue);
  for (const { path, text } of files) writeFileSync(join(ROOT, path), text);
  writeFileSync(join(ROOT, 'ids.txt'), withNewIds(catalogue.published ?? [], catalogue));
  console.log(`catalogue: ${files.length} files rewritten`);
}

async function parts() {
  const { embeddedParts } = await import('./lib/embed.mjs');
  const request = JSON.parse(readFileSync(join(ROOT, '../engine/json/schema/request.schema.json'), 'utf8'));
  return embeddedParts(catalogue, request);
}

async function embed() {
  const { asCpp } = await import('./lib/embed.mjs');
  mkdirSync(dirname(out), { recursive: true });
  writeFileSync(out, asCpp(await parts()));
}

async function sizes() {
  const all = await parts();
  const row = (name, text) =>
    console.log(
      name.padEnd(16),
      ...[Buffer.byteLength(text), gzipSync(text, { level: 9 }).length, brotliCompressSync(text).length].map((n) => String(n).padStart(8)),
    );
  console.log('part'.padEnd(16), '     raw', '    gzip', '  brotli');
  for (const [name, text] of Object.entries(all)) row(name, text);
  row('all', Object.values(all).join('\n'));
}

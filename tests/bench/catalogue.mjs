// What the embedded catalogue costs: its bytes in the module and in the saved page, and a module that holds almost none,
// to time against. The parts are found in the module itself, so that the figures are those of what ships.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { KINDS, loadCatalogue } from '../../catalog/lib/catalogue.mjs';
import { embeddedParts } from '../../catalog/lib/embed.mjs';

/** Most bytes that the catalogue may add to the compressed module, and milliseconds to its start (an aim; only bytes are tested). */
export const kMostBytes = 120_000;
export const kMostMilliseconds = 20;

// The request's schema is there without any catalogue; version and date are a line; the measurements have a line of their own.
const kNotCatalogue = ['RequestSchema', 'Version', 'Date', 'Measured'];

/** Entries that an almost empty catalogue keeps: what the page's first request and the benchmark's name, and what they refer to. */
const kKept = {
  models: ['llama-3.1-8b'],
  accelerators: ['nvidia-rtx-4090', 'nvidia-a100-80gb-sxm'],
  frameworks: ['transformers', 'trl', 'peft'],
};

function partsOf(root, catalogue) {
  const request = JSON.parse(readFileSync(join(root, 'engine/json/schema/request.schema.json'), 'utf8'));
  return Object.entries(embeddedParts(catalogue, request)).filter(([name]) => !kNotCatalogue.includes(name));
}

/** [{name, bytes, from}]: the parts of the catalogue of the working tree and where they stand in the module. */
function locate(root, wasm) {
  return partsOf(root, loadCatalogue(join(root, 'catalog'))).map(([name, text]) => {
    const bytes = Buffer.from(text, 'utf8');
    const from = wasm.indexOf(bytes);
    if (from < 0) throw new Error(`${name} of the catalogue is not in the module: it was built from other facts. Run ./dev build`);
    return { name, bytes, from };
  });
}

/** Bytes of the published measurements as compiled in, raw and compressed. */
export function measuredBytes(root) {
  const text = JSON.stringify(loadCatalogue(join(root, 'catalog')).measured);
  return { raw: Buffer.byteLength(text), ...compressed(Buffer.from(text)) };
}

const compressed = (bytes) => ({ gzip: gzipSync(bytes, { level: 9 }).length, brotli: brotliCompressSync(bytes).length });
const base64 = (bytes) => 4 * Math.ceil(bytes / 3);

/** Bytes by which the module is larger for the catalogue: raw, compressed, and in the saved page (gzip, then base64). */
export function catalogueBytes(root, wasm) {
  const parts = locate(root, wasm).sort((a, b) => a.from - b.from);
  const rest = [];
  let at = 0;
  for (const { bytes, from } of parts) {
    rest.push(wasm.subarray(at, from));
    at = from + bytes.length;
  }
  const [whole, without] = [wasm, Buffer.concat([...rest, wasm.subarray(at)])].map((bytes) => ({
    raw: bytes.length,
    ...compressed(bytes),
  }));
  const less = (key) => whole[key] - without[key];
  return { raw: less('raw'), gzip: less('gzip'), brotli: less('brotli'), page: base64(whole.gzip) - base64(without.gzip) };
}

/**
 * The module with almost no catalogue: each part in its place, shorter, filled up with spaces, which JSON ignores. With
 * `accelerators` all of those stay, so that a page has the same first result to compute.
 */
export function almostEmpty(root, wasm, { accelerators = false } = {}) {
  const catalogue = loadCatalogue(join(root, 'catalog'));
  const stays = (kind, { id }) => kKept[kind]?.includes(id) || (accelerators && kind === 'accelerators');
  for (const kind of KINDS) catalogue[kind] = catalogue[kind].filter(({ entry }) => stays(kind, entry));
  const small = new Map(partsOf(root, catalogue));
  const out = Buffer.from(wasm);
  for (const { name, bytes, from } of locate(root, wasm)) {
    const text = Buffer.from(small.get(name).trimEnd(), 'utf8');
    if (text.length > bytes.length) throw new Error(`${name} grew`);
    const end = bytes.at(-1) === 10 ? 1 : 0; // lists of lines end with one
    out.fill(32, from, from + bytes.length - end);
    text.copy(out, from);
  }
  return out;
}

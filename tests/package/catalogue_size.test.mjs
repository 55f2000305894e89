// What the catalogue adds, compressed as the saved page holds it, stays within its budget; ./dev bench prints that, what the text form of
// the page (base64) makes of it, and the time.
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { load } from '../../dist/npm/index.mjs';
import { almostEmpty, catalogueBytes, kMostBytes } from '../bench/catalogue.mjs';
import { withModule } from '../bench/almost_empty_page.mjs';
import { request, root } from './installed.mjs';

let wasm;
before(async () => (wasm = await readFile(join(root, 'dist/npm/tunefit.wasm'))));

test('the catalogue is at most 120 KB of the compressed module', () => {
  const { raw, gzip, page } = catalogueBytes(root, wasm);
  assert.ok(gzip <= kMostBytes, `${gzip} bytes`);
  assert.ok(raw > 500_000 && gzip > 50_000 && page > gzip, 'the measure itself: the catalogue is in the module');
});

test('the module that is timed against has hardly any catalogue, and works', async () => {
  const [whole, bare] = [await load({ wasmBinary: wasm }), await load({ wasmBinary: almostEmpty(root, wasm) })];
  const ids = (engine, kind) => engine.catalogue({ kind }).map(({ id }) => id);
  assert.deepEqual(ids(bare, 'models'), ['llama-3.1-8b']);
  assert.deepEqual(ids(bare, 'systems'), []);
  const { memory } = bare.size(request);
  assert.deepEqual(memory, whole.size(request).memory);
  const fitting = await load({ wasmBinary: almostEmpty(root, wasm, { accelerators: true }) });
  assert.deepEqual(ids(fitting, 'accelerators'), ids(whole, 'accelerators'));
});

test('a page gets another module and the policy that goes with it', () => {
  const [old, now] = ['old module', 'new module'].map((text) => Buffer.from(text));
  const script = (bytes) => `start("${gzipSync(bytes, { level: 9 }).toString('base64')}")`;
  const hash = (text) => createHash('sha256').update(text).digest('base64');
  const page = (bytes) => `<meta content="script-src 'sha256-${hash(script(bytes))}'" /><script>${script(bytes)}</script>`;
  assert.equal(withModule(page(old), old, now), page(now));
  assert.throws(() => withModule(page(now), old, now), /holds another module/);
});

// The package in Node.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { wrap } from './engine.mjs';

const createTunefit = createRequire(import.meta.url)('./glue.cjs');

/** Loads a new engine. The module's bytes are read from the file beside this one unless given. */
export async function load({ wasmBinary } = {}) {
  wasmBinary ??= await readFile(new URL('./tunefit.wasm', import.meta.url));
  return wrap(await createTunefit({ wasmBinary }));
}

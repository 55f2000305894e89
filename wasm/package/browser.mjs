// The package in a window, a worker or a bundler.
import createTunefit from './glue.mjs';
import { wrap } from './engine.mjs';

/**
 * Loads a new engine.
 * wasmBinary: the module's bytes; with them nothing is fetched, as a page under connect-src 'none' needs it.
 * wasmUrl: where tunefit.wasm is, if not beside this file.
 */
export async function load({ wasmBinary, wasmUrl } = {}) {
  const url = String(wasmUrl ?? new URL('./tunefit.wasm', import.meta.url));
  return wrap(await createTunefit(wasmBinary ? { wasmBinary } : { locateFile: () => url }));
}

// Bytes of what ships, raw and as a server compresses it.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

function* files(path) {
  if (!existsSync(path)) return;
  if (statSync(path).isFile()) yield path;
  else for (const name of readdirSync(path).sort()) yield* files(join(path, name));
}

/** Rows [file, raw, brotli] of the shipped files under dist/. */
export function sizes(root) {
  const shipped = ['npm/tunefit.wasm', 'npm/glue.mjs', 'npm/glue.cjs', 'site', 'embed', 'tunefit.html'];
  const found = shipped.flatMap((path) => [...files(join(root, 'dist', path))]);
  return found.map((file) => {
    const bytes = readFileSync(file);
    return [file.slice(root.length), bytes.length.toLocaleString('en'), brotliCompressSync(bytes).length.toLocaleString('en')];
  });
}

// FILE as readFiles() takes it: a name, and slices that are read when they are asked for.
import { access, constants, open, stat } from 'node:fs/promises';
import { readBytes, reading } from './input.mjs';

/** Throws Wrong: missing, a directory, not to be read; of standard input and pipes also too large. */
export async function sourceOf(file) {
  let about;
  try {
    about = file === '-' ? null : await stat(file);
    if (about?.isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
    if (about) await access(file, constants.R_OK);
  } catch (fault) {
    throw reading(file, fault);
  }
  if (!about?.isFile()) return Object.assign(new Blob([await readBytes(file)]), { name: file === '-' ? 'standard input' : file });
  return { name: file, size: about.size, slice: (from, to) => ({ arrayBuffer: () => readSlice(file, from, to) }) };
}

async function readSlice(file, from, to) {
  const handle = await open(file);
  try {
    const bytes = new Uint8Array(to - from);
    let filled = 0;
    while (filled < bytes.length) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, from + filled);
      if (bytesRead === 0) break; // the file became shorter
      filled += bytesRead;
    }
    return bytes.buffer.slice(0, filled);
  } finally {
    await handle.close();
  }
}

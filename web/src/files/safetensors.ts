// The header of a safetensors file: 8 bytes with its length, then JSON. Format: huggingface/safetensors README.
import type { Tensors } from './tensors';
import { Malformed, type Source, Window } from './window';

const kLongestHeader = 100_000_000; // the format's own limit

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Adds the tensors that a file's header names; gives the bytes that the file lacks at its end. Throws Malformed. */
export async function readSafetensors(file: Source, tensors: Tensors): Promise<number> {
  const window = new Window(file);
  const length = await window.u64('The length of the header');
  if (length < 2 || length > kLongestHeader)
    throw new Malformed(
      'not_safetensors',
      `The header would be ${String(length)} bytes long: this is no safetensors file.`,
      'a file that ends in .safetensors and was saved as such',
    );
  await window.fill(length);
  let header: unknown;
  try {
    header = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(window.take(length)));
  } catch {
    throw new Malformed('not_json', 'The header of the file is not JSON.', 'a safetensors file as it was saved');
  }
  if (!isObject(header)) throw new Malformed('wrong_type', 'The header of the file is no object.', 'a safetensors file as it was saved');

  let end = 0;
  for (const [name, tensor] of Object.entries(header)) {
    if (name === '__metadata__') continue;
    const given = isObject(tensor) ? tensor : {};
    tensors.add(name, given['dtype'] ?? null, given['shape'] ?? null);
    const offsets: unknown = given['data_offsets'];
    const last: unknown = Array.isArray(offsets) ? offsets[1] : 0;
    if (typeof last === 'number') end = Math.max(end, last);
  }
  return 8 + length + end - file.size;
}

// Metadata and tensor infos of a GGUF file, versions 2 and 3. Format: ggml-org/ggml docs/gguf.md.
import type { Tensors } from './tensors';
import { Malformed, type Source, Window } from './window';

const kMostValues = 100_000; // metadata fields
const kMostTensors = 1_000_000;
const kLongestName = 65_535;
const kLongestText = 16 << 20;
const kMostKept = 64; // longer lists are kept as their length: tokens, merges, scores
const kMostListed = 4_000_000;
const kMostDimensions = 8;

// Bytes of the fixed-size value types, by number; 8 is a text, 9 a list.
const kBytes: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8 };
const kText = 8;
const kList = 9;

const kTypes: Readonly<Record<number, string>> = {
  0: 'F32',
  1: 'F16',
  2: 'Q4_0',
  3: 'Q4_1',
  6: 'Q5_0',
  7: 'Q5_1',
  8: 'Q8_0',
  9: 'Q8_1',
  10: 'Q2_K',
  11: 'Q3_K',
  12: 'Q4_K',
  13: 'Q5_K',
  14: 'Q6_K',
  15: 'Q8_K',
  16: 'IQ2_XXS',
  17: 'IQ2_XS',
  18: 'IQ3_XXS',
  19: 'IQ1_S',
  20: 'IQ4_NL',
  21: 'IQ3_S',
  22: 'IQ2_S',
  23: 'IQ4_XS',
  24: 'I8',
  25: 'I16',
  26: 'I32',
  27: 'I64',
  28: 'F64',
  29: 'IQ1_M',
  30: 'BF16',
  34: 'TQ1_0',
  35: 'TQ2_0',
  39: 'MXFP4',
};

export type Value = number | string | boolean | readonly Value[] | { readonly length: number };

const decoder = new TextDecoder();

async function text(window: Window, most: number, what: string): Promise<string> {
  const length = await window.u64(`The length of ${what}`);
  if (length > most) throw new Malformed('out_of_range', `${what} would be ${String(length)} bytes long.`, `at most ${String(most)} bytes`);
  if (!window.has(length)) await window.fill(length);
  return decoder.decode(window.take(length));
}

function number(bytes: Uint8Array, type: number): number | boolean {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  switch (type) {
    case 0:
      return view.getUint8(0);
    case 1:
      return view.getInt8(0);
    case 2:
      return view.getUint16(0, true);
    case 3:
      return view.getInt16(0, true);
    case 4:
      return view.getUint32(0, true);
    case 5:
      return view.getInt32(0, true);
    case 6:
      return view.getFloat32(0, true);
    case 7:
      return view.getUint8(0) !== 0;
    case 10:
      return Number(view.getBigUint64(0, true));
    case 11:
      return Number(view.getBigInt64(0, true));
    default:
      return view.getFloat64(0, true);
  }
}

async function list(window: Window, key: string): Promise<Value> {
  const type = await window.u32();
  const length = await window.u64(`The length of ${key}`);
  const bytes = kBytes[type];
  if ((bytes === undefined && type !== kText) || length > kMostListed)
    throw new Malformed(
      'out_of_range',
      `The list ${key} has ${String(length)} entries of type ${String(type)}.`,
      'a list of numbers or texts',
    );
  if (length > kMostKept && bytes !== undefined) {
    window.skip(bytes * length);
    return { length };
  }
  const values: Value[] = [];
  for (let i = 0; i < length; i += 1) {
    if (type === kText) {
      const size = await window.u64(`The length of ${key}`);
      if (!window.has(size)) await window.fill(size);
      const entry = window.take(size);
      if (length <= kMostKept) values.push(decoder.decode(entry));
    } else {
      values.push(await value(window, type, key));
    }
  }
  return length > kMostKept ? { length } : values;
}

async function value(window: Window, type: number, key: string): Promise<Value> {
  if (type === kText) return text(window, kLongestText, key);
  if (type === kList) return list(window, key);
  const bytes = kBytes[type];
  if (bytes === undefined)
    throw new Malformed('out_of_range', `${key} is of the unknown type ${String(type)}.`, 'a GGUF file of version 2 or 3');
  if (!window.has(bytes)) await window.fill(bytes);
  return number(window.take(bytes), type);
}

async function tensor(window: Window, tensors: Tensors): Promise<void> {
  const name = await text(window, kLongestName, 'The name of a tensor');
  const dimensions = await window.u32();
  if (dimensions > kMostDimensions)
    throw new Malformed('out_of_range', `The tensor ${name} has ${String(dimensions)} dimensions.`, `at most ${String(kMostDimensions)}`);
  const shape: number[] = [];
  for (let i = 0; i < dimensions; i += 1) shape.push(await window.u64(`A dimension of ${name}`));
  const type = await window.u32();
  await window.u64(`The place of ${name}`);
  tensors.add(name, kTypes[type] ?? `type ${String(type)}`, shape);
}

/** Metadata of a file, its tensors added. Throws Malformed. */
export async function readGguf(file: Source, tensors: Tensors): Promise<Record<string, Value>> {
  const window = new Window(file);
  await window.fill(4);
  if (decoder.decode(window.take(4)) !== 'GGUF') throw new Malformed('not_gguf', 'The file does not begin with GGUF.', 'a GGUF file');
  const version = await window.u32();
  if (version !== 2 && version !== 3) {
    const big = version === 0x02000000 || version === 0x03000000;
    throw new Malformed(
      'unsupported_version',
      big ? 'The file is a big-endian GGUF.' : `The file is a GGUF of version ${String(version)}.`,
      'a little-endian GGUF file of version 2 or 3',
    );
  }
  const count = await window.u64('The number of tensors');
  const fields = await window.u64('The number of metadata fields');
  if (count > kMostTensors || fields > kMostValues)
    throw new Malformed(
      'out_of_range',
      `The file would hold ${String(count)} tensors and ${String(fields)} fields.`,
      'a GGUF file of a model',
    );
  const metadata = new Map<string, Value>();
  for (let i = 0; i < fields; i += 1) {
    const key = await text(window, kLongestName, 'The name of a field');
    metadata.set(key, await value(window, await window.u32(), key));
  }
  for (let i = 0; i < count; i += 1) await tensor(window, tensors);
  return Object.fromEntries(metadata);
}

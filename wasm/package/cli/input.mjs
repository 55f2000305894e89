// Files and standard input as text, with errors a person understands.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { errorDocument } from '../engine.mjs';

/** The input is wrong; .document is what is printed. */
export class Wrong extends Error {
  constructor(code, message, hint) {
    super(message);
    this.document = errorDocument(code, message, hint);
  }
}

// Far above any request, config.json or overlay; far below what a JavaScript string can hold.
export const largest = 64 * 2 ** 20;

const tooLarge = (name) =>
  new Wrong('file_too_large', `${name} is larger than ${largest / 2 ** 20} MiB.`, 'A request or a config.json is a few kilobytes of JSON.');

const reasons = {
  ENOENT: ['file_not_found', 'does not exist.', 'Check the path.'],
  EISDIR: ['file_is_directory', 'is a directory.', 'Name a file.'],
  EACCES: ['file_unreadable', 'may not be read.', 'Check its permissions.'],
};

export function reading(name, fault) {
  if (fault instanceof Wrong) return fault;
  const [code, what, hint] = reasons[fault.code] ?? [
    'file_unreadable',
    `cannot be read: ${fault.code ?? fault.message}.`,
    'Check the path.',
  ];
  return new Wrong(code, `${name} ${what}`, hint);
}

/** Opens FILE, or standard input for "-". Throws Wrong when it cannot be. */
export async function open(file) {
  if (file === '-') return process.stdin;
  try {
    if ((await stat(file)).isDirectory()) throw Object.assign(new Error(), { code: 'EISDIR' });
  } catch (fault) {
    throw reading(file, fault);
  }
  return createReadStream(file, { highWaterMark: 2 ** 16 });
}

const nameOf = (file) => (file === '-' ? 'standard input' : file);

/** Bytes as text: UTF-8 with or without byte order mark, or the UTF-16 that Windows shells write. */
export function decode(bytes) {
  const utf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return new TextDecoder(utf16 ? 'utf-16le' : 'utf-8').decode(bytes);
}

/** The whole of FILE. Throws Wrong: missing, a directory, unreadable, too large. */
export async function readBytes(file) {
  const chunks = [];
  let size = 0;
  try {
    for await (const chunk of await open(file)) {
      size += chunk.length;
      if (size > largest) throw tooLarge(nameOf(file));
      chunks.push(chunk);
    }
  } catch (fault) {
    throw reading(nameOf(file), fault);
  }
  return Buffer.concat(chunks);
}

/** The whole of FILE as text. Throws Wrong, also where it is empty. */
export async function readText(file) {
  const text = decode(await readBytes(file));
  if (!text.trim()) throw new Wrong('file_empty', `${nameOf(file)} is empty.`, 'It should hold JSON.');
  return text;
}

/** FILE as a JSON object; Wrong says where the text stops being JSON. */
export async function readObject(file) {
  const text = await readText(file);
  let value;
  try {
    value = JSON.parse(text);
  } catch (fault) {
    throw new Wrong('not_json', `${nameOf(file)} is not JSON: ${fault.message.slice(0, 120)}.`, 'Check brackets, quotes and commas.');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Wrong('not_an_object', `${nameOf(file)} holds no JSON object.`, 'It should begin with {.');
  }
  return value;
}

/** Lines of FILE as { text } or, where one is longer than any request, { tooLong: true }. Blank lines are left out. */
export async function* readLines(file) {
  let parts = [];
  let size = 0;
  const take = () => {
    const line = size > largest ? { tooLong: true } : { text: decode(Buffer.concat(parts)).trim() };
    parts = [];
    size = 0;
    return line;
  };
  const add = (bytes) => {
    size += bytes.length;
    if (size > largest) parts = [];
    else parts.push(bytes);
  };
  try {
    for await (const chunk of await open(file)) {
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        add(chunk.subarray(from, at));
        from = at + 1;
        const line = take();
        if (line.tooLong || line.text) yield line;
      }
      add(chunk.subarray(from));
    }
  } catch (fault) {
    throw reading(nameOf(file), fault);
  }
  const last = take();
  if (last.tooLong || last.text) yield last;
}

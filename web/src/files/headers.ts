// Files of a model as they are dropped on the page -> calls of `import`. Of files with weights only the header is read.
import type { Finding } from '../contract';
import { readGguf } from './gguf';
import type { Value } from './gguf';
import { readSafetensors } from './safetensors';
import { pattern, Tensors } from './tensors';
import { Malformed, type Source } from './window';

/** A file and its name. */
export interface Named extends Source {
  readonly name: string;
}

export interface ImportCall {
  readonly kind: 'hf-config' | 'safetensors-index' | 'safetensors-header' | 'gguf';
  readonly text: string;
  /** What the file calls its model. */
  readonly name?: string;
  /** Names of the files it was read from. */
  readonly files: readonly string[];
}

export interface ReadFiles {
  readonly calls: readonly ImportCall[];
  readonly findings: readonly Finding[];
}

const kLongestText = 16 << 20; // the engine's own limit
const kLongestIndex = 64 << 20; // gets shorter before the engine sees it
const kStart = 1 << 16;
const kMostFiles = 2000;

const problem = (severity: 'error' | 'warning', code: string, message: string, hint: string): Finding => ({
  severity,
  code,
  pointer: '',
  message,
  hint,
});

const size = new Intl.NumberFormat('en');

/** Bytes as text: UTF-8, or the UTF-16 that Windows shells write. */
function decode(bytes: Uint8Array): string {
  return new TextDecoder(bytes[0] === 0xff && bytes[1] === 0xfe ? 'utf-16le' : 'utf-8').decode(bytes);
}

const bytesOf = async (file: Named, to: number): Promise<Uint8Array> =>
  new Uint8Array(await file.slice(0, Math.min(to, file.size)).arrayBuffer());

/** What a file is, by its name and its first bytes. */
async function kindOf(file: Named): Promise<'gguf' | 'safetensors' | 'json' | 'unknown'> {
  const start = await bytesOf(file, 64);
  const letters = String.fromCharCode(...start);
  if (letters.startsWith('GGUF')) return 'gguf';
  if (decode(start).trimStart().startsWith('{')) return 'json';
  if (file.name.endsWith('.safetensors') || (start.length > 8 && letters[8] === '{')) return 'safetensors';
  return file.name.endsWith('.gguf') ? 'gguf' : file.name.endsWith('.json') ? 'json' : 'unknown';
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null; // the engine says where the JSON breaks
  }
}

/** JSON as an import: an index (names shortened to patterns), else a config.json, which the engine judges. */
export function callOfJson(text: string, files: readonly string[]): ImportCall {
  const index = text.includes('"weight_map"') ? parsed(text) : null;
  if (!isObject(index) || !isObject(index['weight_map'])) return { kind: 'hf-config', text, files };
  const names = Object.keys(index['weight_map']);
  const short = Object.fromEntries(names.map((name) => [pattern(name), '']));
  return {
    kind: 'safetensors-index',
    text: JSON.stringify({ metadata: index['metadata'], tensors: names.length, weight_map: short }),
    files,
  };
}

// The first bytes of a long file tell whether it may be an index; the rest is read only then.
async function readJson(file: Named): Promise<ImportCall> {
  const isIndex = file.size > kLongestText && decode(await bytesOf(file, kStart)).includes('"weight_map"');
  if (file.size > (isIndex ? kLongestIndex : kLongestText))
    throw new Malformed(
      'too_large',
      `The file has ${size.format(file.size)} bytes and was not read.`,
      'a config.json has a few thousand bytes, an index some million',
    );
  return callOfJson(decode(await bytesOf(file, file.size)), [file.name]);
}

/**
 * Reads what was dropped. Files of the same kind are parts of one model and are put together; each file that cannot be read
 * gives a finding, the others are still read.
 */
export async function readFiles(files: readonly Named[]): Promise<ReadFiles> {
  const findings: Finding[] = [];
  const calls: ImportCall[] = [];
  const weights = new Tensors();
  const gguf = new Tensors();
  const unknown: string[] = [];
  const from: { weights: string[]; gguf: string[] } = { weights: [], gguf: [] };
  let metadata: Record<string, Value> | null = null;
  if (files.length > kMostFiles) {
    findings.push(problem('error', 'too_many', `${String(files.length)} files were given.`, `at most ${String(kMostFiles)}`));
    return { calls, findings };
  }
  if (files.length === 0) findings.push(problem('error', 'no_files', 'No file was given.', 'the files of a model'));
  for (const file of files) {
    try {
      switch (await kindOf(file)) {
        case 'safetensors': {
          const lacking = await readSafetensors(file, weights);
          from.weights.push(file.name);
          if (lacking > 0)
            findings.push(
              problem(
                'warning',
                'truncated',
                `${file.name}: ${String(lacking)} bytes are missing at its end; its header is counted all the same.`,
                'the whole file; a download may have broken off',
              ),
            );
          break;
        }
        case 'gguf': {
          const read = await readGguf(file, gguf);
          from.gguf.push(file.name);
          if (!metadata || 'general.architecture' in read) metadata = read;
          break;
        }
        case 'json':
          calls.push(await readJson(file));
          break;
        default:
          unknown.push(file.name);
      }
    } catch (error) {
      const known =
        error instanceof Malformed ? error : new Malformed('unreadable', 'The file could not be read.', 'a file on this machine');
      findings.push(problem('error', known.code, `${file.name}: ${known.message}`, known.hint));
    }
  }
  for (const name of new Set([...weights.twice, ...gguf.twice].slice(0, 20)))
    findings.push(problem('warning', 'tensor_twice', `The tensor ${name} is in two files; it is counted once.`, 'the files of one model'));
  if (weights.size === 0)
    for (const name of from.weights)
      findings.push(problem('error', 'no_tensors', `${name}: The header names no tensor.`, 'a file with the weights of a model'));
  else calls.push({ kind: 'safetensors-header', text: JSON.stringify({ tensors: weights.list() }), files: from.weights });
  if (metadata) {
    const name = metadata['general.name'];
    const text = JSON.stringify({ metadata, tensors: gguf.list() });
    calls.push({ kind: 'gguf', text, files: from.gguf, ...(typeof name === 'string' ? { name } : {}) });
  }
  // Beside the files of a model its README does no harm.
  for (const name of unknown)
    findings.push(
      problem(
        calls.length > 0 ? 'warning' : 'error',
        'unknown_file',
        `${name}: The file is of no kind that is known here.`,
        'config.json, *.safetensors, its index, or *.gguf',
      ),
    );
  return { calls, findings };
}

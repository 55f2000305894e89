// Files of a model as they are dropped on the page -> calls of `import`. Of files with weights only the header is read.
import type { Finding } from '../contract';
import { readGguf } from './gguf';
import type { Value } from './gguf';
import { readSafetensors } from './safetensors';
import { pattern, Tensors } from './tensors';
import { Malformed } from './window';

/** A file and its name. */
export interface Named extends Blob {
  readonly name: string;
}

export interface ImportCall {
  readonly kind: 'hf-config' | 'safetensors-index' | 'safetensors-header' | 'gguf';
  readonly text: string;
}

export interface ReadFiles {
  readonly calls: readonly ImportCall[];
  readonly findings: readonly Finding[];
}

const kLongestJson = 64 << 20;
const kMostFiles = 2000;

const problem = (severity: 'error' | 'warning', code: string, message: string, hint: string): Finding => ({
  severity,
  code,
  pointer: '',
  message,
  hint,
});

/** What a file is, by its name and its first bytes. */
async function kindOf(file: Named): Promise<'gguf' | 'safetensors' | 'json' | 'unknown'> {
  const start = new Uint8Array(await file.slice(0, 16).arrayBuffer());
  const letters = String.fromCharCode(...start);
  if (letters.startsWith('GGUF')) return 'gguf';
  if (letters.trimStart().startsWith('{')) return 'json';
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

/** A JSON file as an import: an index (names shortened to patterns), else a config.json, which the engine judges. */
async function readJson(file: Named): Promise<ImportCall> {
  if (file.size > kLongestJson)
    throw new Malformed('too_large', `The file has ${String(file.size)} bytes.`, 'a config.json or model.safetensors.index.json');
  const text = await file.text();
  const index = text.includes('"weight_map"') ? parsed(text) : null;
  if (!isObject(index) || !isObject(index['weight_map'])) return { kind: 'hf-config', text };
  const names = Object.keys(index['weight_map']);
  const short = Object.fromEntries(names.map((name) => [pattern(name), '']));
  return { kind: 'safetensors-index', text: JSON.stringify({ metadata: index['metadata'], tensors: names.length, weight_map: short }) };
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
  let metadata: Record<string, Value> | null = null;
  if (files.length > kMostFiles) {
    findings.push(problem('error', 'too_many', `${String(files.length)} files were given.`, `at most ${String(kMostFiles)}`));
    return { calls, findings };
  }
  for (const file of files) {
    try {
      switch (await kindOf(file)) {
        case 'safetensors': {
          const lacking = await readSafetensors(file, weights);
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
          if (!metadata || 'general.architecture' in read) metadata = read;
          break;
        }
        case 'json':
          calls.push(await readJson(file));
          break;
        default:
          throw new Malformed(
            'unknown_file',
            'The file is of no kind that is known here.',
            'config.json, *.safetensors, its index, or *.gguf',
          );
      }
    } catch (error) {
      const known =
        error instanceof Malformed ? error : new Malformed('unreadable', 'The file could not be read.', 'a file on this machine');
      findings.push(problem('error', known.code, `${file.name}: ${known.message}`, known.hint));
    }
  }
  for (const name of new Set([...weights.twice, ...gguf.twice].slice(0, 20)))
    findings.push(problem('warning', 'tensor_twice', `The tensor ${name} is in two files; it is counted once.`, 'the files of one model'));
  if (weights.size > 0) calls.push({ kind: 'safetensors-header', text: JSON.stringify({ tensors: weights.list() }) });
  if (metadata) calls.push({ kind: 'gguf', text: JSON.stringify({ metadata, tensors: gguf.list() }) });
  return { calls, findings };
}

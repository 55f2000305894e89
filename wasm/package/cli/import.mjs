// import [KIND] FILE...: the files of one model as a request.
import { readFiles } from '../files.mjs';
import { importRead } from '../import_files.mjs';
import { stat } from 'node:fs/promises';
import { readText, Wrong } from './input.mjs';
import { fail, writeJson } from './output.mjs';
import { sourceOf } from './source.mjs';

const kinds = ['hf-config', 'safetensors-header', 'safetensors-index', 'gguf'];

export async function importFiles(engine, call) {
  const { kind, files } = await split(call.operands);
  const result = await importRead(kind ? await ofKind(kind, files) : await readFiles(await sources(files)), engine.import);
  if (result.error) return fail(result);
  await writeJson(result);
  return 0;
}

const sources = (files) => Promise.all(files.map(sourceOf));

// A plain word before a file that is no file itself is meant as a kind; the engine names those there are.
async function split(operands) {
  const [first, ...rest] = operands;
  if (kinds.includes(first)) {
    if (rest.length === 0) throw new Wrong('usage', 'import needs FILE.', 'tunefit help lists the commands.');
    return { kind: first, files: rest };
  }
  const isWord = rest.length > 0 && /^[\w-]+$/.test(first) && !(await stat(first).catch(() => null));
  return isWord ? { kind: first, files: rest } : { files: operands };
}

async function ofKind(kind, files) {
  const [file] = files;
  // Whatever text it is, the engine says what is wrong with it.
  if (kind === 'hf-config' || !kinds.includes(kind)) {
    if (files.length > 1)
      throw new Wrong('usage', `import ${kind} takes one file.`, 'tunefit import FILE... puts files of one model together.');
    return { calls: [{ kind, text: await readText(file), files }], findings: [] };
  }
  const read = await readFiles(await sources(files));
  // The JSON of a header, cut out of its file, is a header all the same.
  const isHeader = kind !== 'safetensors-index';
  const calls = read.calls.map((one) => (isHeader && one.kind === 'hf-config' ? { ...one, kind } : one));
  const other = calls.find((one) => one.kind !== kind);
  if (other)
    throw new Wrong('wrong_kind', `${other.files[0]} is no ${kind} but ${other.kind}.`, `tunefit import ${other.kind} ${other.files[0]}`);
  return { ...read, calls };
}

// Words of the command line to a call: { command, ...options }.
import { Wrong } from './input.mjs';

export const usage = `tunefit: what a fine-tuning run needs

  tunefit size FILE|-         size the request in FILE (- is standard input) and print the answer as JSON
    --text                    print it for a person
    --check                   exit with 1 when the answer is "no"
    --want A,B                only these parts of the answer, e.g. memory,explain
    --overlay FILE            add catalogue entries of your own: { "models": [], "accelerators": [], "systems": [], "offers": [] }
    --skip-wrong              leave out overlay entries that are wrong, each told on standard error; without it they are an error
  tunefit size --jsonl FILE|- one request per line in, one answer per line out, in order; a wrong line gives an error line;
                              a line { "id": ..., "request": {...} } gives { "id": ..., "answer": {...} }
  tunefit catalogue KIND [QUERY] [--json] [--overlay FILE [--skip-wrong]]
                              a table with sources; KIND: models, accelerators, systems, offers, frameworks, glossary, rules,
                              schema (always JSON)
  tunefit import FILE...      make a request of the files of one model: config.json, safetensors, their index, GGUF; of files
                              with weights only the header is read
  tunefit import KIND FILE|-  the same of one kind: hf-config (one file), safetensors-header, safetensors-index, gguf
  tunefit version
  tunefit help

Exit status: 0 answered, 1 the answer is "no" and --check was given, 2 the request is wrong (error as JSON on standard
output, one line on standard error). --jsonl: 0 when every line was processed; with --check 1 or 2 if any line was "no" or wrong.`;

const options = {
  size: { flags: ['text', 'check', 'skip-wrong'], values: ['want', 'overlay', 'jsonl'], operands: ['FILE'] },
  catalogue: { flags: ['json', 'skip-wrong'], values: ['overlay'], operands: ['KIND', '[QUERY]'] },
  import: { flags: [], values: [], operands: ['FILE', '...'] },
  version: { flags: [], values: [], operands: [] },
  help: { flags: [], values: [], operands: [] },
};

const wrong = (message) => new Wrong('usage', `${message}.`, 'tunefit help lists the commands.');

/** Throws Wrong for anything the usage does not name. */
export function parse(words) {
  if (words.some((word) => word === '--help' || word === '-h')) return { command: 'help' };
  const [command = 'help', ...rest] = words;
  if (!Object.hasOwn(options, command)) throw wrong(`no such command: ${command}`);
  const known = options[command];
  const call = { command, operands: [] };
  while (rest.length) {
    const word = rest.shift();
    if (!word.startsWith('--')) {
      call.operands.push(word);
      continue;
    }
    const [name, inline] = splitOnce(word.slice(2), '=');
    if (known.flags.includes(name) && inline === undefined) {
      call[name] = true;
    } else if (known.values.includes(name)) {
      const value = inline ?? rest.shift();
      if (!value) throw wrong(`--${name} needs a value`);
      call[name] = value;
    } else {
      throw wrong(`${command} has no option ${word}`);
    }
  }
  return checkOperands(call, known.operands);
}

function checkOperands(call, names) {
  if (call.jsonl) {
    if (call.operands.length || call.text) throw wrong('size --jsonl FILE takes no other file and no --text');
    return call;
  }
  const needed = names.filter((name) => !/^[[.]/.test(name)).length;
  if (call.operands.length < needed) throw wrong(`${call.command} needs ${names[call.operands.length]}`);
  if (call.operands.length > names.length && names.at(-1) !== '...')
    throw wrong(`${call.command} does not take "${call.operands[names.length]}"`);
  return call;
}

function splitOnce(text, separator) {
  const at = text.indexOf(separator);
  return at < 0 ? [text, undefined] : [text.slice(0, at), text.slice(at + 1)];
}

#!/usr/bin/env node
// The command line. Exit status: 0 answered, 1 the answer is "no" and --check was given, 2 the request is wrong.
import { load } from './index.mjs';
import { parse, usage } from './cli/arguments.mjs';
import { catalogue, size, version } from './cli/commands.mjs';
import { importFiles } from './cli/import.mjs';
import { Wrong } from './cli/input.mjs';
import { sizeLines } from './cli/lines.mjs';
import { fail, write } from './cli/output.mjs';

const commands = {
  size: (engine, call) => (call.jsonl ? sizeLines(engine, call, load) : size(engine, call)),
  catalogue,
  import: importFiles,
  version,
};

// A reader that closes the pipe early (head, less) is not an error.
process.stdout.on('error', (fault) => process.exit(fault.code === 'EPIPE' ? 0 : 2));

async function main(words) {
  try {
    const call = parse(words);
    if (call.command === 'help') return write(`${usage}\n`).then(() => 0);
    return await commands[call.command](await load(), call);
  } catch (fault) {
    if (fault instanceof Wrong) return fail(fault.document);
    throw fault;
  }
}

process.exitCode = await main(process.argv.slice(2));

// Every linter of lint/ over a catalogue, and the fixer of format.
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './catalogue.mjs';
import { canonical } from '../lint/canonical.mjs';
import * as shapes from '../lint/schema.mjs';

const folder = join(ROOT, 'lint');

/** Names of the linters' files, in the order in which they run. */
export const linterFiles = () =>
  readdirSync(folder)
    .filter((f) => f.endsWith('.mjs') && !f.endsWith('.test.mjs'))
    .sort();

/** [{file, id, message, linter}] of every linter, or of those named. */
export async function findingsOf(catalogue, files = linterFiles()) {
  const findings = [];
  for (const file of files) {
    const linter = await import(`../lint/${file}`);
    findings.push(...attempt(linter, catalogue).map((finding) => ({ ...finding, linter: linter.name })));
  }
  return findings;
}

// A linter may fail on an entry of the wrong shape; the linter of shapes then says what is wrong with it.
function attempt(linter, catalogue) {
  try {
    return linter.check(catalogue);
  } catch (e) {
    if (shapes.check(catalogue).length === 0) throw e;
    return [{ file: '', id: null, message: `could not run (${e.message}): mend first what the linter "schema" found` }];
  }
}

/** A finding on one line. */
export const line = ({ file, id, message, linter }) => `catalog/${file}${id ? ` ${id}` : ''}: ${message} [${linter}]`;

/** [{path, text}] of the files that are not in canonical form, with the text that is. */
export const uncanonical = (catalogue) =>
  catalogue.files.flatMap((file) => {
    const text = canonical(file, catalogue.schemas);
    return text === file.text ? [] : [{ path: file.path, text }];
  });

// ./dev catalogue diff: what changed in the built catalogue between a revision of git and the working tree.
//   node catalog/diff.mjs [--json | --markdown] [BASE]    BASE: a revision, HEAD unless given
// The older state is read and embedded by its own code, so that a change of the form is no change of facts.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { gzipSync } from 'node:zlib';
import { ROOT } from './lib/catalogue.mjs';
import { built, differences } from './lib/diff.mjs';

const project = join(ROOT, '..');

class Refused extends Error {}

const git = (words, options) =>
  execFileSync('git', ['-C', project, ...words], { maxBuffer: 2 ** 28, stdio: ['pipe', 'pipe', 'pipe'], ...options });

function commitOf(base) {
  try {
    return String(git(['rev-parse', '--verify', '--quiet', '--end-of-options', `${base}^{commit}`])).trim();
  } catch (e) {
    if (e.code === 'ENOENT') throw new Refused('git is not installed');
    const there = String(e.stderr).trim();
    throw new Refused(there || `git knows no revision ${base}`);
  }
}

/** {entries, bytes, gzip} of the catalogue below a folder, read by the code that stands there. */
async function stateOf(folder) {
  const load = (path) => import(pathToFileURL(join(folder, path)).href);
  const [{ loadCatalogue, KINDS }, { embeddedParts }] = [await load('catalog/lib/catalogue.mjs'), await load('catalog/lib/embed.mjs')];
  const catalogue = loadCatalogue();
  if (catalogue.broken.length)
    throw new Refused(catalogue.broken.map(({ file, message }) => `catalog/${file}: not JSON: ${message}`).join('\n'));
  const request = JSON.parse(readFileSync(join(folder, 'engine/json/schema/request.schema.json'), 'utf8'));
  const parts = Object.entries(embeddedParts(catalogue, request)).filter(([name]) => name !== 'RequestSchema');
  const text = parts.map(([, part]) => part).join('\n');
  return { entries: built(catalogue, KINDS), bytes: Buffer.byteLength(text), gzip: gzipSync(text, { level: 9 }).length };
}

async function stateAt(commit) {
  const folder = mkdtempSync(join(tmpdir(), 'tunefit-diff-'));
  try {
    const archive = git(['archive', '--format=tar', commit, 'catalog', 'engine/json/schema']);
    execFileSync('tar', ['-x', '-C', folder], { input: archive });
    symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
    return await stateOf(folder);
  } catch (e) {
    if (e instanceof Refused || !e.stderr) throw e;
    throw new Refused(`${commit.slice(0, 12)} has no catalogue: ${String(e.stderr).trim()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const LONGEST = 160;

function shown(value) {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

const signed = (n) => `${n < 0 ? '' : '+'}${n.toLocaleString('en')}`;
const size = (name, old, now) => `${name} ${old.toLocaleString('en')} -> ${now.toLocaleString('en')} bytes (${signed(now - old)})`;
const sizes = ({ embedded: { bytes, gzip } }) => `${size('embedded', bytes.old, bytes.new)}, ${size('gzip', gzip.old, gzip.new)}`;

const counts = ({ kind, entries, added, removed, changed }) =>
  `${kind}: ${added.length} added, ${removed.length} removed, ${changed.length} changed; ${entries} now`;

function asText(diff) {
  const lines = [`${diff.base.revision} (${diff.base.commit.slice(0, 12)}) -> working tree`];
  for (const kind of diff.kinds) {
    if (!touched(kind)) continue;
    lines.push(counts(kind));
    lines.push(...kind.added.map((id) => `  + ${id}`), ...kind.removed.map((id) => `  - ${id}`));
    for (const { id, members } of kind.changed) {
      lines.push(`  ~ ${id}`, ...members.map((m) => `      ${m.pointer}: ${shown(m.old)} -> ${shown(m.new)}`));
    }
  }
  if (!diff.kinds.some(touched)) lines.push('no entry differs');
  lines.push(sizes(diff));
  return lines.join('\n');
}

function asMarkdown(diff) {
  const code = (text) => `\`${text.replaceAll('`', "'").replaceAll('|', '\\|')}\``;
  const lines = [`Catalogue: ${code(diff.base.revision)} to working tree, ${sizes(diff)}.`];
  if (!diff.kinds.some(touched)) lines.push('', 'No entry differs.');
  for (const kind of diff.kinds.filter(touched)) {
    lines.push('', `**${counts(kind)}**`, '', '| entry | member | was | is |', '| --- | --- | --- | --- |');
    lines.push(...kind.added.map((id) => `| ${code(id)} | | | added |`), ...kind.removed.map((id) => `| ${code(id)} | | removed | |`));
    for (const { id, members } of kind.changed) {
      lines.push(...members.map((m) => `| ${code(id)} | ${code(m.pointer)} | ${code(shown(m.old))} | ${code(shown(m.new))} |`));
    }
  }
  return lines.join('\n');
}

const touched = ({ added, removed, changed }) => added.length + removed.length + changed.length > 0;

async function main(words) {
  let call;
  try {
    call = parseArgs({ args: words, allowPositionals: true, options: { json: { type: 'boolean' }, markdown: { type: 'boolean' } } });
  } catch (e) {
    throw new Refused(e.message);
  }
  const { values, positionals } = call;
  if (positionals.length > 1) throw new Refused('one revision, please: the other side is the working tree');
  const revision = positionals[0] ?? 'HEAD';
  const commit = commitOf(revision);
  const [old, now] = [await stateAt(commit), await stateOf(project)];
  const diff = {
    base: { revision, commit },
    kinds: differences(old.entries, now.entries),
    embedded: { bytes: { old: old.bytes, new: now.bytes }, gzip: { old: old.gzip, new: now.gzip } },
  };
  console.log(values.json ? JSON.stringify(diff, null, 2) : values.markdown ? asMarkdown(diff) : asText(diff));
}

try {
  await main(process.argv.slice(2));
} catch (e) {
  if (!(e instanceof Refused)) throw e;
  console.error(e.message);
  process.exitCode = 2;
}

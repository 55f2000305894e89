// docs/contributing.md is true: its commands run, its output comes, its entries pass schema and linters, on a copy of the catalogue.
//   ```json FILE            the whole of FILE
//   ```json FILE POINTER    an item put into FILE there
//   ```sh                   commands, one a line; a ```text block after it has lines that they print
import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { before, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { ownFolder, root, run } from './installed.mjs';

const page = readFileSync(join(root, 'docs/contributing.md'), 'utf8');
const blocks = [...page.matchAll(/^```(\w+)(?: (\S+))?(?: (\S+))?\n(.*?)^```$/gms)].map(([, language, file, pointer, text]) => ({
  language,
  file,
  pointer,
  text,
}));

let folder;
const git = (...words) => run('git', ['-c', 'user.name=test', '-c', 'user.email=test@example.org', ...words], { cwd: folder });

before(async () => {
  folder = await ownFolder();
  for (const name of ['catalog', 'dev', 'dev.d', 'package-lock.json', 'engine/json/schema'])
    cpSync(join(root, name), join(folder, name), { recursive: true });
  mkdirSync(join(folder, 'dist'));
  for (const name of ['node_modules', 'dist/npm']) symlinkSync(join(root, name), join(folder, name));
  for (const words of [
    ['init', '-q'],
    ['add', 'catalog', 'engine'],
    ['commit', '-q', '-m', 'before'],
  ]) {
    const { status, stderr } = await git(...words);
    assert.equal(status, 0, stderr);
  }
});

function write({ file, pointer, text }) {
  const path = join(folder, file);
  const value = JSON.parse(text);
  if (!pointer) {
    mkdirSync(dirname(path), { recursive: true });
    return writeFileSync(path, text);
  }
  const whole = JSON.parse(readFileSync(path, 'utf8'));
  const [, member, at] = pointer.split('/');
  whole[member].splice(at === '-' ? whole[member].length : Number(at), 0, value);
  writeFileSync(path, JSON.stringify(whole));
}

const loaded = async () => {
  const { loadCatalogue } = await import(pathToFileURL(join(folder, 'catalog/lib/catalogue.mjs')).href);
  return loadCatalogue();
};

test('the page has an example of each kind', async () => {
  const kinds = new Set(
    blocks.filter(({ file }) => file?.startsWith('catalog/')).map(({ file }) => file.split('/')[1].replace('.json', '')),
  );
  for (const kind of ['models', 'accelerators', 'systems', 'offers', 'frameworks', 'licences', 'glossary', 'rules'])
    assert.ok(kinds.has(kind), kind);
});

test('its steps, one after the other', async (t) => {
  for (const [i, block] of blocks.entries()) {
    const { language, file, text } = block;
    if (language === 'json') {
      await t.test(`write ${file}`, () => write(block));
    } else if (language === 'sh') {
      const next = blocks[i + 1]?.language === 'text' ? blocks[i + 1].text : '';
      for (const line of text.trim().split('\n')) await t.test(line, () => command(line, next));
    } else {
      assert.equal(language, 'text', `a block of ${language} is not tested`);
    }
  }
});

async function command(line, expected) {
  const { status, stdout, stderr } = await run('bash', ['-c', line], { cwd: folder, env: { ...process.env, INIT_CWD: folder } });
  assert.equal(status, 0, `${stdout}${stderr}`);
  for (const said of expected.split('\n').filter(Boolean)) assert.ok(stdout.includes(said), `not printed: ${said}\n${stdout}`);
}

test('each example is in the copy, and the format is canonical as the page shows it', async () => {
  const catalogue = await loaded();
  const ids = [...['models', 'accelerators', 'systems', 'offers', 'glossary', 'rules'].flatMap((kind) => catalogue[kind])].map(
    ({ entry }) => entry.id,
  );
  for (const id of ['tiny-0.5b', 'tiny-0.5b-chat', 'acme-x1-48gb', 'acme-tower-2x', 'acme-cloud-4x', 'acme-pool', 'acme-twenty-bytes'])
    assert.ok(ids.includes(id), id);
  for (const { file, pointer, text } of blocks.filter((b) => b.file?.startsWith('catalog/') && !b.pointer)) {
    assert.equal(readFileSync(join(folder, file), 'utf8'), text, `${file} ${pointer ?? ''}`);
  }
});

test('an example that is spoilt is caught', async () => {
  const path = join(folder, 'catalog/models/tiny.json');
  const sound = readFileSync(path, 'utf8');
  writeFileSync(path, sound.replaceAll('552629760', '652629760').replace('"sources": ["acme/tiny@0123abc LICENSE"]', '"sources": []'));
  const { status, stderr } = await run('bash', ['dev', 'catalogue', 'lint'], { cwd: folder });
  writeFileSync(path, sound);
  assert.equal(status, 1);
  assert.match(stderr, /tiny\.json tiny-0\.5b: the dimensions give 552629760 parameters, published are 652629760/);
  assert.match(stderr, /licence/);
});

test('diff: json, markdown, what git does not know', async () => {
  const diff = (...words) => run('bash', ['dev', 'catalogue', 'diff', ...words], { cwd: folder });
  const json = JSON.parse((await diff('--json')).stdout);
  assert.deepEqual(json.kinds.find(({ kind }) => kind === 'models').added, ['tiny-0.5b', 'tiny-0.5b-chat']);
  assert.ok(json.embedded.bytes.new > json.embedded.bytes.old);
  assert.match((await diff('--markdown')).stdout, /^\| `acme-pool` \| \| \| added \|$/m);
  const unknown = await diff('no-such-revision');
  assert.equal(unknown.status, 2);
  assert.match(unknown.stderr, /git knows no revision no-such-revision/);
});

test('add: what is wrong is refused and nothing is written', async () => {
  const add = (...words) => run('bash', ['dev', 'catalogue', 'add', ...words], { cwd: folder });
  const cases = [
    [['planet'], /add what\? model, accelerator, system, offer/],
    [['model', '--family', 'X'], /--config is missing/],
    [['model', '--family', 'X', '--config', 'none.json'], /none\.json cannot be read: ENOENT/],
    [['model', '--family', 'X', '--config', 'package-lock.json'], /package-lock\.json/],
    [['model', '--config', 'config.json', '--family', 'Tiny', '--hf-id', 'acme/Tiny-0.5B'], /has that id already/],
    [['system', '--id', 'x', '--name', 'X'], /--group is missing/],
    [['system', '--id', 'x', '--group', 'towers', '--accelerators', 'two'], /--accelerators two is no whole number/],
    [['offer', '--colour', 'red'], /--colour/],
  ];
  for (const [words, reason] of cases) {
    const { status, stderr } = await add(...words);
    assert.equal(status, 2, words.join(' '));
    assert.match(stderr, reason);
    assert.doesNotMatch(stderr, / at .*\.mjs/);
  }
  assert.ok(!existsSync(join(folder, 'catalog/models/x.json')));
});

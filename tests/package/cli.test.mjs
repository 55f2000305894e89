// The command line of the installed package: what it prints, where, and with which exit status.
import assert from 'node:assert/strict';
import { mkdir, open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { config, gguf, index, parameters, safetensors, tensors } from '../browser/model_files.mjs';
import { install, request, root, run } from './installed.mjs';

let folder;
before(async () => {
  ({ folder } = await install());
  await writeFile(join(folder, 'request.json'), JSON.stringify(request));
  await writeFile(join(folder, 'no.json'), JSON.stringify({ ...request, model: 'meta-llama/Llama-2-70b-hf', recipe: { method: 'full' } }));
  await writeFile(join(folder, 'wrong.json'), JSON.stringify({ ...request, recipe: { method: 'lora', lora: { r: -4 } } }));
  await writeFile(join(folder, 'empty.json'), ' \n');
  await mkdir(join(folder, 'directory'));
});

const tunefit = (words, input) => run(join(folder, 'node_modules/.bin/tunefit'), words, { cwd: folder, input });

// A refusal: status 2, the error as JSON on standard output, one line and no stack trace on standard error.
function assertRefused({ status, stdout, stderr }, { code, pointer } = {}) {
  assert.equal(status, 2, stderr);
  const { error, findings } = JSON.parse(stdout);
  assert.ok(error.code && error.message && findings.length);
  assert.match(stderr, /^tunefit: [^\n]+\n$/);
  assert.doesNotMatch(stderr, / at .*\.mjs/);
  if (code) assert.equal(error.code, code);
  if (pointer !== undefined) assert.equal(error.pointer, pointer);
}

test('size prints the answer', async () => {
  const { status, stdout, stderr } = await tunefit(['size', 'request.json']);
  assert.equal(status, 0);
  assert.equal(stderr, '');
  const answer = JSON.parse(stdout);
  const total = answer.memory.breakdown.reduce((sum, { bytes }) => sum + bytes, 0);
  assert.equal(total, answer.memory.peak.allocated.expected);
});

test('size reads standard input, a byte order mark and the UTF-16 of Windows shells', async () => {
  const plain = await tunefit(['size', 'request.json']);
  const text = JSON.stringify(request);
  for (const input of [text, `\ufeff${text}`, Buffer.from(`\ufeff${text}`, 'utf16le')]) {
    assert.equal((await tunefit(['size', '-'], input)).stdout, plain.stdout);
  }
});

test('size --text is for a person', async () => {
  const { status, stdout } = await tunefit(['size', 'request.json', '--text']);
  assert.equal(status, 0);
  assert.match(stdout, /^Verdict: fits/m);
  assert.match(stdout, /^device \(nvidia-smi\) +\d+\.\d\d GiB/m);
  assert.match(stdout, /^weights\.base +\d+\.\d\d GiB +\d+\.\d %$/m);
});

test('--check turns "no" into status 1 and nothing else', async () => {
  assert.equal((await tunefit(['size', 'request.json', '--check'])).status, 0);
  assert.equal((await tunefit(['size', 'no.json'])).status, 0);
  const refused = await tunefit(['size', '--check', 'no.json']);
  assert.equal(refused.status, 1);
  assert.equal(JSON.parse(refused.stdout).memory.verdict, 'no');
});

test('a wrong request: status 2, error on standard output, a line on standard error', async () => {
  assertRefused(await tunefit(['size', 'wrong.json']), { pointer: '/recipe/lora/r' });
  assertRefused(await tunefit(['size', 'wrong.json', '--text', '--check']), { pointer: '/recipe/lora/r' });
});

test('files that are no requests', async () => {
  assertRefused(await tunefit(['size', 'missing.json']), { code: 'file_not_found' });
  assertRefused(await tunefit(['size', 'directory']), { code: 'file_is_directory' });
  assertRefused(await tunefit(['size', 'empty.json']), { code: 'file_empty' });
  assertRefused(await tunefit(['size', '-'], ''), { code: 'file_empty' });
  assertRefused(await tunefit(['size', '-'], '{"model": "meta-llama/Llama-3.1-8B", '));
  assertRefused(await tunefit(['size', '-'], '[1, 2]'));
  assertRefused(await tunefit(['import', 'hf-config', 'missing.json']), { code: 'file_not_found' });
  assertRefused(await tunefit(['size', 'request.json', '--overlay', 'missing.json']), { code: 'file_not_found' });
});

test('50 MB of garbage and deep nesting are refused quickly', { timeout: 60_000 }, async () => {
  const garbage = Buffer.alloc(50_000_000);
  for (let i = 0; i < garbage.length; i += 4) garbage.writeUInt32LE(Math.imul(i + 1, 2654435761) >>> 0, i);
  await writeFile(join(folder, 'garbage'), garbage);
  assertRefused(await tunefit(['size', 'garbage']));
  assertRefused(await tunefit(['size', '-'], 'x'.repeat(50_000_000)));
  assertRefused(await tunefit(['size', '-'], '['.repeat(1_000_000)));
  assertRefused(await tunefit(['size', '-'], '{"a":'.repeat(1_000_000)));
  assertRefused(await tunefit(['size', '-'], `{"model": "${'m'.repeat(40_000_000)}"}`));
  assertRefused(await tunefit(['size', '-'], Buffer.alloc(70_000_000, 32)), { code: 'file_too_large' });
});

test('a terminal never sees control characters of a name', async () => {
  const { stderr } = await tunefit(['size', '-'], JSON.stringify({ ...request, model: '\u001b[31mred\u0007' }));
  assert.doesNotMatch(stderr, /[\u001b\u0007]/); // eslint-disable-line no-control-regex
});

test('words that are no commands', async () => {
  for (const words of [
    ['train'],
    ['size'],
    ['size', 'a', 'b'],
    ['size', 'request.json', '--fast'],
    ['size', '--want'],
    ['import'],
    ['import', 'gguf'],
  ]) {
    assertRefused(await tunefit(words), { code: 'usage' });
  }
  assertRefused(await tunefit(['constructor']), { code: 'usage' });
  assertRefused(await tunefit(['catalogue', 'nonsense']), { pointer: '/kind' });
  assertRefused(await tunefit(['import', 'nonsense', 'request.json']), { pointer: '/kind' });
});

test('--want chooses parts of the answer', async () => {
  const answer = JSON.parse((await tunefit(['size', 'request.json', '--want', 'memory'])).stdout);
  assert.ok(answer.memory);
  assert.equal(answer.explain, undefined);
  const { status, stdout } = await tunefit(['size', 'request.json', '--want=memory,explain']);
  assert.equal(status, 0);
  assert.ok(JSON.parse(stdout).explain);
  assertRefused(await tunefit(['size', 'request.json', '--want', 'magic']), { pointer: '/want/0' });
});

test('--overlay adds entries, for sizing and for the catalogue', async () => {
  const [card] = JSON.parse((await tunefit(['catalogue', 'accelerators', 'nvidia-a100-80gb-sxm', '--json'])).stdout);
  const overlay = { accelerators: [{ ...card, id: 'house-card', name: 'House card' }] };
  await writeFile(join(folder, 'overlay.json'), JSON.stringify(overlay));
  const listed = JSON.parse((await tunefit(['catalogue', 'accelerators', 'house', '--json', '--overlay', 'overlay.json'])).stdout);
  assert.deepEqual(
    listed.map(({ id }) => id),
    ['house-card'],
  );
  const ours = JSON.stringify({ ...request, placement: { accelerator: 'house-card', accelerators: 1 } });
  assertRefused(await tunefit(['size', '-'], ours), { pointer: '/placement/accelerator' });
  const sized = await tunefit(['size', '-', '--overlay', 'overlay.json'], ours);
  assert.equal(sized.status, 0, sized.stderr);
  const twice = JSON.stringify({ ...JSON.parse(ours), catalogue_overlay: overlay });
  assertRefused(await tunefit(['size', '-', '--overlay', 'overlay.json'], twice), { pointer: '/catalogue_overlay/accelerators/1/id' });
});

test('catalogue: a table for a person, an array for a program', async () => {
  const table = (await tunefit(['catalogue', 'models', 'llama-3.1-8b'])).stdout;
  assert.match(table, /^id +parameters/);
  assert.match(table, /^llama-3\.1-8b +8\.03 B/m);
  const entries = JSON.parse((await tunefit(['catalogue', 'models', 'llama-3.1-8b', '--json'])).stdout);
  assert.ok(entries.some(({ hf_id }) => hf_id === 'meta-llama/Llama-3.1-8B'));
});

test('import makes a request that can be sized', async () => {
  const config = join(root, 'tests/native/configs/HuggingFaceTB--SmolLM2-135M.json');
  const imported = await tunefit(['import', 'hf-config', config]);
  assert.equal(imported.status, 0);
  const sized = await tunefit(['size', '-'], JSON.stringify({ ...request, ...JSON.parse(imported.stdout).request }));
  assert.equal(sized.status, 0, sized.stderr);
  assert.equal(JSON.parse(sized.stdout).model.basis, 'config');
});

test('import puts the files of one model together', async () => {
  const write = (name, content) => writeFile(join(folder, name), content);
  await write('config.json', JSON.stringify(config));
  await write('one.safetensors', safetensors(tensors(0, 9)));
  await write('two.safetensors', safetensors(tensors(9)));
  await write('index.json', index());
  await write('house.gguf', gguf());
  await write('cut.gguf', gguf().subarray(0, 100));
  const imported = async (...words) => {
    const { status, stdout, stderr } = await tunefit(['import', ...words]);
    assert.equal(status, 0, stderr);
    return JSON.parse(stdout);
  };
  const all = await imported('config.json', 'one.safetensors', 'two.safetensors', 'index.json');
  const sized = JSON.parse((await tunefit(['size', '-'], JSON.stringify({ ...request, ...all.request }))).stdout);
  assert.equal(sized.model.basis, 'safetensors');
  assert.equal(sized.model.parameters, parameters);
  const text = (await tunefit(['size', '-', '--text'], JSON.stringify({ ...request, model: { name: 'x', parameters: 13e9 } }))).stdout;
  assert.match(text, /^x: 13\.0 B parameters.*rough/);

  const header = await imported('safetensors-header', 'one.safetensors', 'two.safetensors');
  assert.deepEqual(header.request.model, { name: 'own model', safetensors_index: all.request.model.safetensors_index });
  assert.equal((await imported('safetensors-index', 'index.json')).request.model.safetensors_index.total_size, 2 * parameters);
  assert.equal((await imported('gguf', 'house.gguf')).request.model.name, 'House Llama');
  assert.deepEqual(await imported('hf-config', 'config.json'), await imported('config.json'));
  const piped = await tunefit(['import', '-'], gguf());
  assert.deepEqual(JSON.parse(piped.stdout), await imported('house.gguf'));

  assertRefused(await tunefit(['import', 'gguf', 'one.safetensors']), { code: 'wrong_kind' });
  assertRefused(await tunefit(['import', 'config.json', 'cut.gguf']), { code: 'truncated' });
  assertRefused(await tunefit(['import', 'config.json', 'missing.gguf']), { code: 'file_not_found' });
  assertRefused(await tunefit(['import', 'directory']), { code: 'file_is_directory' });
  assertRefused(await tunefit(['import', 'hf-config', 'config.json', 'index.json']), { code: 'usage' });
});

test('import reads the header of a file of 20 GB and no more', { timeout: 20_000 }, async () => {
  const path = join(folder, 'large.safetensors');
  const file = await open(path, 'w');
  await file.write(safetensors(tensors()));
  await file.truncate(20e9); // a hole, no bytes on the disk
  await file.close();
  const { status, stdout } = await tunefit(['import', 'large.safetensors']);
  await rm(path);
  assert.equal(status, 0);
  assert.equal(JSON.parse(stdout).request.model.safetensors_index.parameters, parameters);
});

test('version and help', async () => {
  assert.match(JSON.parse((await tunefit(['version'])).stdout).engine_version, /^\d+\.\d+\.\d+$/);
  for (const words of [['help'], [], ['size', '--help']]) {
    const { status, stdout } = await tunefit(words);
    assert.equal(status, 0);
    assert.match(stdout, /tunefit size FILE/);
  }
});

test('a reader that goes away is no error', async () => {
  const { status, stderr } = await run('bash', ['-c', 'node_modules/.bin/tunefit catalogue models --json | head -c 10'], { cwd: folder });
  assert.equal(status, 0);
  assert.equal(stderr, '');
});

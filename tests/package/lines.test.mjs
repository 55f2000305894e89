// size --jsonl: many requests in one process.
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ownFolder, request, root, run } from './installed.mjs';

const cli = join(root, 'dist/npm/cli.mjs');
let folder;
before(async () => (folder = await ownFolder()));

async function sizeLines(lines, words = []) {
  const file = join(folder, 'requests.jsonl');
  await writeFile(
    file,
    lines.map((line) => (typeof line === 'string' || line instanceof Uint8Array ? line : JSON.stringify(line))).join('\n'),
  );
  const { status, stdout, stderr } = await run(process.execPath, [cli, 'size', '--jsonl', file, ...words]);
  const answers = stdout
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
  return { status, stderr, answers };
}

test('answers come in order, ids come back, a wrong line does not stop the rest', async () => {
  const wrong = { ...request, recipe: { method: 'lora', lora: { r: -4 } } };
  const { status, stderr, answers } = await sizeLines([
    request,
    { id: 'a', request },
    'not JSON {',
    '',
    { id: 7, request: wrong },
    { id: { any: [1] }, request: 'text' },
    { request },
    '[]',
    { ...request, model: 'no/such-model' },
  ]);
  assert.equal(status, 0);
  assert.equal(answers.length, 8);
  const [plain, a, notJson, seven, text, noId, array, unknown] = answers;
  assert.ok(plain.memory);
  assert.deepEqual(a, { id: 'a', answer: plain });
  assert.deepEqual(noId, { answer: plain });
  assert.ok(notJson.error && array.error);
  assert.equal(seven.id, 7);
  assert.equal(seven.error.pointer, '/recipe/lora/r');
  assert.deepEqual(text.id, { any: [1] });
  assert.ok(text.error);
  assert.equal(unknown.error.pointer, '/model');
  assert.match(stderr, /^tunefit: 5 of 8 lines are wrong[^\n]*\n$/);
});

test('--check: 0, 1 or 2 for all fit, some "no", some wrong', async () => {
  const no = { ...request, model: 'meta-llama/Llama-2-70b-hf', recipe: { method: 'full' } };
  assert.equal((await sizeLines([request, { request }], ['--check'])).status, 0);
  assert.equal((await sizeLines([request, { id: 1, request: no }], ['--check'])).status, 1);
  assert.equal((await sizeLines([no, 'x', request], ['--check'])).status, 2);
});

test('--want and --overlay hold for every line', async () => {
  const overlay = join(folder, 'overlay.json');
  await writeFile(overlay, JSON.stringify({ accelerators: [] }));
  const { answers } = await sizeLines([request, { id: 1, request }], ['--want', 'memory', '--overlay', overlay]);
  assert.equal(answers[0].explain, undefined);
  assert.ok(answers[1].answer.memory);
  assert.equal(answers[1].answer.explain, undefined);
});

test('the same as one by one', async () => {
  const lengths = [128, 1000, 4096];
  const requests = lengths.map((sequence_length) => ({ ...request, recipe: { ...request.recipe, sequence_length } }));
  const { answers } = await sizeLines(requests);
  for (const [i, one] of requests.entries()) {
    const { stdout } = await run(process.execPath, [cli, 'size', '-'], { input: JSON.stringify(one) });
    assert.deepEqual(answers[i], JSON.parse(stdout));
  }
});

test('a line that is far too long is one error', { timeout: 60_000 }, async () => {
  const { answers } = await sizeLines([request, Buffer.alloc(70_000_000, 0x61).toString(), request]);
  assert.deepEqual(
    answers.map((answer) => answer.error?.code ?? 'answered'),
    ['answered', 'line_too_long', 'answered'],
  );
});

test('a missing file is an error like any other', async () => {
  const { status, stdout } = await run(process.execPath, [cli, 'size', '--jsonl', join(folder, 'missing')]);
  assert.equal(status, 2);
  assert.equal(JSON.parse(stdout).error.code, 'file_not_found');
});

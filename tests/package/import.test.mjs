// The installed package through its exports.
import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { config, gguf, index, parameters, safetensors, tensors } from '../browser/model_files.mjs';
import { install, request, root, run } from './installed.mjs';

let stranger;
before(async () => (stranger = await install()));

// Runs a module text in the stranger's folder, where code from strings is forbidden as in a page without 'unsafe-eval'.
async function evaluate(body) {
  const text = `import { load } from 'tunefit'; const engine = await load(); ${body}`;
  const words = ['--disallow-code-generation-from-strings', '--input-type=module', '-e', text];
  const { status, stdout, stderr } = await run(process.execPath, words, { cwd: stranger.folder });
  assert.equal(status, 0, stderr);
  assert.equal(stderr, '');
  return JSON.parse(stdout);
}

test('a good request is answered, as object and as text alike', async () => {
  const [one, two] = await evaluate(`
    const request = ${JSON.stringify(request)};
    console.log(JSON.stringify([engine.size(request), JSON.parse(engine.text.size(JSON.stringify(request)))]));`);
  assert.equal(one.schema, 'tunefit.answer/1');
  assert.equal(one.model.parameters, 8030261248);
  assert.ok(one.memory.peak.device.expected > 5e9);
  assert.equal(one.memory.verdict, 'fits');
  assert.deepEqual(one, two);
});

test('a wrong request gives findings with pointers and never an exception', async () => {
  const answers = await evaluate(`
    const circular = {}; circular.self = circular;
    const recipe = (fields) => ({ ...${JSON.stringify(request)}, recipe: fields });
    const wrong = [
      { model: 'no/such-model' }, '{"model": ', '', null, undefined, 7, [], circular,
      recipe({ method: 'qlora', sequence_length: NaN }), recipe({ method: 'qlora', sequence_length: Infinity }),
      recipe({ method: 'lora', lora: { r: -1 } }), recipe({ method: 'lora', sequence_length: 10n ** 30n }),
      recipe({ method: '\\ud800' }),
    ];
    console.log(JSON.stringify(wrong.map((request) => engine.size(request))));`);
  for (const answer of answers) {
    assert.equal(typeof answer.error?.code, 'string', JSON.stringify(answer));
    assert.notEqual(answer.error.code, 'internal_error');
    assert.ok(answer.error.message.length > 0);
    assert.ok(answer.findings.length > 0);
  }
  const pointers = answers.map(({ error }) => error.pointer);
  assert.deepEqual(pointers.slice(8), [
    '/recipe/sequence_length',
    '/recipe/sequence_length',
    '/recipe/lora/r',
    '/recipe/sequence_length',
    '/recipe/method',
  ]);
});

test('catalogue, import and version', async () => {
  const config = await readFile(join(root, 'tests/native/configs/HuggingFaceTB--SmolLM2-135M.json'), 'utf8');
  const { cards, imported, refused, version } = await evaluate(`
    console.log(JSON.stringify({
      cards: engine.catalogue({ kind: 'accelerators', query: 'h100' }),
      imported: engine.import({ kind: 'hf-config', text: ${JSON.stringify(config)} }),
      refused: engine.import({ kind: 'hf-config', text: '{' }),
      version: engine.version(),
    }));`);
  assert.ok(cards.some(({ id }) => id === 'nvidia-h100-80gb-sxm'));
  assert.ok(imported.request.model && Array.isArray(imported.understood) && Array.isArray(imported.not_understood));
  assert.ok(refused.error);
  assert.equal(version.schema, 'tunefit.request/1');
  assert.match(version.catalogue.date, /^\d{4}-\d\d-\d\d$/);
});

test('files of a model, as a browser gives them, make one request; what is wrong comes back as findings', async () => {
  const files = {
    'config.json': JSON.stringify(config),
    'model-00001-of-00002.safetensors': safetensors(tensors(0, 9)),
    'model-00002-of-00002.safetensors': safetensors(tensors(9)),
    'model.safetensors.index.json': index(),
    'house.gguf': gguf(),
  };
  for (const [name, content] of Object.entries(files)) await writeFile(join(stranger.folder, name), content);
  const { imported, answer, single, wrong, none } = await evaluate(`
    const { readFile } = await import('node:fs/promises');
    const files = [];
    for (const name of ${JSON.stringify(Object.keys(files))}) files.push(new File([await readFile(name)], name));
    const house = files.pop();
    const imported = await engine.importFiles(files);
    console.log(JSON.stringify({
      imported,
      answer: engine.size({ ...${JSON.stringify(request)}, ...imported.request }),
      single: await engine.importFiles([house]),
      wrong: await engine.importFiles([files[0], new File(['GGUF'], 'cut.gguf')]),
      none: await engine.importFiles([]),
    }));`);
  assert.deepEqual(imported.findings, []);
  assert.equal(imported.request.model.config.hidden_size, 2048);
  assert.equal(imported.request.model.safetensors_index.tensors, 146);
  assert.deepEqual([...new Set(imported.understood.map(({ kind }) => kind))], ['hf-config', 'safetensors-index', 'safetensors-header']);
  assert.equal(answer.model.parameters, parameters);
  assert.equal(answer.model.basis, 'safetensors');
  assert.equal(single.request.model.name, 'House Llama');
  assert.equal(single.understood[0].kind, undefined);
  assert.equal(wrong.error.code, 'truncated');
  assert.match(wrong.error.message, /^cut\.gguf/);
  assert.ok(none.error);
});

test('the version stands once: CMake, package and engine agree', async () => {
  const manifest = JSON.parse(await readFile(join(stranger.folder, 'node_modules/tunefit/package.json'), 'utf8'));
  const cmake = /project\(tunefit VERSION ([\d.]+)/.exec(await readFile(join(root, 'CMakeLists.txt'), 'utf8'))[1];
  assert.equal(manifest.version, cmake);
  assert.equal((await evaluate('console.log(JSON.stringify(engine.version()))')).engine_version, cmake);
});

test('the archive holds what the allow-list names and stays small', () => {
  const names = stranger.packed.files.map(({ path }) => path);
  for (const name of ['tunefit.wasm', 'index.mjs', 'index.d.ts', 'types.d.ts', 'LICENSE', 'schema/request.schema.json']) {
    assert.ok(names.includes(name), `${name} is missing`);
  }
  const strange = names.filter((name) => !/^(cli|schema)\/|^[\w.-]+\.(mjs|cjs|js|d\.ts|wasm|json|md)$|^LICENSE$/.test(name));
  assert.deepEqual(strange, []);
  assert.ok(stranger.packed.size < 600_000, `packed: ${stranger.packed.size} bytes`);
});

test('two engines are independent and loading many leaves no handlers behind', async () => {
  const counts = await evaluate(`
    const before = process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection');
    for (let i = 0; i < 12; ++i) await load();
    console.log(process.listenerCount('uncaughtException') + process.listenerCount('unhandledRejection') - before);`);
  assert.equal(counts, 0);
});

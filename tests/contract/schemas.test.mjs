// Documents against the schemas: every answer validates, requests that are sized validate, and the engine's own validator
// and a full JSON Schema validator agree about which requests are well formed.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, test } from 'node:test';
import Ajv2020 from 'ajv/dist/2020.js';
import { load } from '../../dist/npm/index.mjs';
import { calls } from './requests.mjs';

const schemaOf = (name) => JSON.parse(readFileSync(new URL(`../../engine/json/schema/${name}.schema.json`, import.meta.url), 'utf8'));
const ajv = new Ajv2020({ strict: true, strictTypes: false, allErrors: true });
for (const keyword of ['x-supported', 'x-unsupported', 'x-values']) ajv.addKeyword(keyword);
const requestSchema = schemaOf('request');
const isRequest = ajv.compile(requestSchema);
const isAnswer = ajv.compile(schemaOf('answer'));
const isFinding = ajv.getSchema('tunefit.answer/1#/$defs/finding');

const base = {
  schema: 'tunefit.request/1',
  model: 'meta-llama/Llama-3.1-8B',
  recipe: { method: 'lora', sequence_length: 512, lora: { r: 8 } },
  placement: { accelerator: 'nvidia-l40s' },
};

let engine;
before(async () => (engine = await load()));

// Codes that say a request is not well formed; the rest are about what it means.
const formal = new Set([
  'required',
  'unknown_field',
  'wrong_type',
  'wrong_value',
  'unknown_value',
  'out_of_range',
  'too_short',
  'too_long',
]);
const isFormal = ({ severity, code, pointer }) => severity === 'error' && formal.has(code) && !pointer.startsWith('/model/config/');

test('every answer and every error document is as its schema says', () => {
  const texts = calls.filter(([call]) => call === 'size').map(([, text]) => text);
  const wants = [['memory'], ['fit'], ['explain'], [], ['memory', 'fit', 'explain', 'time'], ['nearest_measured']];
  texts.push(...wants.map((want) => JSON.stringify({ ...base, want })), JSON.stringify({ model: base.model }));
  let answered = 0;
  for (const text of texts) {
    const document = JSON.parse(engine.text.size(text));
    if (document.error) {
      const first = document.findings.find(({ severity }) => severity === 'error');
      assert.deepEqual({ severity: 'error', ...document.error }, first);
      for (const finding of document.findings) assert.ok(isFinding(finding), JSON.stringify([finding, isFinding.errors]));
    } else {
      answered += 1;
      assert.ok(isAnswer(document), `${text.slice(0, 300)}\n${JSON.stringify(isAnswer.errors?.slice(0, 3))}`);
    }
  }
  assert.ok(answered > 200, `${answered} answered`);
});

test('every request of the published measurements is well formed', () => {
  for (const [call, text] of calls) {
    if (call !== 'size' || !text.startsWith('{"schema"')) continue;
    const request = JSON.parse(text);
    assert.ok(isRequest(request), `${text.slice(0, 200)}\n${JSON.stringify(isRequest.errors)}`);
  }
});

// Every field of the schema with values at and beyond its limits and of every wrong type.
function* variations(schema, path) {
  if (schema.$ref) return yield* variations(requestSchema.$defs[schema.$ref.split('/').pop()], path);
  for (const branch of schema.anyOf ?? []) yield* variations(branch, path);
  for (const [name, child] of Object.entries(schema.properties ?? {})) {
    if (name === 'config' || name === 'safetensors_index' || name === 'catalogue_overlay') continue;
    yield* variations(child, [...path, name]);
  }
  if (path.length === 0) return;
  for (const limit of ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum']) {
    if (schema[limit] === undefined) continue;
    for (const step of [-1, 0, 1]) yield [path, schema[limit] + step];
  }
  for (const value of [...(schema.enum ?? []), schema.const]) if (value !== undefined) yield [path, value];
  yield* ['', 'x', 0, -1, 1.5, 1e308, true, null, [], ['x'], {}, { x: 1 }].map((value) => [path, value]);
}

test('the engine and a full validator agree, field by field', () => {
  let tried = 0;
  for (const [path, value] of variations(requestSchema, [])) {
    const request = structuredClone(base);
    let at = request;
    for (const name of path.slice(0, -1)) {
      if (typeof at[name] !== 'object' || at[name] === null || Array.isArray(at[name])) at[name] = {};
      at = at[name];
    }
    at[path.at(-1)] = value;
    const document = engine.size(request);
    const refused = (document.findings ?? []).filter(isFormal);
    const valid = isRequest(request);
    // A model without config.json is well formed and still refused.
    const meaning = refused.every(({ pointer }) => pointer === '/model/config');
    assert.ok(
      valid ? meaning : refused.length > 0,
      `/${path.join('/')} = ${JSON.stringify(value)}: ${JSON.stringify(refused)} ${JSON.stringify(isRequest.errors)}`,
    );
    tried += 1;
  }
  assert.ok(tried > 2000, `${tried} tried`);
});

test('a finding points at the field that is wrong', () => {
  for (const [path, value] of variations(requestSchema, [])) {
    const request = structuredClone(base);
    if (path.length !== 2 || path[0] !== 'recipe') continue;
    request.recipe[path[1]] = value;
    if (isRequest(request)) continue;
    const pointer = `/${path.join('/')}`;
    const { findings } = engine.size(request);
    assert.ok(
      findings.some((finding) => finding.severity === 'error' && finding.pointer.startsWith(pointer)),
      `${pointer} = ${JSON.stringify(value)}`,
    );
  }
});

test('every default of the schema is a value it allows', () => {
  const walk = (schema, pointer) => {
    if (typeof schema !== 'object' || schema === null) return;
    if ('default' in schema) {
      const allowed = ajv.compile({ $defs: requestSchema.$defs, ...schema });
      assert.ok(allowed(schema.default), pointer);
    }
    for (const [key, child] of Object.entries(schema)) if (!['enum', 'default', 'x-values'].includes(key)) walk(child, `${pointer}/${key}`);
  };
  walk(requestSchema, '');
});

test('defaults in the catalogue of frameworks are values the request allows', () => {
  for (const framework of engine.catalogue({ kind: 'frameworks' })) {
    for (const { pointer, value } of framework.defaults) {
      const request = structuredClone(base);
      const names = pointer.split('/').slice(1);
      let at = request;
      for (const name of names.slice(0, -1)) at = at[name] ??= {};
      at[names.at(-1)] = value;
      assert.ok(isRequest(request), `${framework.id} ${pointer} ${JSON.stringify(value)}: ${JSON.stringify(isRequest.errors)}`);
    }
  }
});

test('the schema in the engine is the schema in the repository', () => {
  assert.deepEqual(engine.catalogue({ kind: 'schema' }), [requestSchema]);
});

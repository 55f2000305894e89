// The page's own reasoning without a page: pointers, history, links, numbers, search.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { before, describe, it } from 'node:test';
import { runnerImport } from 'vite';
import { collectFacts } from '../../web/build/schema.mjs';
import { root } from './harness.mjs';

const load = async (name) => (await runnerImport(`${root}web/src/${name}.ts`, { configFile: false, logLevel: 'error' })).module;
let pointer, history, fragment, number, search, start, facts;

before(async () => {
  [pointer, history, fragment, number, search] = await Promise.all(
    ['state/pointer', 'state/history', 'state/fragment', 'fields/number', 'fields/search'].map(load),
  );
  start = (await load('state/start')).startingRequest;
  facts = collectFacts(JSON.parse(await readFile(`${root}engine/json/schema/request.schema.json`, 'utf8')));
});

describe('pointers', () => {
  it('set without changing, and remove what they leave empty', () => {
    const one = { recipe: { lora: { r: 8 } }, model: 'a' };
    assert.deepEqual(pointer.set(one, '/recipe/lora/r', 16), { model: 'a', recipe: { lora: { r: 16 } } });
    assert.deepEqual(pointer.set(one, '/recipe/lora/r', undefined), { model: 'a' });
    assert.equal(one.recipe.lora.r, 8);
  });
  it('read own properties only', () => {
    assert.equal(pointer.get({ a: {} }, '/a/constructor'), undefined);
    assert.equal(pointer.get({ a: { 'x/y': 1 } }, '/a/x~1y'), 1);
  });
  it('find the field a finding belongs to', () => {
    const known = new Set(['/model', '/recipe/lora/r']);
    assert.equal(pointer.nearest('/model/config/hidden_size', known), '/model');
    assert.equal(pointer.nearest('/recipe/lora', known), undefined);
  });
});

describe('history', () => {
  it('takes typing into one field as one step, and stepping out of it as its end', () => {
    let h = history.begin(1);
    h = history.record(h, 2, 'length');
    h = history.record(h, 3, 'length');
    assert.deepEqual(h.past, [1]);
    h = history.record(history.close(h), 4, 'length');
    assert.deepEqual(h.past, [1, 3]);
    h = history.undo(history.undo(h));
    assert.equal(h.present, 1);
    assert.equal(history.redo(h).present, 3);
    assert.equal(history.undo(h), h);
  });
});

describe('numbers', () => {
  const cases = [
    ['4096', 4096],
    ['4,096', 4096],
    ['4 096', 4096],
    ['1,234,567', 1234567],
    ['0.05', 0.05],
    ['0,05', 0.05],
    ['1e-4', 1e-4],
    ['1.5k', 1500],
    ['2m', 2e6],
    ['-5', -5],
    ['1e308', 1e308],
  ];
  for (const [text, value] of cases) it(`reads ${text}`, () => assert.equal(number.parseNumber(text), value));
  it('takes k for 1,024 where tokens are counted', () => assert.equal(number.parseNumber('4K', 1024), 4096));
  for (const text of ['', 'abc', 'NaN', 'Infinity', '1e309', '12x', '0x10', '--3', '1,2,3'])
    it(`does not guess what ${JSON.stringify(text)} means`, () => assert.equal(number.parseNumber(text), undefined));
  it('reads back what it writes', () => {
    for (const value of [0, 0.05, 1e-7, 1, 999, 1000, 131072, 3.5e15]) assert.equal(number.parseNumber(number.writeNumber(value)), value);
  });
});

describe('links', () => {
  const to = (request) => fragment.toFragment(request, start, facts);
  const from = (text) => fragment.fromFragment(text, start, facts);
  it('are empty for the starting request', () => assert.equal(to(start), ''));
  it('hold what differs and give it back', () => {
    let request = start;
    const changes = {
      '/model': 'Qwen/Qwen2.5-7B',
      '/recipe/method': 'lora',
      '/recipe/sequence_length': 8192,
      '/recipe/lora/target_modules': ['q_proj', 'v_proj'],
      '/recipe/packing': true,
      '/recipe/framework': undefined,
    };
    for (const [at, value] of Object.entries(changes)) request = pointer.set(request, at, value);
    const text = to(request);
    assert.match(text, /^v=1&/);
    assert.doesNotMatch(text, /per_device/);
    assert.deepEqual(from(text), { request, ignored: [] });
  });
  it("never hold a customer's own model", () => {
    const text = to(pointer.set(start, '/model', { name: 'secret', config: { hidden_size: 4242, model_type: 'llama' } }));
    assert.equal(text, 'v=1&own=1');
    assert.deepEqual(from(text).request, start);
    assert.equal(from(text).ignored[0].why, 'own');
  });
  it('leave out values the schema does not allow', () => {
    assert.equal(to(pointer.set(start, '/recipe/sequence_length', 'abc')), '');
    assert.equal(to(pointer.set(start, '/recipe/sequence_length', -1)), '');
  });
  it('are none of ours without a version', () => {
    for (const text of ['', 'answer', 'model=x', 'x=1&v=1']) assert.equal(from(text), undefined);
  });
  it('say what they ignored and keep the rest', () => {
    const { request, ignored } = from('v=9&recipe.method=magic&recipe.lora.r=32&constructor=1&__proto__.x=1&recipe.nope=1');
    assert.equal(request.recipe.lora.r, 32);
    assert.deepEqual(
      ignored.map(({ why, key }) => [why, key]),
      [
        ['version', 'v'],
        ['value', 'recipe.method'],
        ['unknown', 'constructor'],
        ['unknown', '__proto__.x'],
        ['unknown', 'recipe.nope'],
      ],
    );
    assert.equal({}.x, undefined);
  });
  it('stand a hundred hostile texts', () => {
    const bits = [
      'v=1',
      '&',
      '=',
      '%',
      '%00',
      '%FF',
      '<script>',
      '"',
      'recipe.sequence_length=',
      '1e999',
      '-1',
      'recipe.',
      '..',
      'model=',
      'a'.repeat(3000),
      '__proto__',
      '\u202e',
    ];
    let seed = 7;
    const next = (n) => (seed = (seed * 48271) % 2147483647) % n;
    for (let round = 0; round < 100; ++round) {
      const text = `v=1&${Array.from({ length: next(12) }, () => bits[next(bits.length)]).join('')}`;
      const link = from(text);
      if (!link) continue;
      assert.equal(typeof link.request, 'object');
      assert.ok(['string', 'undefined'].includes(typeof link.request.model));
    }
  });
});

describe('search', () => {
  const option = (label, group) => ({ value: label, label, group, search: label.toLowerCase() });
  it('finds by all words, best first', () => {
    const options = [
      option('CodeLlama-7B', 'Code'),
      option('Llama-2-7b', 'Llama 2'),
      option('Llama-2-70b', 'Llama 2'),
      option('Mistral-7B', 'Mistral'),
    ];
    assert.deepEqual(
      search.find(options, 'llama 7b').map(({ label }) => label),
      ['Llama-2-7b', 'CodeLlama-7B'],
    );
    assert.equal(search.find(options, '  ').length, 4);
    assert.equal(search.find(options, 'zzz').length, 0);
  });
});

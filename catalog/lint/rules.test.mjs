import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { loadCatalogue } from '../lib/catalogue.mjs';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './rules.mjs';

const found = (change) => messages(check(sound({ rules: (e) => void change(e) })));

test('a sound rule passes', () => assert.deepEqual(check(sound()), []));

test('arithmetic that does not yield the quantity is found', () => {
  assert.match(
    found((e) => (e.arithmetic.of = 'forward_flops')),
    /forward_flops does not make gpu_memory_run/,
  );
  assert.match(
    found((e) => delete e.arithmetic.value),
    /value is missing/,
  );
  assert.match(
    found((e) => delete e.arithmetic.of),
    /"of" is given exactly/,
  );
  assert.match(
    found((e) => (e.arithmetic.value = [20, 16])),
    /low is above high/,
  );
  assert.match(
    found((e) => (e.predicts = 'data')),
    /predicted in words/,
  );
  assert.match(
    found((e) =>
      Object.assign(e, {
        predicts: 'nvme',
        arithmetic: { form: 'times', of: 'node_gpu_memory_bytes', value: [4, 4], plus: 'activations' },
      }),
    ),
    /no part of nvme/,
  );
});

test('a constant in gigabytes is found', () => {
  assert.match(
    found((e) => (e.arithmetic = { form: 'constant', value: [40, 50] })),
    /40,50 is implausible/,
  );
});

test('what a rule refers to exists', () => {
  assert.match(
    found((e) => (e.see = ['nothing'])),
    /no term of the glossary/,
  );
  assert.match(
    found((e) => (e.when = { parameters: [8e9, 6e9] })),
    /from is above to/,
  );
});

test('methods and offloads of the rules are those of the request', () => {
  const schema = JSON.parse(readFileSync(new URL('../../engine/json/schema/request.schema.json', import.meta.url), 'utf8'));
  const known = { methods: schema.$defs.recipe.properties.method.enum, offload: schema.$defs.placement.properties.offload.enum };
  for (const { entry } of loadCatalogue().rules)
    for (const [member, values] of Object.entries(known))
      for (const v of entry.when?.[member] ?? []) assert.ok(values.includes(v), `${entry.id}: ${member} ${v}`);
});

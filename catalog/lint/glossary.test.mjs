import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { loadCatalogue } from '../lib/catalogue.mjs';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check, plain } from './glossary.mjs';

const found = (more) => messages(check(sound({ glossary: (e) => void Object.assign(e, more) })));

test('a sound term passes', () => assert.deepEqual(check(sound()), []));

test('a name that stands twice is found, whatever the spelling', () => {
  const twice = (e) => [e, { ...e, id: 'b', term: 'ACME-Term', aliases: [] }];
  assert.match(messages(check(sound({ glossary: twice }))), /"acme term" already names acme-term/);
});

test('see leads to another term', () => {
  assert.match(found({ see: ['nothing'] }), /nothing, which does not exist/);
  assert.match(found({ see: ['acme-term'] }), /the term itself/);
});

test('a text is at most three sentences', () => {
  assert.match(found({ text: 'no capital and no end' }), /capital letter/);
  assert.match(found({ text: 'One is. Two is. Three is. Four is.' }), /4 sentences/);
});

// Every technical value that the form offers is explained, by its id or an alias.
test('values of the request that are technical terms are in the glossary', () => {
  const schema = JSON.parse(readFileSync(new URL('../../engine/json/schema/request.schema.json', import.meta.url), 'utf8'));
  const names = new Set(loadCatalogue().glossary.flatMap(({ entry: e }) => [e.id, e.term, ...(e.aliases ?? [])].map(plain)));
  const recipe = schema.$defs.recipe.properties;
  const placement = schema.$defs.placement.properties;
  const offered = {
    method: recipe.method,
    objective: recipe.objective,
    optimizer: recipe.optimizer,
    attention: recipe.attention,
    loss: recipe.loss,
    mixed_precision: recipe.mixed_precision,
    gradient_checkpointing: recipe.gradient_checkpointing,
    kbit_prep: recipe.kbit_prep,
    scheme: schema.$defs.quantization.properties.scheme,
    sharding: placement.sharding,
    offload: placement.offload,
  };
  // Words that mean what they say.
  const plainWords = new Set(['none', 'no', 'full']);
  const missing = [];
  for (const [field, { enum: values }] of Object.entries(offered)) {
    assert.ok(values.length > 1, field);
    for (const value of values) if (value && !plainWords.has(value) && !names.has(plain(value))) missing.push(`${field}: ${value}`);
  }
  assert.deepEqual(missing, []);
});

test('items of the answer are in the glossary', () => {
  const items = [
    ...[
      'logits',
      'gradients',
      'rotary tables',
      'library workspace',
      'context',
      'master weights',
      'quantization constants',
      'optimizer state',
    ],
    ...[
      'activations',
      'allocated',
      'reserved',
      'device',
      'headroom',
      'fit probability',
      'verdict',
      'interval',
      'autocast',
      'dequantized weights',
    ],
  ];
  const names = new Set(loadCatalogue().glossary.flatMap(({ entry: e }) => [e.id, e.term, ...(e.aliases ?? [])].map(plain)));
  assert.deepEqual(
    items.filter((i) => !names.has(plain(i))),
    [],
  );
});

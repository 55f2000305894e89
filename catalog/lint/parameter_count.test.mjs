import assert from 'node:assert/strict';
import test from 'node:test';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './parameter_count.mjs';

test('dimensions that give the published number pass', () => assert.deepEqual(check(sound()), []));

test('a count more than 0.5 % away is found unless the entry says why', () => {
  assert.match(messages(check(sound({ models: (e) => void (e.intermediate_size = 11500) }))), /published are 6738415616 \(2\.87 %\)/);
  assert.deepEqual(check(sound({ models: (e) => void Object.assign(e, { intermediate_size: 11500, diff_note: 'an experiment' }) })), []);
});

test('no published number needs a reason', () => {
  assert.match(messages(check(sound({ models: (e) => void delete e.params_total }))), /no published number/);
});

test('a kind of block that cannot be counted is found', () => {
  assert.match(
    messages(check(sound({ models: (e) => void (e.attention_groups = [{ layers: 32, type: 'magic' }]) }))),
    /unknown kind of mixer: magic/,
  );
});

test('dimensions are taken from the model named in dims_of', () => {
  const twins = (e) => [e, { id: 'acme-7b-chat', hf_id: 'acme/chat', kind: 'dense', dims_of: 'acme-7b', params_total: 6738415616 }];
  assert.deepEqual(check(sound({ models: twins })), []);
  const wrong = (e) => [e, { id: 'acme-8b', hf_id: 'acme/8b', kind: 'dense', dims_of: 'acme-7b', params_total: 8030261248 }];
  assert.match(messages(check(sound({ models: wrong }))), /published are 8030261248/);
});

test('published counts of blocks that the engine cannot size yet', async () => {
  // facts of the hub: parameter counts in the safetensors headers
  const { loadCatalogue, withDimensions } = await import('../lib/catalogue.mjs');
  const { countParameters } = await import('../lib/count.mjs');
  const catalogue = loadCatalogue();
  const byId = new Map(catalogue.models.map(({ entry }) => [entry.id, entry]));
  const published = {
    'qwen3-30b-a3b': 30532122624,
    'gemma-3-4b-pt': 4300079472,
    'mixtral-8x7b-v0.1': 46702792704,
    'deepseek-v2-lite': 15706484224,
    'olmoe-1b-7b-0125': 6919161856,
    'qwen2.5-vl-7b-instruct': 8292166656,
    'qwen3-vl-8b-instruct': 8767123696,
    'llava-1.5-7b-hf': 7063427072,
    'llama-3.2-11b-vision-instruct': 10670220835,
    'kimi-linear-48b-a3b-instruct': 49122681728,
    'lfm2-1.2b': 1170340608,
    'nvidia-nemotron-nano-9b-v2': 8888227328,
    'granite-4.0-h-micro': 3191396096,
    'falcon-h1-0.5b-base': 521411104,
    'llama-4-maverick-17b-128e-instruct': 401583781376,
    'mamba-130m-hf': 129135360,
    'bge-base-en-v1.5': 109482240,
  };
  for (const [id, count] of Object.entries(published)) {
    assert.ok(byId.has(id), id);
    assert.equal(countParameters(withDimensions(byId.get(id), byId, catalogue.schemas.model)), count, id);
  }
});

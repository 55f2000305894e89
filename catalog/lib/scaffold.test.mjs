import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canonical } from '../lint/canonical.mjs';
import { entriesOf, SCHEMA_OF } from './catalogue.mjs';
import { findingsOf } from './linters.mjs';
import { blankEntry, idOf, modelEntry, place, Refused } from './scaffold.mjs';
import { sound } from './sound_catalogue.mjs';

const files = (catalogue) => [
  { path: 'models/acme.json', kind: 'models', data: { family: 'Acme', owner: 'Acme', models: catalogue.models.map(({ raw }) => raw) } },
  { path: 'accelerators/acme-one.json', kind: 'accelerators', data: { vendor: 'Acme', accelerators: [{ id: 'a', architecture: 'One' }] } },
  { path: 'accelerators/acme-two.json', kind: 'accelerators', data: { vendor: 'Acme', accelerators: [{ id: 'b', architecture: 'Two' }] } },
  { path: 'systems/boxes.json', kind: 'systems', data: { group: 'boxes', systems: [] } },
];
const catalogue = sound();
catalogue.files = files(catalogue);

// What the linters say of a new entry once it stands in its file.
async function judged(kind, file) {
  const text = canonical(file, catalogue.schemas);
  const changed = sound();
  changed[kind].push(entriesOf(kind, JSON.parse(text), file.path).at(-1));
  changed.files = [{ path: file.path, text, data: JSON.parse(text), kind }];
  const findings = await findingsOf(changed);
  return { findings: findings.filter(({ id }) => id === 'acme-new'), format: findings.filter(({ linter }) => linter === 'canonical') };
}

const GIVEN = {
  accelerators: { id: 'acme-new', name: 'New', vendor: 'Acme', architecture: 'One' },
  systems: { id: 'acme-new', name: 'New', group: 'boxes' },
  offers: { id: 'acme-new', name: 'New', provider: 'Acme' },
};

for (const [kind, given] of Object.entries(GIVEN)) {
  test(`${kind}: the first form has every member one must know, in canonical form, and the linters name what is missing`, async () => {
    const schema = catalogue.schemas[SCHEMA_OF[kind]];
    const entry = blankEntry(kind, given, schema);
    const { findings, format } = await judged(kind, place(kind, entry, given, catalogue));
    assert.deepEqual(format, []);
    const said = findings.map(({ message }) => message).join('\n');
    assert.match(said, /^no source: name one/m);
    assert.match(said, /^\/basis is not filled in: /m);
    for (const member of schema.required.filter((m) => entry[m] === null && m !== 'accelerator')) {
      assert.match(said, new RegExp(`^/${member} is not filled in: `, 'm'));
    }
    assert.doesNotMatch(JSON.stringify(entry), /todo/i);
  });
}

const READ = {
  kind: 'dense',
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  basis: 'config',
  hidden_size: 2048,
  intermediate_size: 5632,
  num_layers: 22,
  num_attention_heads: 32,
  num_kv_heads: 4,
  head_dim: 64,
  vocab_size: 32000,
  tie_word_embeddings: false,
  position: 'rope',
};

test('a model has what its configuration says, and the linters ask for the rest', async () => {
  const given = { id: 'acme-new', family: 'acme' };
  const file = place('models', modelEntry(READ, given, catalogue), given, catalogue);
  assert.equal(file.path, 'models/acme.json');
  const { findings, format } = await judged('models', file);
  assert.deepEqual(format, []);
  const said = findings.map(({ message }) => message).join('\n');
  for (const member of ['release', 'params_total', 'params_total_basis'])
    assert.match(said, new RegExp(`^/${member} is not filled in: `, 'm'));
  assert.match(said, /^no published number/m);
});

test('the dimensions of another model are not repeated', () => {
  const { id, ...base } = catalogue.models[0].entry;
  const entry = modelEntry({ ...base, gated: true, mlp_bias: false }, { id: 'acme-new', family: 'Acme' }, catalogue);
  assert.equal(entry.dims_of, id);
  assert.equal(entry.hidden_size, undefined);
  assert.equal(modelEntry({ ...base, mlp_bias: true }, { id: 'acme-new' }, catalogue).dims_of, undefined);
});

test('an entry goes where its neighbours are, or into a new file', () => {
  const path = (kind, given) => place(kind, { id: 'acme-new' }, given, catalogue).path;
  assert.equal(path('accelerators', { vendor: 'acme', architecture: 'two' }), 'accelerators/acme-two.json');
  assert.equal(path('accelerators', { vendor: 'Acme', architecture: 'Three' }), 'accelerators/acme-three.json');
  assert.equal(path('offers', { provider: 'New & Old Cloud' }), 'offers/new-old-cloud.json');
  const { data } = place('models', { id: 'acme-new' }, { family: 'Acme', owner: 'Somebody' }, catalogue);
  assert.equal(data.models.at(-1).owner, 'Somebody');
});

test('what cannot be placed is refused with the reason', () => {
  const refused = (kind, entry, given, reason) =>
    assert.throws(
      () => place(kind, entry, given, catalogue),
      (e) => e instanceof Refused && reason.test(e.message),
    );
  refused('models', {}, { family: 'Acme' }, /--id is missing/);
  refused('models', { id: 'Acme 7B' }, { family: 'Acme' }, /is no id: lower case/);
  refused('models', { id: 'acme-7b' }, { family: 'Acme' }, /acme-7b in catalog\/models\/acme.json has that id already/);
  refused('models', { id: 'x', hf_id: 'ACME/acme-7b' }, { family: 'Acme' }, /has that id already/);
  refused('models', { id: 'x', hf_id: 'no slash' }, { family: 'Acme' }, /OWNER\/NAME/);
  refused('models', { id: 'x' }, {}, /--family is missing/);
  refused('systems', { id: 'x' }, {}, /--group is missing/);
  refused('models', { id: 'x' }, { family: 'acme!' }, /catalog\/models\/acme.json exists, and its family is not acme!/);
});

test('a hub name gives an id', () => assert.equal(idOf('Acme-AI/Acme_Chat-3.1-8B'), 'acme-chat-3.1-8b'));

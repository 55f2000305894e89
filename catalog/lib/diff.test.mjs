import assert from 'node:assert/strict';
import { test } from 'node:test';
import { built, differences } from './diff.mjs';
import { sound } from './sound_catalogue.mjs';

const KINDS = ['models', 'accelerators', 'systems', 'offers', 'frameworks'];
const compare = (changes) => differences(built(sound(), KINDS), built(sound(changes), KINDS));
const of = (kind, diff) => diff.find((d) => d.kind === kind);

test('the same catalogue does not differ', () => {
  for (const { added, removed, changed } of compare({})) assert.deepEqual([added, removed, changed], [[], [], []]);
});

test('an entry that came and one that went', () => {
  const models = of('models', compare({ models: (entry) => ({ ...entry, id: 'acme-8b' }) }));
  assert.deepEqual([models.added, models.removed, models.changed, models.entries], [['acme-8b'], ['acme-7b'], [], 1]);
});

test('a changed member: old and new, by pointer', () => {
  const diff = compare({
    systems: (entry) => {
      entry.nodes = 4;
      entry.price = { purchase_usd: 9000, date: '2026-01', source: 'https://example.org' };
      delete entry.vendor;
    },
  });
  assert.deepEqual(of('systems', diff).changed, [
    {
      id: 'acme-box',
      members: [
        { pointer: '/vendor', old: 'Acme', new: undefined },
        { pointer: '/nodes', old: 2, new: 4 },
        { pointer: '/price', old: undefined, new: { purchase_usd: 9000, date: '2026-01', source: 'https://example.org' } },
      ],
    },
  ]);
});

test('null, absent and an empty list are one; the order of members is nothing', () => {
  const diff = compare({
    accelerators: (entry) => ({ ...Object.fromEntries(Object.entries(entry).reverse()), note: null, fields_from_memory: [] }),
  });
  assert.deepEqual(of('accelerators', diff).changed, []);
});

test('of a list of rules the ones that came and went', () => {
  const { changed } = of(
    'frameworks',
    compare({ frameworks: (entry) => void entry.defaults.unshift({ pointer: '/recipe/loss', value: 'chunked' }) }),
  );
  assert.deepEqual(changed[0].members, [{ pointer: '/defaults/-', old: undefined, new: { pointer: '/recipe/loss', value: 'chunked' } }]);
  const twice = of('frameworks', compare({ frameworks: (entry) => void entry.habits.push(entry.habits[0]) }));
  assert.equal(twice.changed[0].members.length, 1);
});

test('tables are told row by row, and a kind that one side lacks', () => {
  const before = built({ tables: { transformers: { llama: { fused_qkv: false } } } }, []);
  const after = built({ tables: { transformers: { llama: { fused_qkv: true } }, runtime: { context: [{ bytes: 1 }] } } }, []);
  const diff = differences(before, after);
  assert.deepEqual(of('transformers', diff).changed, [{ id: 'llama', members: [{ pointer: '/fused_qkv', old: false, new: true }] }]);
  assert.deepEqual(of('runtime', diff).added, ['context']);
  const licences = (name) => built({ tables: { licences: { licences: [{ id: 'mit', name }] } } }, []);
  const [change] = of('licences', differences(licences('MIT'), licences('The MIT License'))).changed;
  assert.deepEqual(change, { id: 'mit', members: [{ pointer: '/name', old: 'MIT', new: 'The MIT License' }] });
});

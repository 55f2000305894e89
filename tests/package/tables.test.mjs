// catalogue KIND: tables for a person, with sources, in the width of the terminal; arrays for a program.
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogueTable } from '../../wasm/package/cli/catalogue_table.mjs';
import { fitted, wrapped } from '../../wasm/package/cli/columns.mjs';
import { root, run } from './installed.mjs';

const catalogue = (words, width) =>
  run(process.execPath, [join(root, 'dist/npm/cli.mjs'), 'catalogue', ...words], { env: { ...process.env, COLUMNS: width ?? '' } });

// Rows of a table as {heading: cell}, by where the underlines stand.
function read(text) {
  const [head, underline, ...rest] = text.split('\n');
  const spans = [...underline.matchAll(/-+/g)].map(({ index, 0: dashes }) => [index, index + dashes.length]);
  const cells = (line) => spans.map(([from, to]) => line.slice(from, to).trim());
  const names = cells(head);
  return rest
    .slice(0, rest.indexOf('') < 0 ? undefined : rest.indexOf(''))
    .map((line) => Object.fromEntries(cells(line).map((c, i) => [names[i], c])));
}

const KINDS = {
  models: ['parameters', 'kind', 'context', 'licence', 'owner', 'release', 'Hugging Face'],
  accelerators: ['marketed', 'reported', 'bf16 TFLOPS', 'bandwidth', 'W', 'software', 'name'],
  systems: ['accelerators', 'nodes', 'RAM a node', 'W', 'dBA', 'USD', 'priced', 'name'],
  offers: ['accelerators', 'RAM a node', 'USD per hour', 'spot', 'priced', 'name'],
};

for (const [kind, headings] of Object.entries(KINDS)) {
  test(`${kind}: a row for each entry, every cell filled, basis and source beside it`, async () => {
    const [table, json] = await Promise.all([catalogue([kind]), catalogue([kind, '--json'])]);
    assert.equal(table.status, 0, table.stderr);
    const [rows, entries] = [read(table.stdout), JSON.parse(json.stdout)];
    assert.ok(entries.length > 40);
    assert.deepEqual(
      rows.map(({ id }) => id),
      entries.map(({ id }) => id),
    );
    assert.deepEqual(Object.keys(rows[0]).toSorted(), ['id', 'basis', 'source', ...headings].toSorted());
    for (const [i, row] of rows.entries()) {
      for (const [heading, cell] of Object.entries(row))
        assert.ok(cell && !/\[object|undefined|NaN/.test(cell), `${row.id}: ${heading} is "${cell}"`);
      assert.equal(row.basis, entries[i].basis ?? 'unknown');
      if (entries[i].sources?.length) assert.ok(row.source.startsWith(entries[i].sources[0].slice(0, 40)), `${row.id}: ${row.source}`);
    }
  });
}

test('models llama: what the issue shows', async () => {
  const rows = read((await catalogue(['models', 'llama'])).stdout);
  assert.ok(rows.length > 20);
  const row = rows.find(({ id }) => id === 'llama-3.1-8b');
  assert.equal(row.parameters, '8.03 B');
  assert.equal(row.context, '131,072');
  assert.match(row.licence, /Llama 3\.1.*\(conditional\)/);
});

test('what no source gives is unknown, what nobody checked has a star, and both are explained', () => {
  const entries = [
    {
      id: 'a',
      basis: 'mixed',
      sources: ['s/t@1234567 x', 'u/v@1234567 y'],
      power_w: 300,
      fields_from_memory: ['power_w'],
      supports: { bf16: true, fp8: 'partial', flash_attention_3: false },
    },
    { id: 'b', basis: 'memory', sources: [] },
  ];
  const text = catalogueTable('accelerators', entries);
  const [a, b] = read(text);
  assert.equal(a.W, '300*');
  assert.equal(a.reported, 'unknown');
  assert.equal(a.source, 's/t@1234567 x (+1)');
  assert.equal(a.software, 'bf16, FA2 unknown, no FA3, bitsandbytes unknown, fp8 in part');
  assert.deepEqual([b.W, b.source, b.basis], ['unknown', 'none', 'memory']);
  assert.match(text, /\* no source confirms it; unknown: no source gives it; \(\+n\): n more sources/);
  const model = {
    id: 'm',
    params_total: 7e9,
    params_total_basis: 'memory',
    licence: { name: 'MIT', basis: 'memory' },
    release: '2024',
    release_basis: 'memory',
  };
  const [row] = read(catalogueTable('models', [model]));
  assert.deepEqual([row.parameters, row.licence, row.release, row.basis], ['7.00 B*', 'MIT*', '2024*', 'unknown']);
});

test('a table is as wide as the terminal, and says what it left out', async () => {
  for (const kind of Object.keys(KINDS)) {
    for (const width of [100, 120, 160, 200]) {
      const { stdout } = await catalogue([kind, 'nvidia'].slice(0, kind === 'models' ? 1 : 2), String(width));
      const [table, notes] = stdout.split('\n\n');
      const widest = Math.max(...table.split('\n').map((line) => line.length));
      assert.ok(widest <= width, `${kind} at ${width}: ${widest}`);
      const shown = Object.keys(read(table));
      if (width <= 120 && shown.length < KINDS[kind].length + 3) assert.match(notes ?? '', /left out for want of room: /);
      assert.match(table, /source/);
    }
  }
});

test('columns are cut before they go, and go in order', () => {
  const columns = [{ head: 'id' }, { head: 'long', cut: true, least: 5 }, { head: 'first to go', drop: 2 }, { head: 'next', drop: 1 }];
  const rows = [['x', 'abcdefghijklmnop', '1', '2']];
  const at = (width) => fitted(columns, rows, width);
  assert.deepEqual(at(Infinity).dropped, []);
  assert.match(at(35).text, /abcdefgh.*…/);
  assert.deepEqual(at(20).dropped, ['first to go']);
  assert.deepEqual(at(10).dropped, ['next', 'first to go']);
  assert.match(at(1).text, /^id {2}long/);
});

test('a terminal never sees control characters of an entry', () => {
  const text = catalogueTable('systems', [{ id: 'x', name: 'a\u001b[31m\u0007b', sources: ['\u009b'] }]);
  assert.doesNotMatch(text, /[\u001b\u0007\u009b]/); // eslint-disable-line no-control-regex
  const block = catalogueTable('glossary', [{ id: 'x', term: 'a\u001bb', text: 'c\u0007d' }]);
  assert.doesNotMatch(block, /[\u001b\u0007]/); // eslint-disable-line no-control-regex
});

test('nothing found is said', async () => {
  assert.equal((await catalogue(['systems', 'no such system'])).stdout, 'No systems match "no such system".\n');
  assert.equal((await catalogue(['systems', 'no such system', '--json'])).stdout, '[]\n');
});

test('kinds that are texts are blocks', () => {
  const term = { id: 'zero-3', term: 'ZeRO stage 3', text: 'word '.repeat(40).trim(), aliases: ['zero3'], source: 's/t@1234567 x' };
  const text = catalogueTable('glossary', [term], 60);
  assert.match(text, /^ZeRO stage 3 \(zero-3\)\n {4}word word/);
  assert.match(text, /\n {4}aliases: zero3\n {4}source: s\/t@1234567 x$/);
  assert.ok(Math.max(...text.split('\n').map((line) => line.length)) <= 60);
  const rule = { id: 'r', rule: 'Twice the weights', holds: 'sometimes', misleads: 'often', source: 'a guide' };
  assert.match(
    catalogueTable('rules', [rule, rule]),
    /^Twice the weights \(r\)\n {4}holds: sometimes\n {4}misleads: often\n {4}source: a guide\n\nTwice/,
  );
  assert.equal(wrapped('', 10), '');
});

// The embedded form holds what the files say, in a form that the engine can cut without parsing.
import assert from 'node:assert/strict';
import test from 'node:test';
import { loadCatalogue } from '../lib/catalogue.mjs';
import { asCpp, embeddedParts, SHARED_TEXT } from '../lib/embed.mjs';

const catalogue = loadCatalogue();
const parts = embeddedParts(catalogue, { type: 'object' });

test('the same files give the same bytes and version', () => {
  const again = embeddedParts(loadCatalogue(), { type: 'object' });
  assert.deepEqual(again, parts);
  assert.match(parts.Version, /^[0-9a-f]{12}$/);
  assert.match(parts.Date, /^\d{4}-\d{2}-\d{2}$/);
});

test('a changed fact gives another version', () => {
  const other = loadCatalogue();
  other.accelerators[0].entry.power_w += 1;
  assert.notEqual(embeddedParts(other, { type: 'object' }).Version, parts.Version);
});

test('one model a line: a head that begins with its ids, a tab, the rest', () => {
  const lines = parts.Models.trimEnd().split('\n');
  assert.equal(lines.length, catalogue.models.length);
  lines.forEach((line, i) => {
    const { id, hf_id } = catalogue.models[i].entry;
    assert.ok(line.startsWith(`{"id":"${id}","hf_id":"${hf_id}"`), id);
    const [head, rest, ...more] = line.split('\t');
    assert.equal(more.length, 0);
    assert.ok(JSON.parse(head) && JSON.parse(rest));
  });
});

test('nothing is lost but nulls, empty lists and defaults', () => {
  const texts = JSON.parse(parts.Texts);
  const families = JSON.parse(parts.Families);
  const back = (v, key = '') => {
    const shared = [...SHARED_TEXT];
    if (shared.includes(key)) return Array.isArray(v) ? v.map((n) => texts[n]) : texts[v];
    if (Array.isArray(v)) return v.map((x) => back(x));
    return v && typeof v === 'object' ? Object.fromEntries(Object.entries(v).map(([k, x]) => [k, back(x, k)])) : v;
  };
  const full = (v) =>
    v && typeof v === 'object' && !Array.isArray(v)
      ? Object.fromEntries(
          Object.entries(v)
            .filter(([, x]) => !nothing(x))
            .map(([k, x]) => [k, full(x)]),
        )
      : v;
  const nothing = (v) => v === null || (Array.isArray(v) && !v.length);
  const properties = catalogue.schemas.model.properties;
  parts.Models.trimEnd()
    .split('\n')
    .forEach((line, i) => {
      const [head, rest] = line.split('\t').map((t) => JSON.parse(t));
      const { family, ...own } = { ...head, ...rest };
      const read = back({ ...families[family], ...own });
      for (const [k, v] of Object.entries(catalogue.models[i].entry)) {
        if (k in read) assert.deepEqual(read[k], full(v), `${read.id} ${k}`);
        else assert.ok(nothing(v) || v === properties[k]?.default, `${read.id} lost ${k}`);
      }
    });
});

test('the C++ source is plain characters only', () => {
  const source = asCpp({ ...parts, Models: parts.Models.slice(0, 2000) });
  assert.match(source, /^[\t\n -~]*$/);
  for (const text of Object.values(parts)) assert.ok(Buffer.from(text).every((b) => b < 128));
  for (const name of Object.keys(parts)) assert.match(source, new RegExp(`const std::string_view k${name}[ {]`));
});

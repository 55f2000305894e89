import assert from 'node:assert/strict';
import test from 'node:test';
import { loadCatalogue } from '../lib/catalogue.mjs';
import { licenceTable } from '../lib/licences.mjs';
import { messages, sound } from '../lib/sound_catalogue.mjs';
import { check } from './licences.mjs';

const OPEN = { id: 'acme-open', name: 'Acme Open', class: 'permissive', mind: [], basis: 'sources', sources: ['https://example.org/open'] };
const NC = { ...OPEN, id: 'acme-nc', name: 'Acme NC', class: 'non-commercial', mind: ['No commercial use.', 'The maker is named.'] };

// The sound catalogue with these licences, as read from the file, and with the model's licence changed.
function catalogue(licences, model) {
  const c = sound({ models: model });
  c.tables = { licences: { licences } };
  c.files = [{ path: 'licences.json' }];
  return c;
}
const found = (licences, model) => messages(check(catalogue(licences, model)));

test('a sound catalogue passes, the real one too', () => {
  assert.equal(found([OPEN]), '');
  assert.equal(messages(check(loadCatalogue())), '');
});

test('a reference must lead to a licence, and nowhere else', () => {
  assert.match(
    found([OPEN], (e) => void (e.licence.id = 'acme-closed')),
    /there is no licence acme-closed/,
  );
  assert.match(
    found([OPEN], (e) => void (e.licence.base = ['acme-closed'])),
    /there is no licence acme-closed/,
  );
  assert.match(
    found([OPEN], (e) => void (e.licence.base = ['acme-open'])),
    /base names the licence itself/,
  );
  assert.match(
    found([OPEN], (e) => void Object.assign(e.licence, { class: 'permissive' })),
    /licence has an id and a class of its own/,
  );
  assert.match(
    found([OPEN], (e) => void delete e.licence.id),
    /the licence has no id/,
  );
});

test('an orphan and a double are found', () => {
  assert.match(found([OPEN, NC]), /no model is under this licence/);
  assert.match(found([OPEN, OPEN]), /stands twice/);
});

test('class, what to mind and basis agree', () => {
  assert.match(found([{ ...OPEN, class: 'conditional' }]), /is conditional but does not say what to mind/);
  assert.match(found([{ ...OPEN, class: 'non-commercial', mind: ['The maker is named.'] }]), /begins with what is not allowed/);
  assert.match(found([{ ...OPEN, class: 'conditional', mind: NC.mind }]), /its class is "non-commercial"/);
  assert.match(found([{ ...OPEN, mind: ['Keep the notices'] }]), /mind is made of sentences/);
  assert.match(found([{ ...OPEN, basis: 'memory' }]), /though there are sources/);
  assert.match(found([{ ...OPEN, sources: [] }]), /no source: name one/);
  assert.match(found([{ ...OPEN, basis: 'mixed' }]), /say in note what was not read/);
  assert.match(found([{ ...OPEN, sources: ['the licence'] }]), /not a source: the licence/);
});

test('the shape is that of the schema', () => {
  assert.match(found([{ ...OPEN, class: 'free' }]), /\/class must be equal to one of the allowed values/);
  assert.match(found([{ ...OPEN, link: 'example.org' }]), /\/link must match pattern/);
});

test('the table has what each licence brings', () => {
  const c = loadCatalogue();
  const table = licenceTable(c.tables.licences.licences);
  for (const { entry } of c.models) {
    for (const id of [entry.licence.id, ...(entry.licence.base ?? [])]) {
      const row = table[id];
      assert.ok(row, entry.id);
      if (row.class !== 'permissive') assert.ok(row.mind.length > 0, entry.id);
    }
  }
});

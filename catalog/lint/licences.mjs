// Licences say what to mind; models name one that exists, and none stands there unused.
import Ajv from 'ajv/dist/2020.js';
import { FORMATS } from '../lib/formats.mjs';
import { wellFormed } from './sources.mjs';

export const name = 'licences';

const FILE = 'licences.json';
const FORBIDS = /commercial|research|evaluation|production/i;

export function check(catalogue) {
  const licences = catalogue.tables.licences?.licences ?? [];
  const findings = [];
  const byId = new Map();
  for (const licence of licences) {
    const say = (message) => findings.push({ file: FILE, id: licence.id, message });
    if (byId.has(licence.id)) say('stands twice');
    byId.set(licence.id, licence);
  }
  const whole = catalogue.files.some((f) => f.path === FILE);
  if (whole && catalogue.schemas.licence) findings.push(...shape(licences, catalogue.schemas.licence));
  for (const licence of licences) terms(licence, (message) => findings.push({ file: FILE, id: licence.id, message }));
  const used = new Set();
  for (const { entry, file } of catalogue.models) {
    if (entry.licence) reference(entry.licence, byId, used, (message) => findings.push({ file, id: entry.id, message }));
  }
  if (whole) {
    for (const id of byId.keys())
      if (!used.has(id)) findings.push({ file: FILE, id, message: 'no model is under this licence: remove it' });
  }
  return findings;
}

function shape(licences, schema) {
  const ajv = new Ajv({ allErrors: true, strict: true });
  for (const [format, pattern] of Object.entries(FORMATS)) ajv.addFormat(format, pattern);
  const validate = ajv.compile(schema);
  return licences.flatMap((licence) =>
    validate(licence)
      ? []
      : validate.errors.map((e) => ({ file: FILE, id: licence.id, message: `${e.instancePath || 'the licence'} ${e.message}` })),
  );
}

// Class, what to mind and basis of one licence agree with each other.
function terms({ class: kind, mind = [], basis, sources = [], note }, say) {
  if (kind !== 'permissive' && !mind.length) say(`is ${kind} but does not say what to mind`);
  if (kind === 'non-commercial' && mind.length && !FORBIDS.test(mind[0])) say('is non-commercial: mind begins with what is not allowed');
  if (kind !== 'non-commercial' && mind.some((m) => /^No commercial use/.test(m)))
    say('forbids commercial use: its class is "non-commercial"');
  for (const m of mind) if (!/\.$/.test(m)) say(`mind is made of sentences: ${m}`);
  if (basis === 'memory' && sources.length) say('basis is "memory" though there are sources');
  if (basis !== 'memory' && !sources.length) say('no source: name one, or set basis to "memory"');
  if (basis === 'mixed' && !note) say('basis is "mixed": say in note what was not read');
  for (const source of sources) if (!wellFormed(source)) say(`not a source: ${source}`);
}

// What a model says of its licence.
function reference(licence, byId, used, say) {
  if (!licence.id) {
    say('the licence has no id: name one of catalog/licences.json, or add it there');
    return;
  }
  for (const member of ['name', 'class', 'mind']) {
    if (member in licence) say(`licence has an id and a ${member} of its own: the ${member} stands in catalog/licences.json`);
  }
  for (const id of [licence.id, ...(licence.base ?? [])]) {
    if (!byId.has(id)) say(`there is no licence ${id}`);
    used.add(id);
  }
  if (licence.base?.includes(licence.id)) say('base names the licence itself');
  for (const source of licence.sources ?? []) if (!wellFormed(source)) say(`the licence's source leads nowhere: ${source}`);
}

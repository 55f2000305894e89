// Every entry has the shape that its schema describes.
import Ajv from 'ajv/dist/2020.js';
import { FORMATS } from '../lib/formats.mjs';
import { KINDS, SCHEMA_OF } from '../lib/catalogue.mjs';

export const name = 'schema';

export function check(catalogue) {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true, verbose: true });
  for (const [format, pattern] of Object.entries(FORMATS)) ajv.addFormat(format, pattern);
  for (const keyword of ['dimensions', 'x-plausible']) ajv.addKeyword(keyword);
  const findings = [];
  for (const kind of KINDS) {
    const validate = ajv.compile(catalogue.schemas[SCHEMA_OF[kind]]);
    for (const { entry, file } of catalogue[kind]) {
      if (validate(entry)) continue;
      const schema = catalogue.schemas[SCHEMA_OF[kind]];
      const messages = new Set(validate.errors.map((e) => sentence(e, schema)));
      for (const message of messages) findings.push({ file, id: entry.id, message });
    }
  }
  return findings;
}

function sentence(e, schema) {
  const place = e.instancePath || 'the entry';
  if (e.data === null) return notFilledIn(place, schema);
  if (e.keyword === 'additionalProperties') return `${place} has an unknown member ${e.params.additionalProperty}`;
  if (e.keyword === 'enum') return `${place} must be one of ${e.params.allowedValues.join(', ')}`;
  return `${place} ${e.message}`;
}

// A scaffold's null: what is to be looked up, and what to do where it cannot be found.
function notFilledIn(place, { properties, required }) {
  const member = place.slice(1);
  const meaning = properties[member]?.description;
  if (!meaning) return `${place} is not filled in`;
  if (properties.absent?.properties[member])
    return `${place} is not filled in: ${meaning} Where there is none, leave it out and say why in absent.`;
  const may = ![...required, 'basis', 'licence'].includes(member);
  return `${place} is not filled in: ${meaning}${may ? ' Leave it out where no source gives it.' : ''}`;
}

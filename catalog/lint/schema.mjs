// Every entry has the shape that its schema describes.
import Ajv from 'ajv/dist/2020.js';
import { FORMATS } from '../lib/formats.mjs';
import { KINDS, SCHEMA_OF } from '../lib/catalogue.mjs';

export const name = 'schema';

export function check(catalogue) {
  const ajv = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true });
  for (const [format, pattern] of Object.entries(FORMATS)) ajv.addFormat(format, pattern);
  ajv.addKeyword('dimensions');
  const findings = [];
  for (const kind of KINDS) {
    const validate = ajv.compile(catalogue.schemas[SCHEMA_OF[kind]]);
    for (const { entry, file } of catalogue[kind]) {
      if (validate(entry)) continue;
      for (const e of validate.errors) findings.push({ file, id: entry.id, message: sentence(e) });
    }
  }
  return findings;
}

function sentence(e) {
  const place = e.instancePath || 'the entry';
  if (e.keyword === 'additionalProperties') return `${place} has an unknown member ${e.params.additionalProperty}`;
  if (e.keyword === 'enum') return `${place} must be one of ${e.params.allowedValues.join(', ')}`;
  return `${place} ${e.message}`;
}

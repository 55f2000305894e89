// An id names one entry of its kind, whatever the case; so does a hub repository.
import { KINDS } from '../lib/catalogue.mjs';

export const name = 'unique_ids';

export function check(catalogue) {
  const findings = [];
  for (const kind of KINDS) {
    const seen = new Map();
    for (const { entry, file } of catalogue[kind]) {
      for (const key of new Set([entry.id, entry.hf_id].filter(Boolean).map((k) => k.toLowerCase()))) {
        if (seen.has(key)) findings.push({ file, id: entry.id, message: `${key} already names an entry in ${seen.get(key)}` });
        else seen.set(key, file);
      }
    }
  }
  // Systems and offers are asked for by the same member of a request.
  const systems = new Set(catalogue.systems.map(({ entry }) => entry.id));
  for (const { entry, file } of catalogue.offers) {
    if (systems.has(entry.id))
      findings.push({ file, id: entry.id, message: 'a system has this id; systems and offers share one set of ids' });
  }
  return findings;
}

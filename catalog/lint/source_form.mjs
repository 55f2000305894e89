// Sources inside an entry (of a price, a measurement, an option, a slice, a term, a rule) lead somewhere too.
import { wellFormed } from './sources.mjs';

export const name = 'source_form';

export function check(catalogue) {
  const findings = [];
  for (const kind of ['accelerators', 'systems', 'offers', 'glossary', 'rules']) {
    for (const { entry, file } of catalogue[kind]) {
      const walk = (value, pointer) => {
        if (value && typeof value === 'object') {
          for (const [k, v] of Object.entries(value)) walk(v, `${pointer}/${k}`);
        } else if (/(\/|_)source$/.test(pointer) && typeof value === 'string' && !wellFormed(value)) {
          findings.push({ file, id: entry.id, message: `${pointer} is not a source: ${value}` });
        }
      };
      walk(entry, '');
    }
  }
  return findings;
}

// Figures lie where such things lie (x-plausible of the schemas) and agree with each other, so that a wrong unit is noticed.
import { SCHEMA_OF } from '../lib/catalogue.mjs';
import { implausible } from '../lib/plausible.mjs';

export const name = 'units';

export function check(catalogue) {
  const findings = [];
  const peak = (e, dtype) => e.tflops_dense?.[dtype];
  for (const kind of ['accelerators', 'systems', 'offers']) {
    for (const { entry, file } of catalogue[kind]) {
      for (const { member, value, each, range } of implausible(entry, catalogue.schemas[SCHEMA_OF[kind]])) {
        const share = each > 1 ? ` (${value / each} for each of ${each} ${range.each})` : '';
        findings.push({ file, id: entry.id, message: `${member} ${value}${share} is implausible: ${range.unit} are meant` });
      }
    }
  }
  for (const { entry: e, file } of catalogue.accelerators) {
    const say = (message) => findings.push({ file, id: e.id, message });
    // Cards boost above the listed clock, but not by a third.
    for (const { dtype, tflops, note } of e.matmul_measured ?? [])
      if (peak(e, dtype) && tflops > 1.3 * peak(e, dtype) && !note)
        say(`measured ${tflops} of ${peak(e, dtype)} TFLOPS in ${dtype}: dense rates without sparsity are meant; else say in note why`);
    for (const [slow, fast] of [
      ['fp32', 'bf16'],
      ['bf16', 'fp8'],
      ['fp8', 'fp4'],
    ])
      if (peak(e, slow) && peak(e, fast) && peak(e, slow) > peak(e, fast)) say(`tflops_dense: ${slow} is faster than ${fast}`);
  }
  for (const { entry: e, file } of [...catalogue.systems, ...catalogue.offers]) {
    const say = (message) => findings.push({ file, id: e.id, message });
    if (e.host?.ram_max_bytes && e.host.ram_bytes > e.host.ram_max_bytes) say('host.ram_bytes is more than host.ram_max_bytes');
  }
  return findings;
}

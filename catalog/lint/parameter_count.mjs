// The number of parameters that follows from the dimensions is the published one within 0.5 %, or the entry says why not.
import { withDimensions } from '../lib/catalogue.mjs';
import { countParameters } from '../lib/count.mjs';

export const name = 'parameter_count';
export const TOLERANCE = 0.005;

export function check(catalogue) {
  const byId = new Map(catalogue.models.map(({ entry }) => [entry.id, entry]));
  const findings = [];
  for (const { entry, file } of catalogue.models) {
    const say = (message) => findings.push({ file, id: entry.id, message });
    const full = withDimensions(entry, byId, catalogue.schemas.model);
    let computed;
    try {
      computed = countParameters(full);
    } catch (e) {
      say(e.message);
      continue;
    }
    // A published count that covers the layers which trainers drop is compared with those added.
    const [ours, theirs] =
      full.params_checkpoint && full.mtp ? [computed + full.mtp.params, full.params_checkpoint] : [computed, full.params_total];
    if (!Number.isSafeInteger(ours)) say(`the dimensions give no whole number of parameters (${ours})`);
    else if (!theirs) entry.diff_note ? null : say('no published number: give params_total, or diff_note with the reason');
    else if (Math.abs(ours - theirs) / theirs >= TOLERANCE && !entry.diff_note)
      say(
        `the dimensions give ${ours} parameters, published are ${theirs} (${(((ours - theirs) / theirs) * 100).toFixed(2)} %): correct them or say why in diff_note`,
      );
  }
  return findings;
}

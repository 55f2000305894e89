// What every model says of itself: owner, licence, release, longest sequence, kind, sources. What may be absent has its reason.
export const name = 'model_facts';

const ALWAYS = ['owner', 'kind', 'licence', 'basis', 'architectures', 'dtype'];
const MAY_BE_ABSENT = ['release', 'max_position_embeddings', 'params_total'];

export function check(catalogue) {
  const findings = [];
  for (const { entry, file } of catalogue.models) {
    const say = (message) => findings.push({ file, id: entry.id, message });
    const has = (member) => entry[member] !== undefined && entry[member] !== null;
    for (const member of ALWAYS) if (!has(member)) say(`${member} is missing`);
    for (const member of MAY_BE_ABSENT) {
      const reason = entry.absent?.[member];
      if (!has(member) && !reason) say(`${member} is missing: give it, or say in absent.${member} why there is none`);
      if (has(member) && reason) say(`absent.${member} gives a reason though ${member} is there`);
    }
    if (has('release') && !entry.release_basis) say('release_basis is missing: hub, sources or memory');
    if (entry.release_basis && !has('release')) say('release_basis without release');
    if ((entry.release_basis === 'sources') !== has('release_source'))
      say('release_source stands exactly where release_basis is "sources"');
    if (entry.basis === 'memory' && entry.basis_note) say('basis is "memory", so basis_note has nothing to say: use note');
  }
  return findings;
}

// What is said to be from memory exists, and what exists without a source is said to be from memory.
export const name = 'memory_marks';

export function check(catalogue) {
  const findings = [];
  for (const kind of ['accelerators', 'systems', 'offers']) {
    for (const { entry, file } of catalogue[kind]) {
      const say = (message) => findings.push({ file, id: entry.id, message });
      const marked = entry.fields_from_memory ?? [];
      for (const member of marked) {
        if (marked.indexOf(member) !== marked.lastIndexOf(member)) say(`fields_from_memory names ${member} twice`);
        const value = member.split('.').reduce((v, k) => v?.[k], entry);
        if (value === undefined || value === null) say(`fields_from_memory names ${member}, which has no value`);
      }
      if (entry.basis === 'mixed' && !marked.length) say('basis is "mixed" but fields_from_memory is empty');
      if (entry.basis === 'memory' && entry.sources?.length && !marked.length && !entry.note)
        say('basis is "memory" though there are sources: say in note what they show');
      for (const option of entry.options ?? [])
        if (!option.source && option.basis !== 'memory') say(`option ${option.id}: without a source its basis is "memory"`);
    }
  }
  return findings;
}

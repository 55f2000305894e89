// An id that was published (catalog/ids.txt) still leads somewhere.
export const name = 'ids';

export function check(catalogue) {
  const findings = [];
  const seen = new Set();
  for (const { kind, id, successor } of catalogue.published ?? []) {
    const say = (message) => findings.push({ file: 'ids.txt', id: `${kind} ${id}`, message });
    const ids = idsOf(catalogue, kind);
    if (!ids) {
      say('no such kind');
      continue;
    }
    if (seen.has(`${kind} ${id}`)) say('stands twice');
    seen.add(`${kind} ${id}`);
    if (successor && ids.has(id)) say(`has a successor though the entry exists`);
    else if (successor && !ids.has(successor)) say(`its successor ${successor} does not exist`);
    else if (!successor && !ids.has(id))
      say(`was published and is gone: bring it back, or write its successor: "${kind} ${id} -> other-id"`);
  }
  return findings;
}

const idsOf = (catalogue, kind) => catalogue[kind] && new Set(catalogue[kind].map(({ entry }) => entry.id));

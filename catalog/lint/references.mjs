// What an entry names exists.
export const name = 'references';

export function check(catalogue) {
  const ids = (kind) => new Set(catalogue[kind].map(({ entry }) => entry.id));
  const [models, accelerators, frameworks] = [ids('models'), ids('accelerators'), ids('frameworks')];
  const findings = [];
  for (const kind of ['systems', 'offers']) {
    for (const { entry, file } of catalogue[kind]) {
      const say = (message) => findings.push({ file, id: entry.id, message });
      if (entry.accelerator !== null && !accelerators.has(entry.accelerator)) say(`there is no accelerator ${entry.accelerator}`);
      if ((entry.accelerator === null) !== (entry.accelerators === 0)) say('accelerator is null exactly where accelerators is 0');
      if (entry.accelerators % (entry.nodes ?? 1) !== 0) say(`${entry.accelerators} accelerators do not divide over ${entry.nodes} nodes`);
    }
  }
  const shared = new Map(catalogue.models.map(({ entry }) => [entry.id, entry]));
  for (const { entry, file } of catalogue.models) {
    const say = (message) => findings.push({ file, id: entry.id, message });
    if (!entry.dims_of) {
      if (entry.hidden_size === undefined) say('neither dimensions nor dims_of');
      continue;
    }
    if (!models.has(entry.dims_of)) say(`dims_of names ${entry.dims_of}, which does not exist`);
    else if (shared.get(entry.dims_of).dims_of) say(`dims_of names ${entry.dims_of}, which has its dimensions from yet another`);
    const own = catalogue.schemas.model.dimensions.filter((k) => k in entry);
    if (own.length) say(`has dims_of and dimensions of its own: ${own.join(', ')}`);
  }
  for (const { entry, file } of catalogue.frameworks) {
    if (entry.extends && !frameworks.has(entry.extends))
      findings.push({ file, id: entry.id, message: `extends ${entry.extends}, which does not exist` });
    for (let f = entry, seen = []; f?.extends; f = catalogue.frameworks.find((x) => x.entry.id === f.extends)?.entry) {
      if (seen.includes(f.id)) {
        findings.push({ file, id: entry.id, message: `extends itself by way of ${seen.join(', ')}` });
        break;
      }
      seen.push(f.id);
    }
  }
  return findings;
}

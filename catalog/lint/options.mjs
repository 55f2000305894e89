// Options of systems: choices that exist, name accelerators that exist, and do not set the same member twice.
export const name = 'options';

// The member that each kind of choice is about; one of a non-default choice's settings or unknowns.
const ABOUT = {
  accelerator: 'accelerator',
  accelerators: 'accelerators',
  nodes: 'nodes',
  ram: 'host.ram_bytes',
  nvme: 'host.nvme_bytes',
  network: 'host.network_bits_per_s',
  cooling: 'cooling',
};

export function check(catalogue) {
  const accelerators = new Set(catalogue.accelerators.map(({ entry }) => entry.id));
  const members = settable(catalogue.schemas.system);
  const findings = [];
  for (const { entry: e, file } of catalogue.systems) {
    const setBy = new Map();
    const twice = (list) => list.filter((id, i) => list.indexOf(id) !== i);
    for (const id of twice((e.options ?? []).map((o) => o.id))) findings.push({ file, id: e.id, message: `two options are called ${id}` });
    for (const option of e.options ?? []) {
      const say = (message) => findings.push({ file, id: e.id, message: `option ${option.id}: ${message}` });
      for (const id of twice(option.choices.map((c) => c.id))) say(`two choices are called ${id}`);
      if (option.basis === 'sources' && !option.source) say('basis is "sources" but source is missing');
      const standard = option.choices.find((c) => c.id === option.default);
      if (!standard) say(`the default ${option.default} is no choice`);
      else if (named(standard).length || standard.price_delta)
        say('the default describes the entry itself: it sets nothing and costs nothing more');
      for (const choice of option.choices) {
        const of = (message) => say(`choice ${choice.id}: ${message}`);
        const { sets } = choice;
        if (sets.accelerator && !accelerators.has(sets.accelerator)) of(`there is no accelerator ${sets.accelerator}`);
        for (const member of choice.unknown ?? []) if (!members.has(member)) of(`${member} is no member that a choice can change`);
        const nodes = sets.nodes ?? e.nodes ?? 1;
        if ((sets.accelerators ?? e.accelerators) % nodes !== 0)
          of(`${sets.accelerators ?? e.accelerators} accelerators do not divide over ${nodes} nodes`);
        if (choice !== standard && ABOUT[option.what] && !named(choice).includes(ABOUT[option.what])) of(`sets no ${ABOUT[option.what]}`);
        for (const member of membersOf(sets)) {
          if (setBy.has(member) && setBy.get(member) !== option.id) of(`${member} is set by option ${setBy.get(member)} too`);
          setBy.set(member, option.id);
        }
      }
    }
  }
  return findings;
}

// "power_w", "host.ram_bytes" ... of a choice's settings.
const membersOf = (sets) => Object.entries(sets).flatMap(([k, v]) => (k === 'host' ? Object.keys(v).map((h) => `host.${h}`) : [k]));

const named = (choice) => [...membersOf(choice.sets), ...(choice.unknown ?? [])];

function settable(schema) {
  const own = Object.keys(schema.$defs.settings.properties).filter((k) => k !== 'host');
  return new Set([...own, ...Object.keys(schema.$defs.host.properties).map((k) => `host.${k}`)]);
}

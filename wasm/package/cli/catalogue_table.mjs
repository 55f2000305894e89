// Catalogue entries as a table: the id and what tells entries of one kind apart.
import { plain, table } from './output.mjs';
import { bytes, count } from './units.mjs';

const text = (value) => (value === undefined || value === null ? '' : String(value));
const machine = (entry) => (entry.accelerator ? `${entry.accelerators ?? 1} x ${entry.accelerator}` : '');

// Columns of each kind: heading, cell, whether flush right.
const columns = {
  models: [
    ['parameters', (entry) => (entry.params_total ? count(entry.params_total) : ''), true],
    ['layers', (entry) => text(entry.num_layers), true],
    ['hidden', (entry) => text(entry.hidden_size), true],
    ['Hugging Face', (entry) => text(entry.hf_id)],
  ],
  accelerators: [
    ['memory', (entry) => (entry.memory_marketed_bytes ? bytes(entry.memory_marketed_bytes) : ''), true],
    ['name', (entry) => text(entry.name)],
  ],
  systems: [
    ['accelerators', machine],
    ['name', (entry) => text(entry.name)],
  ],
  offers: [
    ['accelerators', machine],
    ['USD per hour', (entry) => text(entry.price?.usd_per_hour), true],
    ['priced', (entry) => text(entry.price?.date)],
    ['name', (entry) => text(entry.name)],
  ],
  frameworks: [
    ['name', (entry) => text(entry.name)],
    [
      'newest versions known',
      (entry) =>
        Object.entries(entry.current ?? {})
          .map(([name, { version }]) => `${name} ${version}`)
          .join(', '),
    ],
  ],
};

export function catalogueTable(kind, entries) {
  const chosen = [['id', (entry) => text(entry.id)], ...(columns[kind] ?? [])];
  const rows = entries.map((entry) => chosen.map(([, cell]) => plain(cell(entry))));
  const right = chosen.flatMap(([, , flush], column) => (flush ? [column] : []));
  return table([chosen.map(([heading]) => heading), ...rows], right);
}

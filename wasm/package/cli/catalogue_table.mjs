// Catalogue entries for a person: what tells entries of one kind apart, each with its basis and source.
import { blocks } from './catalogue_blocks.mjs';
import { fitted } from './columns.mjs';
import { bytes, count, rate } from './units.mjs';

const kUnknown = 'unknown';
const text = (value) => (value === undefined || value === null || value === '' ? kUnknown : String(value));
const known = (value, write) => (typeof value === 'number' ? write(value) : kUnknown);
const machine = (entry) => (entry.accelerator ? `${entry.accelerators ?? 1} x ${entry.accelerator}` : 'none');

// A star stands beside what no source confirms.
const kStar = '*';
const starred = (cell, unchecked) => (unchecked && cell !== kUnknown ? `${cell}${kStar}` : cell);
const checked = (member, write) => (entry) => starred(write(entry), entry.fields_from_memory?.includes(member));

function sourcesOf({ sources, basis }) {
  if (!sources?.length) return basis === 'overlay' ? 'the overlay' : 'none';
  return sources.length > 1 ? `${sources[0]} (+${sources.length - 1})` : sources[0];
}

function software({ supports = {} }) {
  const names = { bf16: 'bf16', flash_attention_2: 'FA2', flash_attention_3: 'FA3', bitsandbytes: 'bitsandbytes', fp8: 'fp8' };
  const say = { true: (it) => it, partial: (it) => `${it} in part`, false: (it) => `no ${it}` };
  return Object.entries(names)
    .map(([key, it]) => (say[supports[key]] ?? ((unsaid) => `${unsaid} unknown`))(it))
    .join(', ');
}

function licence({ licence: l }) {
  const name = text(typeof l === 'string' ? l : (l?.name ?? l?.id));
  return starred(l?.class && l.class !== 'permissive' ? `${name} (${l.class})` : name, l?.basis === 'memory');
}
const versions = ({ current = {} }) =>
  Object.entries(current)
    .map(([name, { version }]) => `${name} ${version}`)
    .join(', ') || kUnknown;

const id = { head: 'id', cell: (entry) => text(entry.id) };
const name = { head: 'name', cell: (entry) => text(entry.name), cut: true, drop: 9 };
const basis = { head: 'basis', cell: (entry) => text(entry.basis) };
const source = { head: 'source', cell: sourcesOf, cut: true, least: 22 };
const ram = { head: 'RAM a node', cell: checked('host.ram_bytes', (e) => known(e.host?.ram_bytes, bytes)), right: true, drop: 5 };
const priced = { head: 'priced', cell: ({ price }) => text(price?.date), drop: 4 };

const columns = {
  models: [
    id,
    {
      head: 'parameters',
      cell: (e) => starred(known(e.params_total, count), e.params_total_basis === 'memory'),
      right: true,
    },
    { head: 'kind', cell: (e) => text(e.kind), drop: 3 },
    { head: 'context', cell: (e) => known(e.max_position_embeddings, (n) => n.toLocaleString('en')), right: true, drop: 2 },
    { head: 'licence', cell: licence, cut: true, drop: 1 },
    { head: 'owner', cell: (e) => text(e.owner), cut: true, drop: 5 },
    { head: 'release', cell: (e) => starred(text(e.release), e.release_basis === 'memory'), drop: 4 },
    { head: 'Hugging Face', cell: (e) => text(e.hf_id), cut: true, drop: 8 },
    basis,
    source,
  ],
  accelerators: [
    id,
    { head: 'marketed', cell: (e) => known(e.memory_marketed_bytes, bytes), right: true },
    { head: 'reported', cell: checked('memory_reported_bytes', (e) => known(e.memory_reported_bytes, bytes)), right: true, drop: 1 },
    { head: 'bf16 TFLOPS', cell: checked('tflops_dense.bf16', (e) => known(e.tflops_dense?.bf16, String)), right: true, drop: 5 },
    {
      head: 'bandwidth',
      cell: checked('memory_bandwidth_bytes_per_s', (e) => known(e.memory_bandwidth_bytes_per_s, rate)),
      right: true,
      drop: 6,
    },
    { head: 'W', cell: checked('power_w', (e) => known(e.power_w, String)), right: true, drop: 4 },
    { head: 'software', cell: software, cut: true, drop: 7 },
    basis,
    source,
    name,
  ],
  systems: [
    id,
    { head: 'accelerators', cell: checked('accelerators', machine), cut: true, least: 26 },
    { head: 'nodes', cell: checked('nodes', (e) => text(e.nodes)), right: true, drop: 7 },
    ram,
    { head: 'W', cell: checked('power_w', (e) => known(e.power_w, String)), right: true, drop: 6 },
    { head: 'dBA', cell: checked('noise_dba', (e) => known(e.noise_dba, String)), right: true, drop: 8 },
    { head: 'USD', cell: checked('price', ({ price }) => known(price?.purchase_usd, (n) => n.toLocaleString('en'))), right: true },
    priced,
    basis,
    source,
    name,
  ],
  offers: [
    id,
    { head: 'accelerators', cell: checked('accelerators', machine), cut: true, least: 26 },
    ram,
    { head: 'USD per hour', cell: checked('price', ({ price }) => known(price?.usd_per_hour, String)), right: true },
    { head: 'spot', cell: checked('price_spot', (e) => known(e.price_spot?.usd_per_hour, String)), right: true, drop: 6 },
    priced,
    basis,
    source,
    name,
  ],
  frameworks: [
    id,
    name,
    { head: 'defaults', cell: (e) => String(e.defaults?.length ?? 0), right: true, drop: 2 },
    { head: 'habits', cell: (e) => String(e.habits?.length ?? 0), right: true, drop: 3 },
    { head: 'newest versions known', cell: versions, cut: true },
    { head: 'source', cell: ({ current = {} }) => sourcesOf({ sources: Object.values(current).map((c) => c.source) }), cut: true },
  ],
};

/** Table, or blocks for kinds that are texts, of the entries, with what the marks mean. width: columns of the terminal. */
export function catalogueTable(kind, entries, width = Infinity, query = '') {
  if (entries.length === 0) return query ? `No ${kind} match "${query}".` : `There are no ${kind}.`;
  if (!columns[kind]) return blocks(kind, entries, width);
  const { text: lines, dropped } = fitted(
    columns[kind],
    entries.map((entry) => columns[kind].map(({ cell }) => cell(entry))),
    width,
  );
  return [lines, ...notes(lines, dropped)].join('\n');
}

function notes(lines, dropped) {
  const said = [];
  if (/\S\*( |$)/m.test(lines)) said.push(`${kStar} no source confirms it`);
  if (/unknown/.test(lines)) said.push('unknown: no source gives it');
  if (/\(\+\d+\)/.test(lines)) said.push('(+n): n more sources in --json');
  if (dropped.length) said.push(`left out for want of room: ${dropped.join(', ')}`);
  return said.length ? ['', `${said.join('; ')}.`] : [];
}

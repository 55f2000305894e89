// systems.json of the raw facts -> catalog/systems/<group>.json (bought or hosted machines) and catalog/offers/<provider>.json (rented).
import { slug, tidyNote, tidySource } from './text.mjs';

const GIB = 2 ** 30;
const GROUPS = { workstation: 'workstations', server: 'pcie-servers', hgx: 'hgx', pod: 'pods' };
const RENAMED = {
  cpu_cores: 'host.cpu_cores',
  host_ram_gb: 'host.ram_bytes',
  local_nvme_tb: 'host.nvme_bytes',
  network_gbps: 'host.network_bits_per_s',
  'gpu edition': 'accelerator',
  gpu: 'accelerator',
  gpu_count: 'accelerators',
  'interconnect bridges': 'interconnect',
};

export function convertSystems(raw) {
  const systems = new Map();
  const offers = new Map();
  for (const s of raw) {
    const cloud = s.kind === 'cloud';
    const [files, name] = cloud ? [offers, slug(s.vendor)] : [systems, GROUPS[s.kind]];
    const head = cloud ? { provider: s.vendor, offers: [] } : { group: name, systems: [] };
    if (!files.has(name)) files.set(name, head);
    (cloud ? files.get(name).offers : files.get(name).systems).push(cloud ? offer(s) : system(s));
  }
  return { systems, offers };
}

function machine(s) {
  return {
    accelerator: s.gpu_id,
    accelerators: s.gpu_count * s.nodes,
    nodes: s.nodes,
    interconnect: s.interconnect,
    host: {
      cpu_cores: s.cpu_cores,
      cpu_clock_ghz: null,
      ram_bytes: scaled(s.host_ram_gb, GIB),
      ram_max_bytes: scaled(s.host_ram_gb_max, GIB),
      nvme_bytes: scaled(s.local_nvme_tb, 1e12),
      nvme_write_bytes_per_s: null,
      network_bits_per_s: scaled(s.network_gbps, 1e9),
      network_latency_s: null,
      pcie: /PCIe (\d\.0(?: x\d+)?)/.exec(s.interconnect)?.[1] ?? null,
    },
  };
}

function tail(s) {
  const all = (s.fields_from_memory ?? []).some((f) => f === 'all');
  const memory = (s.fields_from_memory ?? [])
    .filter((f) => f !== 'all')
    .flatMap((f) => (f.startsWith('cpu/ram') ? ['host.cpu_cores', 'host.ram_bytes'] : [RENAMED[f] ?? f]));
  return {
    note: tidyNote(s.notes),
    fields_from_memory: [...new Set(memory)],
    basis: all || s.sources.length === 0 ? 'memory' : memory.length ? 'mixed' : 'sources',
    sources: s.sources.map(tidySource),
  };
}

function system(s) {
  return {
    id: s.id,
    name: s.name,
    vendor: s.vendor.replace('reference system (guide', 'reference system (hardware vendor guide'),
    kind: s.kind,
    ...machine(s),
    power_w: s.power_w,
    cooling: s.cooling,
    noise_dba: null,
    noise_note: s.noise && tidyNote(s.noise).replace('guide B', 'hardware vendor guide B'),
    rack_units: null,
    places: s.site.replace(/ \(.*/, '').split('|'),
    hosted: /hosted/.test(s.site),
    price: s.price && {
      purchase_usd: s.price.usd,
      ...date(s.price.date),
      source: tidySource(s.price.source),
      ...(s.price.note && { note: s.price.note }),
    },
    ...tail(s),
  };
}

function offer(s) {
  return {
    id: s.id,
    name: s.name,
    ...machine(s),
    price: s.price && {
      usd_per_hour: s.price.usd,
      commitment: 'on_demand',
      region: s.price.region ?? null,
      ...date(s.price.date),
      source: tidySource(s.price.source),
      ...(s.price.note && { note: tidyNote(s.price.note) }),
    },
    price_spot: s.price_spot && {
      usd_per_hour: s.price_spot.usd ?? null,
      ...(s.price_spot.usd_range && { usd_per_hour_range: s.price_spot.usd_range }),
      region: s.price_spot.region ?? null,
      ...date(s.price_spot.date),
      source: tidySource(s.price_spot.source),
    },
    ...tail(s),
  };
}

// The raw lists write "about 2023", "undated CSV"; an ISO date, or null with the words kept.
function date(text) {
  const iso = /\d{4}(-\d{2}){0,2}/.exec(text ?? '')?.[0] ?? null;
  return { date: iso, ...(iso !== text && { date_note: text ?? 'the source stores no date' }) };
}

const scaled = (v, k) => (v === null || v === undefined ? null : Math.round(v * k));

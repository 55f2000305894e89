// gpus.json of the raw facts -> catalog/accelerators/<vendor-architecture or vendor>.json.
import { readFileSync } from 'node:fs';
import { slug, tidyNote, tidySource } from './text.mjs';

const REVIEWED = JSON.parse(readFileSync(new URL('reviewed.json', import.meta.url), 'utf8')).accelerators;

const GIB = 2 ** 30;
const MIB = 2 ** 20;

// Sold in decimal gigabytes, as their reported size shows (B300: 275,040 MiB = 288.4e9 bytes) or their memory standard suggests.
// All others are sold in binary ones: an "80 GB" A100 reports 81,920 MiB. See catalog/README.md.
const DECIMAL = new Set(['nvidia-b100', 'nvidia-b300-288gb', 'nvidia-gb300', 'nvidia-rubin', 'nvidia-gb10']);

// Data-centre cards with GDDR6 whose error correction is on as delivered and takes one sixteenth of the memory.
const ECC_TAKES_MEMORY = new Set([
  'nvidia-t4',
  'nvidia-a10',
  'nvidia-a10g',
  'nvidia-a16',
  'nvidia-a40',
  'nvidia-l4',
  'nvidia-l40',
  'nvidia-l40s',
]);

// Modules that appear as two devices, each with half of the memory.
const TWO_DEVICES = new Set(['amd-mi250', 'amd-mi250x']);

const RENAMED = {
  memory_gb: 'memory_marketed_gb',
  memory_reported_mib: 'memory_reported_bytes',
  memory_bandwidth_gbs: 'memory_bandwidth_bytes_per_s',
  tdp_w: 'power_w',
  nvlink_gbs_bidirectional: 'link_bytes_per_s',
  max_gpus_per_link_domain: 'link_domain',
  int8_tops: 'tflops_dense.int8',
  flash_attention2: 'supports.flash_attention_2',
};
const TFLOPS = ['fp32', 'tf32', 'bf16', 'fp16', 'fp8', 'fp4'];

export function convertAccelerators(raw) {
  const files = new Map();
  for (const g of raw) {
    const own = ['NVIDIA', 'AMD'].includes(g.vendor);
    const name = slug(own ? `${g.vendor} ${g.architecture.replace(' Ultra', '')}` : g.vendor);
    if (!files.has(name)) files.set(name, { vendor: g.vendor, accelerators: [] });
    files.get(name).accelerators.push(reviewed(convert(g)));
  }
  return files;
}

function convert(g) {
  const memory = (g.fields_from_memory ?? []).map((f) => RENAMED[f] ?? (TFLOPS.includes(f) ? `tflops_dense.${f}` : f));
  const unified = g.form.startsWith('SoC');
  return {
    id: g.id,
    name: g.name,
    architecture: g.architecture,
    compute_capability: g.compute_capability,
    form: g.form,
    release_year: g.release_year,
    memory_marketed_gb: g.memory_gb,
    memory_marketed_bytes: DECIMAL.has(g.id) ? g.memory_gb * 1e9 : g.memory_gb * GIB,
    memory_reported_bytes: g.memory_reported_mib === null ? null : g.memory_reported_mib * MIB,
    memory_ecc_inline: ECC_TAKES_MEMORY.has(g.id),
    memory_shared_with_host: unified,
    devices: TWO_DEVICES.has(g.id) ? 2 : 1,
    memory_bandwidth_bytes_per_s: scaled(g.memory_bandwidth_gbs, 1e9),
    tflops_dense: rates(g.tflops_dense),
    matmul_measured: measured(g.achievable_matmul_tflops),
    power_w: g.tdp_w,
    pcie: g.pcie === 'n/a' ? null : g.pcie,
    link: g.gpu_link,
    link_bytes_per_s: scaled(g.nvlink_gbs_bidirectional, 1e9),
    link_domain: g.max_gpus_per_link_domain,
    supports: supports(g),
    price: price(g.purchase_usd),
    note: tidyNote(g.notes),
    fields_from_memory: memory,
    basis: memory.length ? 'mixed' : 'sources',
    sources: g.sources.map(tidySource),
  };
}

// With what was found later. A member that now has a source is from memory no more.
function reviewed(entry) {
  const more = REVIEWED[entry.id];
  if (!more) return entry;
  const fields = entry.fields_from_memory.filter((f) => !(f === 'memory_reported_bytes' && more.memory_reported_source));
  return { ...entry, ...more, fields_from_memory: fields, basis: fields.length ? 'mixed' : 'sources' };
}

const scaled = (v, k) => (v === null || v === undefined ? null : Math.round(v * k));

function rates(t) {
  const { int8_tops, ...rest } = t;
  return { ...rest, int8: int8_tops };
}

// Best of several published runs of one rate; each with where it was published.
function measured(a) {
  const list = [];
  const mamf = 'stas00/ml-engineering@744d01e (2026-08-22) compute/accelerator/README.md, maximum achievable matmul FLOPS';
  if (a?.bf16_mamf) list.push({ dtype: 'bf16', tflops: a.bf16_mamf, source: mamf });
  if (a?.fp8_mamf) list.push({ dtype: 'fp8', tflops: a.fp8_mamf, source: mamf });
  for (const [dtype, v] of Object.entries(a?.other_measured ?? {})) {
    if (['source', 'note2'].includes(dtype)) continue;
    const note = a.other_measured.note2;
    for (const tflops of [v].flat()) list.push({ dtype, tflops, ...(note && { note }), source: tidySource(a.other_measured.source) });
  }
  return list;
}

// true, false, "partial" or null; the words of the raw list stay as a note.
function supports(g) {
  const out = {};
  for (const [name, v] of [
    ['bf16', g.bf16_supported],
    ['flash_attention_2', g.flash_attention2],
    ['flash_attention_3', g.flash_attention3],
    ['bitsandbytes', g.bitsandbytes],
    ['fp8', g.fp8_training],
  ]) {
    const words = typeof v === 'string';
    out[name] = !words ? (v ?? null) : /partial|limited|MPS/.test(v) ? 'partial' : true;
    if (words) out[`${name}_note`] = v;
  }
  return out;
}

// The pages that name these prices carry no day; the year is that of their reading.
function price(p) {
  if (!p) return null;
  const dated = /\((\d{4}-\d{2}-\d{2})\)/.exec(p.source)?.[1];
  return { purchase_usd: p.usd, date: dated ?? '2026', kind: p.kind, source: tidySource(p.source) };
}

// The two tables beside the entries: what transformers does by model_type, and context and workspace by architecture.
export const name = 'tables';

const ROLES = ['qkv', 'q', 'k', 'v', 'o', 'gate_up', 'gate', 'up', 'down', 'router', 'expert_gate', 'expert_up', 'expert_down'];

const IMPLEMENTATION = {
  fused_qkv: (v) => typeof v === 'boolean',
  fused_gate_up: (v) => typeof v === 'boolean',
  fused_experts: (v) => typeof v === 'boolean',
  every_expert: (v) => typeof v === 'boolean',
  parallel_residual: (v) => typeof v === 'boolean',
  norm_scales_in_fp32: (v) => typeof v === 'boolean',
  norm_placement: (v) => ['pre', 'post', 'sandwich'].includes(v),
  position: (v) => ['rope', 'learned', 'alibi', 'none'].includes(v),
  layer_types: (v) => Array.isArray(v) && v.every((t) => ['full', 'full_nope', 'sliding', 'chunked'].includes(t)),
  modules: (v) => Object.keys(v).every((k) => ROLES.includes(k)),
  source: (v) => typeof v === 'string' && v.length > 3,
  basis: (v) => ['code', 'memory'].includes(v),
};

export function check({ tables, accelerators }) {
  const findings = [];
  for (const [type, row] of Object.entries(tables.transformers ?? {})) {
    const say = (message) => findings.push({ file: 'models/transformers.json', id: type, message });
    for (const k of ['source', 'basis']) if (!(k in row)) say(`${k} is missing`);
    for (const [k, v] of Object.entries(row)) {
      if (!IMPLEMENTATION[k]) say(`unknown member ${k}`);
      else if (!IMPLEMENTATION[k](v)) say(`${k} cannot be ${JSON.stringify(v)}`);
    }
  }
  const known = new Set(['*', ...accelerators.map(({ entry }) => entry.architecture)]);
  for (const [table, rows] of Object.entries(tables.runtime ?? {})) {
    const say = (message) => findings.push({ file: 'accelerators/runtime.json', id: table, message });
    if (!rows.some((r) => r.architectures.includes('*'))) say('no row for "*"');
    for (const row of rows) {
      for (const a of row.architectures) if (!known.has(a)) say(`no accelerator has the architecture ${a}`);
      if (!(Number.isInteger(row.bytes) && row.bytes > 0)) say(`${row.bytes} is no number of bytes`);
      if (!row.source || !row.because || !['measured', 'assumed', 'code'].includes(row.basis)) say('source, because or basis is missing');
      if (row.low_bytes > row.bytes || row.high_bytes < row.bytes) say('low_bytes <= bytes <= high_bytes does not hold');
    }
  }
  return findings;
}

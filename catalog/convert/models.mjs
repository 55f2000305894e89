// models.json of the raw facts -> catalog/models/<family>.json.
import { citation, slug, withoutNulls } from './text.mjs';

// What stands in the entry of its own; the rest of an entry describes the architecture and may be shared (dims_of).
const GATED = { swiglu: 'silu', geglu: 'gelu', reglu: 'relu_squared', 'swiglu-oai': 'swiglu_oai', 'situ-glu': 'situ_glu' };
const PLAIN = { gelu: 'gelu', relu: 'relu', relu2: 'relu_squared', xielu: 'xielu' };

// How layers alternate where the raw facts say it in words. Repeated over num_layers.
const [FULL, SLIDING, CHUNKED, NOPE] = ['full', 'sliding', 'chunked', 'full_nope'];
const ORDER = {
  '5 sliding : 1 full': [SLIDING, SLIDING, SLIDING, SLIDING, SLIDING, FULL],
  '4 sliding : 1 full': [SLIDING, SLIDING, SLIDING, SLIDING, FULL],
  '3 sliding : 1 full': [SLIDING, SLIDING, SLIDING, FULL],
  '3 sliding : 1 full (NoPE)': [SLIDING, SLIDING, SLIDING, NOPE],
  '2 sliding (128) : 1 full': [FULL, SLIDING, SLIDING],
  '1 sliding : 1 full': [SLIDING, FULL],
  '3 chunked (8192, RoPE) : 1 full (NoPE)': [CHUNKED, CHUNKED, CHUNKED, NOPE],
  '3 linear : 1 full': ['gated_deltanet', 'gated_deltanet', 'gated_deltanet', FULL],
  'NoPE every 4th layer': [FULL, FULL, FULL, NOPE],
  'all sliding': [SLIDING],
  'interleaved sliding (weights card)': [SLIDING],
};
// Where the raw words leave out what the modelling code does: EXAONE 4 rotates only the sliding layers.
const ORDER_BY_TYPE = { exaone4: { '3 sliding : 1 full': [SLIDING, SLIDING, SLIDING, NOPE] } };
const GROUP = { 'gated-deltanet': 'gated_deltanet', 'short-conv': 'short_conv', 'parallel-attn-mamba2': 'parallel_attention_mamba2' };
// Families whose raw entry gives a window but no pattern: transformers applies it to every layer.
const EVERY_LAYER_WINDOWED = new Set(['starcoder2', 'phi3']);

export function convertModels(raw) {
  const byHfId = new Map(raw.map((m) => [m.hf_id, m]));
  const files = new Map();
  const families = new Map();
  for (const m of raw) families.set(m.family, (families.get(m.family) ?? new Set()).add(m.owner));

  const written = new Map();
  for (const m of raw) {
    const { entry, dims } = convertModel(m);
    const twin = m.same_dims_as && byHfId.get(m.same_dims_as);
    const base = twin && twin.id !== m.id && !convertModel(twin).dimsOf ? twin.id : sameDims(written, m.family, dims);
    const same = base && JSON.stringify(written.get(base)?.dims) === JSON.stringify(dims) ? base : null;
    if (!same) written.set(m.id, { family: m.family, dims });
    Object.assign(entry, same ? { dims_of: same } : dims);

    const several = families.get(m.family).size > 1 && m.owner !== [...families.get(m.family)][0];
    const name = several ? `${slug(m.family)}-${slug(m.owner)}` : slug(m.family);
    if (!files.has(name)) files.set(name, { family: m.family, owner: m.owner, licence: licence(m), models: [] });
    const file = files.get(name);
    if (JSON.stringify(file.licence) !== JSON.stringify(licence(m))) entry.licence = licence(m);
    file.models.push(entry);
  }
  return files;
}

function sameDims(written, family, dims) {
  for (const [id, w] of written) if (w.family === family && JSON.stringify(w.dims) === JSON.stringify(dims)) return id;
  return null;
}

function licence(m) {
  const sources =
    m.licence_source === 'memory'
      ? []
      : m.licence_source
          .split(/ ; |; /)
          .map((s) => s.trim())
          .filter((s) => s !== 'memory' && s !== 'memory otherwise');
  return {
    name: m.licence,
    class: m.licence_class,
    basis:
      m.licence_basis.startsWith('doc') && /memory/.test(m.licence_basis + m.licence_source)
        ? 'mixed'
        : m.licence_basis === 'doc'
          ? 'sources'
          : 'memory',
    sources,
  };
}

function convertModel(m) {
  const entry = withoutNulls({
    id: m.id,
    hf_id: m.hf_id,
    kind: m.kind,
    release: m.release,
    release_basis: m.release && (m.release_source === 'memory' ? 'memory' : 'hub'),
    hf_downloads_month: m.hf_downloads_month,
    architectures: m.architectures,
    params_total: m.params_total,
    params_total_source: totalSource(m),
    params_total_basis: m.params_total && totalBasis(m),
    params_total_independent: m.count_check_independent,
    params_checkpoint: m.params_checkpoint,
    params_published_rounded: m.params_published_rounded,
    params_active: m.params_active,
    diff_note: m.diff_note,
    max_position_embeddings: m.max_position_embeddings,
    max_position_embeddings_basis: m.max_position_embeddings_source && 'scraped default possible',
    dtype: m.dtype,
    native_dtype: m.native_dtype,
    note: m.note,
    basis: { 'config file': 'config', code: 'code', memory: 'memory' }[m.basis],
    basis_note: m.basis_note,
    sources: m.sources.map(citation).filter(Boolean),
  });
  return { entry, dims: dimensions(m) };
}

function totalBasis(m) {
  const b = m.params_total_basis;
  if (b.startsWith('memory')) return 'memory';
  if (b.startsWith('rounded')) return 'rounded';
  return b === 'published count' ? 'published' : 'published_adjusted';
}

function totalSource(m) {
  if (!m.params_total_source || m.params_total_source === 'memory') return null;
  const own = ` for ${m.hf_id}`;
  return m.params_total_source.endsWith(own) ? m.params_total_source.slice(0, -own.length) : m.params_total_source;
}

// The architecture: what determines tensors and operations.
function dimensions(m) {
  const gated = m.mlp_type in GATED;
  const order =
    ORDER_BY_TYPE[m.model_type]?.[m.layer_pattern] ??
    ORDER[m.layer_pattern] ??
    (m.sliding_window && EVERY_LAYER_WINDOWED.has(m.model_type) ? [SLIDING] : null);
  return withoutNulls({
    model_type: m.model_type,
    encoder_type: m.encoder_type,
    hidden_size: m.hidden_size,
    intermediate_size: m.intermediate_size,
    num_layers: m.num_layers,
    num_decoder_layers: m.num_decoder_layers,
    num_attention_heads: m.num_attention_heads,
    num_kv_heads: m.num_kv_heads,
    head_dim: m.head_dim,
    vocab_size: m.vocab_size,
    tie_word_embeddings: m.tie_word_embeddings,
    lm_head_bias: m.lm_head_bias,
    embedding_norm: m.embedding_norm,
    learned_positions: m.learned_positions,
    position: position(m),
    position_rows: m.position_rows,
    type_vocab_size: m.type_vocab_size,
    pooler: m.pooler,
    rel_buckets: m.rel_buckets,
    rel_rows: m.rel_rows,
    num_mel_bins: m.num_mel_bins,
    decoder_positions: m.decoder_positions,
    attention_bias: m.attention_bias,
    attention_output_gate: m.attention_output_gate,
    attention_sinks: m.attention_sinks,
    qk_norm: { none: 'none', per_head: 'per_head', full: 'full', 'l2-weightless': 'l2_weightless' }[m.qk_norm],
    sliding_window: m.sliding_window ?? windowInWords(m.layer_pattern),
    layer_types: order,
    layer_pattern: order ? null : m.layer_pattern,
    gated,
    activation: gated ? GATED[m.mlp_type] : PLAIN[m.mlp_type],
    mlp_bias: m.mlp_bias,
    norm_type: { rmsnorm: 'rmsnorm', layernorm: 'layernorm', 'layernorm-nobias': 'layernorm_nobias', nonparametric: 'nonparametric' }[
      m.norm_type
    ],
    norms_per_layer: m.norms_per_layer,
    moe: m.moe,
    mla: m.mla,
    mtp: m.mtp,
    indexer: m.indexer,
    ssm: m.ssm,
    linear_attention: m.linear_attention,
    attention_groups: m.attention_groups?.map((g) => ({ ...g, type: GROUP[g.type] ?? g.type })),
    mlp_groups: m.mlp_groups,
    vision: m.vision,
    audio: m.audio,
    extra_params: m.extra_params,
    q_lora_rank: m.q_lora_rank,
    o_lora_rank: m.o_lora_rank,
    o_groups: m.o_groups,
  });
}

// "2 sliding (128) : 1 full" -> 128
const windowInWords = (pattern) => Number(/sliding \((\d+)\)/.exec(pattern ?? '')?.[1]) || null;

function position(m) {
  if (m.layer_pattern === 'ALiBi' || ['bloom', 'mpt'].includes(m.model_type)) return 'alibi';
  if (m.learned_positions) return 'learned';
  if (/\(NoPE\)$/.test(m.attention) || m.kind === 'hybrid-ssm') return null;
  return m.encoder_type ? null : 'rope';
}

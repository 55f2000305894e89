// Number of parameters of a model entry by shape arithmetic. Written apart from the engine's counter, so that each checks the other.

const normWidth = (kind, h) => ({ rmsnorm: h, layernorm: 2 * h, layernorm_nobias: h, nonparametric: 0 })[kind ?? 'rmsnorm'];

const mlp = (h, i, gated, bias) => (gated ? 3 * h * i + (bias ? 2 * i + h : 0) : 2 * h * i + (bias ? i + h : 0));

const qkNorm = (kind, heads, kv, d) => ({ none: 0, l2_weightless: 0, per_head: 2 * d, full: (heads + kv) * d })[kind ?? 'none'];

const sum = (list, f) => list.reduce((s, x) => s + f(x), 0);

// Parameters of a model as its entry (completed by dims_of) describes it: tied head once, multi-token-prediction layers left out.
export function countParameters(e) {
  const extra = sum(e.extra_params ?? [], (x) => x.count);
  if (e.encoder_type) return encoder(e) + extra;
  const h = e.hidden_size;
  const layers = e.num_layers;
  let n = e.vocab_size * h + (e.learned_positions ?? 0) * h + extra;
  if (e.embedding_norm) n += normWidth(e.embedding_norm, h);
  if (!e.tie_word_embeddings) n += (e.lm_head_vocab_size ?? e.vocab_size) * h;
  if (e.lm_head_bias) n += e.vocab_size;
  n += sum(e.attention_groups ?? [{ layers, type: e.mla ? 'mla' : 'full' }], (g) => g.layers * mixer(e, g));
  n += sum(mlpGroups(e), (g) => g.layers * mlpOfGroup(e, g));
  n += Math.trunc(layers * (e.norms_per_layer ?? 2) * normWidth(e.norm_type, h));
  if (e.final_norm !== false) n += normWidth(e.norm_type, h);
  return n + (e.vision ? tower(e.vision) + projector(e.vision.projector) : 0);
}

function mlpGroups(e) {
  if (e.mlp_groups) return e.mlp_groups;
  if (!e.moe) return [{ layers: e.num_layers, type: 'dense' }];
  const moe = e.moe.moe_layers ?? e.num_layers - (e.moe.first_dense_layers ?? 0);
  return [
    { layers: e.num_layers - moe, type: 'dense' },
    { layers: moe, type: 'moe' },
  ];
}

// One layer's token mixer.
function mixer(e, g) {
  const h = g.hidden_size ?? e.hidden_size;
  switch (g.type) {
    case 'full':
    case 'sliding':
    case 'chunked':
    case 'cross':
      return attention(e, g, h);
    case 'mla':
      return latentAttention(e, g, h);
    case 'gated_deltanet':
      return gatedDeltaNet(e.linear_attention, h);
    case 'mamba1':
      return mamba1(e.ssm, h);
    case 'mamba2':
      return mamba2(e.ssm, h);
    case 'short_conv':
      return 4 * h * h + h * g.conv_kernel;
    case 'parallel_attention_mamba2':
      return attention(e, g, h) + mamba2(e.ssm, h);
    case 'none':
      return 0;
    case 'fixed':
      return g.params_per_layer;
    default:
      throw new Error(`unknown kind of mixer: ${g.type}`);
  }
}

function attention(e, g, h) {
  const heads = g.num_heads ?? e.num_attention_heads;
  const kv = g.num_kv_heads ?? e.num_kv_heads;
  const d = g.head_dim ?? e.head_dim;
  const v = g.v_head_dim ?? d;
  const bias = (g.bias ?? e.attention_bias ?? 'none') === 'none' ? '' : (g.bias ?? e.attention_bias);
  const norm = g.qk_norm ?? e.qk_norm;
  let n = h * heads * d * ((g.output_gate ?? e.attention_output_gate) ? 2 : 1) + heads * v * h;
  if (!g.no_kv) n += h * kv * d + (g.k_eq_v ? 0 : h * kv * v);
  if (bias.includes('q')) n += heads * d;
  if (bias.includes('k')) n += kv * d;
  if (bias.includes('v')) n += kv * v;
  if (bias.includes('o')) n += h;
  n += g.no_kv && norm === 'per_head' ? d : qkNorm(norm, heads, kv, d);
  if (g.sinks ?? e.attention_sinks) n += heads;
  return n + (g.extra_per_layer ?? 0);
}

function latentAttention(e, g, h) {
  const m = e.mla;
  const heads = e.num_attention_heads;
  const q = m.qk_nope_head_dim + m.qk_rope_head_dim;
  let n = m.q_lora_rank ? h * m.q_lora_rank + m.q_lora_rank + m.q_lora_rank * heads * q : h * heads * q;
  n += h * (m.kv_lora_rank + m.qk_rope_head_dim) + m.kv_lora_rank;
  n += m.kv_lora_rank * heads * (m.qk_nope_head_dim + m.v_head_dim) + heads * m.v_head_dim * h;
  const ix = g.indexer ?? m.indexer;
  if (ix) n += m.q_lora_rank * ix.n_heads * ix.head_dim + h * ix.head_dim + 2 * ix.head_dim + h * ix.n_heads;
  return n + (g.extra_per_layer ?? 0);
}

function gatedDeltaNet(l, h) {
  const k = l.num_key_heads * l.key_head_dim;
  const v = l.num_value_heads * l.value_head_dim;
  return h * (2 * k + 2 * v) + 2 * h * l.num_value_heads + (2 * k + v) * l.conv_kernel + 2 * l.num_value_heads + l.value_head_dim + v * h;
}

function mamba1(s, h) {
  const d = s.d_inner;
  let n = 2 * h * d + d * s.conv_kernel + d * (s.dt_rank + 2 * s.state_size) + s.dt_rank * d + d + d * s.state_size + d + d * h;
  if (s.conv_bias !== false) n += d;
  if (s.inner_norms) n += s.dt_rank + 2 * s.state_size;
  return n;
}

function mamba2(s, h) {
  const d = s.num_heads * s.head_dim;
  const conv = d + 2 * s.n_groups * s.state_size;
  let n = h * (d + conv + s.num_heads) + conv * s.conv_kernel + 3 * s.num_heads + d * h;
  if (s.conv_bias !== false) n += conv;
  if (s.gated_norm !== false) n += d;
  if (s.proj_bias) n += d + conv + s.num_heads + h;
  return n;
}

function mlpOfGroup(e, g) {
  const h = e.hidden_size;
  const gated = e.gated ?? true;
  const extra = g.extra_per_layer ?? 0;
  if (g.type === 'dense') return mlp(h, g.intermediate_size ?? e.intermediate_size, g.gated ?? gated, g.bias ?? e.mlp_bias) + extra;
  if (g.type === 'none') return 0;
  if (g.type === 'fixed') return g.params_per_layer;
  if (g.type !== 'moe') throw new Error(`unknown kind of MLP: ${g.type}`);
  const m = e.moe;
  const i = m.moe_intermediate_size;
  const experts = g.num_experts ?? m.num_experts;
  const width = m.latent_size ?? h;
  const expert = mlp(width, i, gated, false) + (m.expert_bias ? (gated ? 2 * i : i) + width : 0);
  let n = experts * expert + h * experts + (m.router_bias ? experts : 0) + (m.score_correction_bias ? experts : 0);
  if (m.shared_intermediate_size) n += mlp(h, m.shared_intermediate_size, gated, false);
  if (m.shared_expert_gate) n += h;
  if (m.latent_size) n += 2 * h * m.latent_size;
  return n + extra;
}

// Vision towers.
function tower(v) {
  if (v.type === 'fixed') return v.params;
  const h = v.hidden_size;
  const i = v.intermediate_size;
  const conv = 3 * v.patch_size ** 2 * (v.temporal_patch_size ?? 1) * h;
  const norm = 2 * h;
  const qkvo = 3 * h * h + 3 * h + h * h + h;
  const plain = 2 * h * i + i + h;
  const merged = (v.spatial_merge_size ?? 1) ** 2 * h;
  const merger = merged * merged + merged + merged * v.text_hidden_size + v.text_hidden_size;
  switch (v.type) {
    case 'clip':
      return conv + h + v.num_positions * h + 2 * norm + v.num_layers * (qkvo + plain + 2 * norm);
    case 'siglip':
      return conv + h + v.num_positions * h + norm + v.num_layers * (qkvo + plain + 2 * norm);
    case 'intern-vit':
      return conv + 2 * h + v.num_positions * h + v.num_layers * (qkvo + plain + 2 * norm + 2 * h);
    case 'qwen2-vit':
      return conv + v.num_layers * (qkvo + plain + 2 * norm) + norm + merger;
    case 'qwen2.5-vit':
      return conv + v.num_layers * (qkvo + 3 * h * i + 2 * i + h + 2 * h) + h + merger;
    case 'qwen3-vit':
      return (
        conv +
        h +
        v.num_positions * h +
        v.num_layers * (qkvo + plain + 2 * norm) +
        norm +
        merger +
        (v.deepstack_mergers ?? 0) * (2 * merged + merger)
      );
    case 'pixtral':
      return conv + h + v.num_layers * (4 * h * h + 3 * h * i + 2 * h);
    case 'mllama-vit': {
      const ratios = 9;
      const tiles = ratios * v.max_num_tiles;
      const block = 4 * h * h + plain + 2 * norm;
      const base = conv + h + (1 + v.num_positions * h + tiles * v.num_positions * h) + 2 * (tiles * h + 1) + 2 * norm;
      return base + v.num_layers * block + v.num_global_layers * (block + 2);
    }
    default:
      throw new Error(`unknown kind of vision tower: ${v.type}`);
  }
}

function projector(p) {
  if (!p) return 0;
  const { in: a, out: b } = p;
  switch (p.type) {
    case 'mlp2':
      return a * b + b + b * b + b;
    case 'mlp2-nobias':
      return a * b + b * b;
    case 'linear':
      return a * b + b;
    case 'linear-nobias':
      return a * b;
    case 'gemma3':
      return a * b + a;
    case 'mistral3':
      return a + 4 * a * a + a * b + b * b;
    case 'internvl':
      return 2 * a + a * b + b + b * b + b;
    case 'fixed':
      return p.params;
    default:
      throw new Error(`unknown kind of projector: ${p.type}`);
  }
}

// Encoders and encoder-decoders.
function encoder(e) {
  const h = e.hidden_size;
  const i = e.intermediate_size;
  const layers = e.num_layers;
  const decoders = e.num_decoder_layers ?? 0;
  const vocab = e.vocab_size * h;
  const rows = (e.position_rows ?? 0) * h;
  const types = (e.type_vocab_size ?? 0) * h;
  const attn = 4 * (h * h + h);
  const block = attn + 2 * h * i + i + h + 4 * h;
  switch (e.encoder_type) {
    case 'bert':
    case 'roberta':
      return vocab + rows + types + 2 * h + layers * block + (e.pooler ? h * h + h : 0);
    case 'distilbert':
      return vocab + rows + 2 * h + layers * block;
    case 'modernbert':
      return vocab + h + layers * (4 * h * h + 3 * h * i + 2 * h);
    case 't5': {
      const d = e.num_attention_heads * e.head_dim;
      const buckets = e.rel_buckets * e.num_attention_heads;
      const ff = (e.gated ? 3 : 2) * h * i;
      return (
        vocab * (e.tie_word_embeddings ? 1 : 2) +
        layers * (4 * h * d + ff + 2 * h) +
        decoders * (8 * h * d + ff + 3 * h) +
        2 * (buckets + h)
      );
    }
    case 'bart': {
      const di = e.decoder_intermediate_size ?? i;
      return vocab + 2 * (2 * h + rows) + layers * block + decoders * (2 * attn + 2 * h * di + di + h + 6 * h);
    }
    case 'whisper': {
      const conv = e.num_mel_bins * h * 3 + h + 3 * h * h + h;
      const ff = 2 * h * i + i + h;
      return (
        conv +
        1500 * h +
        layers * (4 * h * h + 3 * h + ff + 4 * h) +
        4 * h +
        vocab +
        e.decoder_positions * h +
        decoders * (8 * h * h + 6 * h + ff + 6 * h)
      );
    }
    case 'deberta-v2':
      return vocab + 2 * h + layers * block + e.rel_rows * h + 2 * h;
    case 'nomic-bert':
      return vocab + types + 2 * h + layers * (4 * h * h + 3 * h * i + 4 * h);
    default:
      throw new Error(`unknown kind of encoder: ${e.encoder_type}`);
  }
}

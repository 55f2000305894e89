// Attention in its kinds: grouped heads, latent attention, cross-attention.
#include "builder.h"

namespace tunefit {

int Builder::attention(int x, const Attention& k) {
  const ModuleNames& m = s_.modules;
  const std::int64_t q = k.q_width(), kv = k.kv_width(), v = k.v_width();
  const int source = k.cross ? b_.context : x;
  auto projection = [&](const std::string& module, std::int64_t in, std::int64_t out, const char* usual) {
    Parameter p = weight(module, in, out, {usual});
    p.attention = true;
    return p;
  };
  int query, key, value, gate = -1;
  if ((k.fused_qkv || r_.habits.fused_qkv) && !k.cross && !k.shares_kv && k.q_rank == 0) {
    Parameter p = weight(m.qkv, width(x), q + kv + v, {"qkv_proj", "q_proj", "k_proj", "v_proj", m.q, m.k, m.v});
    p.attention = true;
    p.parts = {{"q_proj", q}, {"k_proj", kv}, {"v_proj", v}};
    const int qkv = linear(x, std::move(p), k.bias_q);
    query = split(qkv, q), key = split(qkv, kv), value = split(qkv, v);
  } else {
    if (k.q_rank > 0) {
      const int low = norm(linear(x, projection("q_a_proj", width(x), k.q_rank, "q_a_proj")), "q_a_layernorm", k.q_rank);
      query = linear(low, projection("q_b_proj", k.q_rank, q, "q_proj"), k.bias_q);
    } else {
      query = linear(x, projection(m.q, width(x), k.output_gate ? 2 * q : q, "q_proj"), k.bias_q);
    }
    if (k.output_gate) gate = split(query, q), query = split(query, q);
    if (k.shares_kv) {
      key = value = split(query, q);
    } else {
      key = linear(source, projection(m.k, width(source), kv, "k_proj"), k.bias_k);
      value = k.k_eq_v ? key : linear(source, projection(m.v, width(source), v, "v_proj"), k.bias_v);
      if (k.q_rank > 0) key = value = norm(key, "kv_norm", kv);  // DeepSeek-V4: one latent is key and value
    }
  }
  if (k.qk_norm != QkNorm::none) {
    const bool full = k.qk_norm == QkNorm::full, weighted = k.qk_norm != QkNorm::weightless;
    query = norm(query, "q_norm", full ? q : k.head_dim, weighted);
    if (!k.shares_kv) key = norm(key, "k_norm", full ? kv : k.head_dim, weighted);
  }
  if (k.position == Position::rope && !k.cross) {
    query = apply(OpKind::rope, {query}, q);
    if (r_.habits.rotary_per_layer) last().kept.push_back(2 * per_row_ * k.head_dim);
    last().wide = r_.habits.rotary_dtype == RotaryDtype::fp32;
    if (!k.shares_kv) key = apply(OpKind::rope, {key}, kv);
  }
  const bool cached = r_.no_grad ? r_.habits.kv_cache_in_evaluation || r_.generates() : r_.habits.kv_cache_in_training && !r_.recomputes();
  if (cached && s_.causal && !k.cross) b_.at(key).held = b_.at(value).held = Held::model;
  if (r_.method == Method::prefix && !k.cross && s_.causal) {  // DynamicCache: prefix and keys side by side, in each layer
    auto prefixed = [&](int t, std::int64_t wide, const char* name) {
      const int longer = apply_rows(OpKind::concatenate, {t}, rows(t) + r_.batch * r_.virtual_tokens, wide);
      const int index = b_.add_parameter({name, ParamKind::adapter, r_.virtual_tokens, wide});
      last().weight = index;
      return longer;
    };
    key = prefixed(key, kv, "prefix_keys");
    value = prefixed(value, v, "prefix_values");
  }
  // Learned biases on the scores have no fused kernel in transformers (modeling_t5.py, modeling_deberta_v2.py).
  const bool biased = k.position == Position::relative || k.position == Position::disentangled;
  const bool eager = r_.attention == AttentionImpl::eager || biased;
  const bool repeats = r_.habits.repeat_kv == RepeatKv::always || (r_.habits.repeat_kv == RepeatKv::with_mask && r_.attention_mask);
  if (kv != q && !k.shares_kv && (eager || (repeats && r_.attention == AttentionImpl::sdpa)))
    key = apply(OpKind::repeat, {key}, q), value = apply(OpKind::repeat, {value}, k.out_width());
  int out = apply(OpKind::attention, {query, key, value}, k.out_width());
  Op& op = last();
  op.heads = k.heads;
  op.keys = k.cross ? rows(source) * per_row_ / b_.tokens : per_row_;
  op.attention = eager ? AttentionCode::eager : AttentionCode::fused;
  op.dropout = s_.dropout && !r_.no_grad;
  if (k.sinks) {
    Parameter p{"sinks", ParamKind::other, 1, k.heads};
    p.part = part;
    const int index = b_.add_parameter(std::move(p));
    last().weight = index;
  }
  if (k.output_gate) {
    const int opened = apply(OpKind::sigmoid, {gate}, k.out_width());
    out = apply(OpKind::multiply, {out, opened}, k.out_width());
  }
  if (k.o_groups > 0) {
    Parameter grouped = projection("o_a_proj", k.out_width() / k.o_groups, k.o_rank, "o_proj");
    grouped.copies = k.o_groups;
    out = linear(out, std::move(grouped));
    return linear(out, projection("o_b_proj", k.o_groups * k.o_rank, s_.hidden, "o_proj"), k.bias_o);
  }
  return linear(out, projection(m.o, k.out_width(), s_.hidden, "o_proj"), k.bias_o);
}

// transformers, modeling_deepseek_v3.py DeepseekV3Attention: keys and queries are put together from a part without and a part with
// positions; FlashAttention pads values to the width of the keys.
int Builder::latent_attention(int x, const LatentAttention& k) {
  const std::int64_t h = width(x), q = k.heads * k.qk_dim(), v = k.heads * k.v_head_dim;
  auto projection = [&](const char* module, std::int64_t in, std::int64_t out) {
    Parameter p = weight(module, in, out);
    p.attention = true;
    return p;
  };
  int query;
  if (k.q_rank > 0) {
    const int low = norm(linear(x, projection("q_a_proj", h, k.q_rank)), "q_a_layernorm", k.q_rank);
    query = linear(low, projection("q_b_proj", k.q_rank, q));
    if (k.indexer_heads > 0) {  // wq_b, wk with its layer norm, weights_proj; its scores are not trained by this loss
      const std::int64_t n = k.indexer_heads, d = k.indexer_dim;
      query = carry(query, "indexer", k.q_rank * n * d + h * d + 2 * d + h * n);
    }
  } else {
    query = linear(x, projection("q_proj", h, q));
  }
  const int down = linear(x, projection("kv_a_proj_with_mqa", h, k.kv_rank + k.rope_dim));
  const int latent = norm(split(down, k.kv_rank), "kv_a_layernorm", k.kv_rank);
  const int up = linear(latent, projection("kv_b_proj", k.kv_rank, k.heads * (k.nope_dim + k.v_head_dim)));
  int key = split(up, k.heads * k.nope_dim);
  int value = split(up, v);
  if (k.rope_dim > 0) {
    const int turned_query = apply(OpKind::rope, {split(query, k.heads * k.rope_dim)}, k.heads * k.rope_dim);
    const int turned_key = apply(OpKind::rope, {split(down, k.rope_dim)}, k.rope_dim);
    const int rest = split(query, k.heads * k.nope_dim);
    query = apply(OpKind::concatenate, {rest, turned_query}, q);
    key = apply(OpKind::concatenate, {key, turned_key}, q);
  }
  const bool flash = r_.attention == AttentionImpl::flash_attention_2 || r_.attention == AttentionImpl::flash_attention_3;
  const bool padded = flash && k.v_head_dim != k.qk_dim();
  if (padded) value = apply(OpKind::concatenate, {value}, q);
  int out = apply(OpKind::attention, {query, key, value}, padded ? q : v);
  Op& op = last();
  op.heads = k.heads;
  op.keys = per_row_;
  op.attention = r_.attention == AttentionImpl::eager ? AttentionCode::eager : AttentionCode::fused;
  if (padded) out = apply(OpKind::copy, {out}, v);
  Parameter o = weight(s_.modules.o, v, s_.hidden, {"o_proj"});
  o.attention = true;
  return linear(out, std::move(o));
}

}  // namespace tunefit

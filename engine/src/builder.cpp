#include "builder.h"

namespace tunefit {

int Builder::apply_rows(OpKind kind, std::initializer_list<int> inputs, std::int64_t rows, std::int64_t width) {
  Op op;
  op.kind = kind;
  for (int t : inputs) op.inputs.push_back(t);
  op.output = tensor(rows, width);
  op.rows = rows;
  b_.ops.push_back(op);
  return op.output;
}

int Builder::apply(OpKind kind, std::initializer_list<int> inputs, std::int64_t width) {
  return apply_rows(kind, inputs, inputs.size() > 0 ? rows(*inputs.begin()) : b_.tokens, width);
}

int Builder::linear(int x, Parameter w, bool bias) {
  const int y = apply(OpKind::linear, {x}, w.in * w.copies == width(x) ? w.out * w.copies : w.out);
  w.part = part;
  const std::string module = w.module;
  const std::int64_t out = w.out, copies = w.copies;
  const int index = b_.add_parameter(std::move(w));
  last().weight = index;
  if (bias) {
    Parameter p{module + ".bias", ParamKind::bias, 1, out};
    p.copies = copies;
    p.part = part;
    const int at = b_.add_parameter(std::move(p));
    last().bias = at;
  }
  return y;
}

int Builder::norm(int x, const std::string& module, std::int64_t width, bool has_weight) {
  const std::int64_t numel = b_.at(x).numel;
  const int y = apply_rows(OpKind::norm, {x}, rows(x), this->width(x));
  Op& op = last();
  op.rows = numel / width;
  auto parameter = [&](const std::string& name, ParamKind kind) {
    Parameter p{name, kind, 1, width};
    p.part = part;
    return b_.add_parameter(std::move(p));
  };
  if (has_weight && s_.norm != NormKind::nonparametric) op.weight = parameter(module, ParamKind::norm);
  if (has_weight && s_.norm == NormKind::layernorm) op.bias = parameter(module + ".bias", ParamKind::bias);
  op.norm = s_.norm != NormKind::rmsnorm || r_.habits.norm == NormImpl::native ? NormCode::native
            : r_.habits.norm == NormImpl::litgpt_2023                          ? NormCode::no_upcast
            : s_.norm_scales_in_fp32 || r_.habits.norm_weight_in_fp32          ? NormCode::upcast_scale_in_fp32
                                                                               : NormCode::upcast;
  return y;
}

int Builder::carry(int x, const std::string& name, std::int64_t count, bool buffer) {
  if (count <= 0) return x;
  const int y = apply(OpKind::view, {x}, width(x));
  Parameter p{name, ParamKind::other, 1, count};
  p.buffer = buffer;
  p.part = part;
  const int index = b_.add_parameter(std::move(p));
  last().weight = index;
  return y;
}

// transformers before 4.41 held cos and sin of every position in each layer (modeling_llama.py, LlamaRotaryEmbedding).
void Builder::rotary_tables(const Layer& l) {
  if (!r_.habits.rotary_tables_per_layer || !l.attention || l.attention->position != Position::rope) return;
  b_.buffers = 2 * s_.max_position_embeddings * l.attention->head_dim *
               (r_.habits.rotary_tables_dtype == RotaryTables::fp32 ? 4 : size_of(r_.base_dtype));
}

int Builder::mixers(int x, const Layer& l) {
  int sum = -1;
  auto add = [&](int y) { sum = sum < 0 ? y : apply(OpKind::add, {sum, y}, s_.hidden); };
  if (l.mamba) add(mamba(x, *l.mamba));
  if (l.attention) add(attention(x, *l.attention));
  if (l.latent) add(latent_attention(x, *l.latent));
  if (l.linear) add(linear_attention(x, *l.linear));
  if (l.short_conv > 0) add(short_conv(x, l.short_conv));
  return sum;
}

// residual: what the experts of Gemma 4 read; the dense MLP beside them reads x.
int Builder::feed_forwards(int x, int residual, const Layer& l) {
  if (!l.experts) return mlp(x, *l.mlp);
  if (!l.mlp) return experts(x, *l.experts);
  if (l.norms != 7) {
    const int dense = mlp(x, *l.mlp);
    const int routed = experts(x, *l.experts);
    return apply(OpKind::add, {dense, routed}, s_.hidden);
  }
  const int dense = norm(mlp(x, *l.mlp), "post_feedforward_layernorm_1", s_.hidden);
  const int second = norm(residual, "pre_feedforward_layernorm_2", s_.hidden);
  const int routed = norm(experts(second, *l.experts), "post_feedforward_layernorm_2", s_.hidden);
  return apply(OpKind::add, {dense, routed}, s_.hidden);
}

void Builder::layer(const Layer& l, std::int64_t context_rows) {
  const std::int64_t h = s_.hidden;
  const bool crosses = l.cross_attention || (l.attention && l.attention->cross);
  if (crosses) b_.context = tensor(context_rows, h);
  b_.input = tensor(b_.tokens, h);
  const int x = carry(b_.input, "other", l.other);
  rotary_tables(l);
  auto add = [&](int p, int q) { return apply(OpKind::add, {p, q}, h); };
  const bool mixes = l.attention || l.latent || l.mamba || l.linear || l.short_conv > 0, feeds = l.mlp || l.experts;

  if (l.norm_after_residual) {
    int y = norm(add(x, hidden_dropout(mixers(x, l))), "attention.output.LayerNorm", h);
    if (l.cross_attention) y = norm(add(y, hidden_dropout(attention(y, *l.cross_attention))), "encoder_attn_layer_norm", h);
    b_.output = norm(add(y, hidden_dropout(feed_forwards(y, y, l))), "output.LayerNorm", h);
    return;
  }
  if (l.post_norm_only) {
    const int mid = add(x, norm(mixers(x, l), "post_attention_layernorm", h));
    b_.output = add(mid, norm(feed_forwards(mid, mid, l), "post_feedforward_layernorm", h));
    return;
  }
  if (l.parallel_residual && mixes && feeds) {
    const int normed = norm(x, "input_layernorm", h);
    const int attended = mixers(normed, l);
    const int second = l.norms == 1 ? normed : norm(x, "post_attention_layernorm", h);
    const int made = feed_forwards(second, x, l);
    b_.output = add(add(attended, made), x);
    return;
  }
  const bool sandwich = l.norms >= 4;
  int y = x;
  if (mixes) {
    const int entered = l.norms == 1 && feeds ? y : norm(y, "input_layernorm", h);
    int attended = hidden_dropout(mixers(entered, l));
    if (sandwich) attended = norm(attended, "post_attention_layernorm", h);
    y = add(y, attended);
  }
  if (l.cross_attention) y = add(y, hidden_dropout(attention(norm(y, "encoder_attn_layer_norm", h), *l.cross_attention)));
  if (feeds) {
    const char* before = sandwich ? "pre_feedforward_layernorm" : mixes ? "post_attention_layernorm" : "norm";
    int made = hidden_dropout(feed_forwards(norm(y, before, h), y, l));
    if (sandwich) made = norm(made, "post_feedforward_layernorm", h);
    y = add(y, made);
  }
  b_.output = y == b_.input ? apply(OpKind::view, {y}, h) : y;
}

}  // namespace tunefit

// Token mixers that are no attention: state-space models, linear attention, short convolutions. Their kernels recompute much in backward;
// what each keeps is stated as numbers a token of the input's dtype.
#include "builder.h"

namespace tunefit {
namespace {

constexpr std::int64_t kMambaChunk = 256;    // mamba_ssm: chunk_size of mamba_split_conv1d_scan_combined in the models' configurations
constexpr std::int64_t kMamba1Chunk = 2048;  // mamba_ssm csrc/selective_scan: tokens a block of scan_intermediates
constexpr std::int64_t kDeltaChunk = 64;     // fla/ops/gated_delta_rule/chunk.py

}  // namespace

int Builder::mamba(int x, const Mamba& m) {
  const std::int64_t h = width(x), n = b_.tokens, d = m.inner, state = m.state;
  auto coefficients = [&](const char* name, std::int64_t count) {
    Parameter p{name, ParamKind::other, 1, count};
    p.part = part;
    return b_.add_parameter(std::move(p));
  };
  if (m.second) {
    // state-spaces/mamba@e9594ce1 mamba_ssm/ops/triton/ssd_combined.py:888 MambaSplitConv1dScanCombinedFn: keeps its input and the scan's
    // output, recomputes the rest; the output projection is part of it.
    const std::int64_t conv = d + 2 * m.groups * state;
    int in = linear(x, weight("in_proj", h, d + conv + m.heads), m.bias);
    in = carry(in, "A_log, D, dt_bias", 3 * m.heads);
    if (m.gated_norm) in = carry(in, "norm", d);
    int out = apply(OpKind::kernel, {in}, d);
    last().weight = coefficients("conv1d", conv * m.conv_kernel);
    if (m.conv_bias) last().bias = coefficients("conv1d.bias", conv);
    const std::int64_t states = 2 * d * state * (n / kMambaChunk + 1);  // fp32, counted in numbers of 16 bit
    Op& op = last();
    op.saved_inputs = 1, op.saves_output = true;
    op.forward_temporary.push_back(n * conv), op.forward_temporary.push_back(states);
    op.backward_temporary.push_back(2 * n * conv + 2 * n * d), op.backward_temporary.push_back(4 * states);
    return linear(out, weight("out_proj", d, h), m.bias);
  }
  // state-spaces/mamba@e9594ce1 mamba_ssm/ops/selective_scan_interface.py:196 MambaInnerFn with checkpoint_lvl 1: keeps its input, the
  // projected time step, B and C twice, the scan's output and states between blocks; convolution and time step are recomputed.
  int in = linear(x, weight("in_proj", h, 2 * d), m.bias);
  in = carry(in, "A_log, D", d * state + d);
  const int projected = linear(split(in, d), weight("x_proj", d, m.dt_rank + 2 * state));
  int coefficient = projected;
  if (m.inner_norms) coefficient = carry(coefficient, "dt, B and C norms", m.dt_rank + 2 * state);
  const int step = linear(split(coefficient, m.dt_rank), weight("dt_proj", m.dt_rank, d), true);
  int out = apply(OpKind::kernel, {in, coefficient, step}, d);
  last().weight = coefficients("conv1d", d * m.conv_kernel);
  if (m.conv_bias) last().bias = coefficients("conv1d.bias", d);
  Op& op = last();
  op.saved_inputs = 2, op.saves_output = true;
  op.kept.push_back(2 * n * state), op.kept.push_back(4 * d * state * (n / kMamba1Chunk + 1));
  op.forward_temporary.push_back(3 * n * d);
  op.backward_temporary.push_back(6 * n * d);
  return linear(out, weight("out_proj", d, h), m.bias);
}

int Builder::linear_attention(int x, const LinearAttention& k) { return k.kind == LinearKind::kda ? kimi_delta(x, k) : delta_rule(x, k); }

// transformers modeling_qwen3_next.py Qwen3NextGatedDeltaNet over fla-org/flash-linear-attention@bc3b101d
// fla/ops/gated_delta_rule/chunk.py:310: keeps normalised q and k, v and a chunk matrix a value head; states are recomputed.
int Builder::delta_rule(int x, const LinearAttention& l) {
  const std::int64_t h = width(x), n = b_.tokens, k = l.key_heads * l.key_dim, v = l.value_heads * l.value_dim;
  const int qkvz = linear(x, weight("in_proj_qkvz", h, 2 * k + 2 * v));
  const int ba = carry(linear(x, weight("in_proj_ba", h, 2 * l.value_heads)), "A_log, dt_bias", 2 * l.value_heads);
  const int gate = apply(OpKind::copy, {qkvz}, v);  // taken apart by key heads: copies
  const int mixed = apply(OpKind::concatenate, {qkvz}, 2 * k + v);
  const int convolved = apply(OpKind::conv, {mixed}, 2 * k + v);
  Parameter conv{"conv1d", ParamKind::other, 1, (2 * k + v) * l.conv_kernel};
  const int index = b_.add_parameter(std::move(conv));
  last().weight = index;
  int query = split(convolved, k), key = split(convolved, k);
  const int value = split(convolved, v);
  const std::int64_t wide = l.value_heads * l.key_dim;
  if (wide != k) query = apply(OpKind::repeat, {query}, wide), key = apply(OpKind::repeat, {key}, wide);
  int out = apply(OpKind::kernel, {query, key, value, ba}, v);
  Op& op = last();
  op.saved_inputs = 0;
  op.kept.push_back(n * (2 * wide + v)), op.kept.push_back(n * l.value_heads * kDeltaChunk);
  const std::int64_t states = l.value_heads * l.key_dim * l.value_dim * (n / kDeltaChunk + 1);
  op.forward_temporary.push_back(states), op.forward_temporary.push_back(2 * n * v);
  op.backward_temporary.push_back(2 * states), op.backward_temporary.push_back(2 * n * (wide + v));
  out = apply(OpKind::kernel, {out, gate}, v);  // FusedRMSNormGated
  Parameter norm{"norm", ParamKind::norm, 1, l.value_dim};
  const int at = b_.add_parameter(std::move(norm));
  last().weight = at;
  return linear(out, weight("out_proj", v, h));
}

// fla-org/flash-linear-attention@bc3b101d fla/layers/kda.py, fla/ops/kda/chunk.py:103: as above with a gate a channel, made by two
// small matrices, and two chunk matrices a head.
int Builder::kimi_delta(int x, const LinearAttention& l) {
  const std::int64_t h = width(x), n = b_.tokens, k = l.key_heads * l.key_dim, v = l.value_heads * l.value_dim, rank = l.value_dim;
  auto branch = [&](const char* module, const char* conv, std::int64_t wide) {
    const int y = linear(x, weight(module, h, wide));
    const int out = apply(OpKind::conv, {y}, wide);
    Parameter p{conv, ParamKind::other, 1, wide * l.conv_kernel};
    const int index = b_.add_parameter(std::move(p));
    last().weight = index;
    return out;
  };
  const int query = branch("q_proj", "q_conv1d", k);
  const int key = branch("k_proj", "k_conv1d", k);
  const int value = branch("v_proj", "v_conv1d", v);
  const int low = linear(x, weight("f_a_proj", h, rank));
  const int decay = carry(linear(low, weight("f_b_proj", rank, k)), "A_log, dt_bias", l.key_heads + k);
  const int beta = linear(x, weight("b_proj", h, l.value_heads));
  int out = apply(OpKind::kernel, {value, decay, query, key}, v);
  Op& op = last();
  op.saved_inputs = 2;
  op.kept.push_back(2 * n * k), op.kept.push_back(2 * n * l.value_heads * kDeltaChunk);
  const std::int64_t states = l.value_heads * l.key_dim * l.value_dim * (n / kDeltaChunk + 1);
  op.forward_temporary.push_back(states), op.forward_temporary.push_back(2 * n * v);
  op.backward_temporary.push_back(2 * states), op.backward_temporary.push_back(2 * n * (k + v));
  const int scaled = apply(OpKind::kernel, {out, beta}, v);
  last().saved_inputs = 0;
  const int gate = linear(linear(x, weight("g_a_proj", h, rank)), weight("g_b_proj", rank, v));
  out = apply(OpKind::kernel, {scaled, gate}, v);
  Parameter norm{"o_norm", ParamKind::norm, 1, l.value_dim};
  const int at = b_.add_parameter(std::move(norm));
  last().weight = at;
  return linear(out, weight("o_proj", v, h));
}

// transformers modeling_lfm2.py Lfm2ShortConv: out(C * conv(B * x)).
int Builder::short_conv(int x, std::int64_t kernel) {
  const std::int64_t h = width(x);
  const int bcx = linear(x, weight("in_proj", h, 3 * h));
  const int b = split(bcx, h), c = split(bcx, h), inner = split(bcx, h);
  const int product = apply(OpKind::multiply, {b, inner}, h);
  const int convolved = apply(OpKind::conv, {product}, h);
  Parameter p{"conv", ParamKind::other, 1, h * kernel};
  const int index = b_.add_parameter(std::move(p));
  last().weight = index;
  const int gated = apply(OpKind::multiply, {c, convolved}, h);
  return linear(gated, weight("out_proj", h, h));
}

}  // namespace tunefit

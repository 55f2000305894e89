#include "tunefit/architecture.h"

namespace tunefit {

namespace {

std::int64_t norm_width(NormKind kind, std::int64_t width) {
  switch (kind) {
    case NormKind::layernorm:
      return 2 * width;
    case NormKind::rmsnorm:
    case NormKind::layernorm_nobias:
      return width;
    case NormKind::nonparametric:
      break;
  }
  return 0;
}

std::int64_t qk_norm_parameters(const Attention& a) {
  switch (a.qk_norm) {
    case QkNorm::per_head:
      return 2 * a.head_dim;
    case QkNorm::full:
      return a.q_width() + a.kv_width();
    case QkNorm::none:
      break;
  }
  return 0;
}

std::int64_t attention_parameters(const Attention& a, std::int64_t hidden) {
  std::int64_t n = 2 * hidden * (a.q_width() + a.kv_width()) + qk_norm_parameters(a);
  if (a.bias_q) n += a.q_width();
  if (a.bias_k) n += a.kv_width();
  if (a.bias_v) n += a.kv_width();
  if (a.bias_o) n += hidden;
  return n;
}

std::int64_t mlp_parameters(const Mlp& m, std::int64_t hidden) {
  const std::int64_t inward = m.gated ? 2 : 1;
  return (inward + 1) * hidden * m.intermediate + (m.bias ? inward * m.intermediate + hidden : 0);
}

}  // namespace

std::int64_t parameter_count(const Architecture& a) {
  const std::int64_t norm = norm_width(a.norm, a.hidden);
  std::int64_t n = (a.vocab + a.learned_positions) * a.hidden;
  if (a.embedding_norm) n += norm;
  if (a.final_norm) n += norm;
  if (!a.tied) n += a.vocab * a.hidden;
  if (a.lm_head_bias) n += a.vocab;
  for (const auto index : a.layers) {
    const Layer& layer = a.kinds[index];
    n += attention_parameters(layer.attention, a.hidden) + mlp_parameters(layer.mlp, a.hidden) + layer.norms * norm;
  }
  return n;
}

}  // namespace tunefit

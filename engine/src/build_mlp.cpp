// Feed-forwards: MLP and mixture of experts.
#include <algorithm>

#include "builder.h"

namespace tunefit {

int Builder::mlp(int x, const Mlp& m, std::int64_t copies, bool fused) {
  const bool expert = copies > 1 || fused;
  const ModuleNames& n = s_.modules;
  const std::string &gate_name = expert ? n.expert_gate : n.gate, &up_name = expert ? n.expert_up : n.up,
                    &down_name = expert ? n.expert_down : n.down;
  const std::int64_t in = width(x), wide = m.intermediate;
  auto module = [&](const std::string& name, std::int64_t from, std::int64_t to, std::vector<std::string> aliases) {
    Parameter p = weight(name, from, to, std::move(aliases));
    p.copies = copies, p.fused = fused;
    return p;
  };
  int up;
  if (m.activation == Activation::swiglu_oai) {
    // transformers modeling_gpt_oss.py: clamp, gate * sigmoid(alpha * gate), (up + 1) * glu: keeps 7 widths a row where a gated MLP
    // keeps 4.
    const int both = linear(x, module(n.gate_up, in, 2 * wide, {"gate_up_proj"}), m.bias);
    const int gate = apply(OpKind::activation, {split(both, wide)}, wide);
    const int bounded = apply(OpKind::activation, {split(both, wide)}, wide);
    const int opened = apply(OpKind::activation, {gate}, wide);
    const int glu = apply(OpKind::multiply, {gate, opened}, wide);
    up = apply(OpKind::multiply, {bounded, glu}, wide);
  } else if (m.gated) {
    int gate;
    if (m.fused_gate_up) {
      const int both = linear(x, module(n.gate_up, in, 2 * wide, {"gate_up_proj", "gate_proj", "up_proj", n.gate, n.up}), m.bias);
      gate = split(both, wide), up = split(both, wide);
      gate = apply(OpKind::activation, {gate}, wide);
    } else {
      gate = apply(OpKind::activation, {linear(x, module(gate_name, in, wide, {"gate_proj"}), m.bias)}, wide);
      up = linear(x, module(up_name, in, wide, {"up_proj"}), m.bias);
    }
    up = apply(OpKind::multiply, {gate, up}, wide);
  } else {
    up = apply(OpKind::activation, {linear(x, module(up_name, in, wide, {"up_proj"}), m.bias)}, wide);
    if (m.activation == Activation::relu_squared) up = apply(OpKind::multiply, {up, up}, wide);
  }
  return linear(up, module(down_name, wide, in, {"down_proj"}), m.bias);
}

// transformers' loop over experts: tokens are gathered for one expert after the other, weighted, and added where they came from. The loop
// is written as up to kTurns turns: what is kept is exact, what lives for one turn only is one kTurns-th.
int Builder::experts(int x, const Experts& e) {
  constexpr std::int64_t kTurns = 8;
  const std::int64_t n = rows(x), h = width(x);
  const bool fused = e.fused || r_.habits.fused_experts;
  Parameter router = weight(s_.modules.router, h, e.count);
  router.fused = fused;
  int logits = linear(x, std::move(router), e.router_bias);
  if (e.score_correction) logits = carry(logits, "e_score_correction_bias", e.count, true);
  const int upcast = apply(OpKind::cast, {logits}, e.count);
  last().to = DType::fp32;
  const int scores = apply(OpKind::softmax, {upcast}, e.count);
  // The chosen weights go back to 16 bit, but not with fused experts (modeling_mixtral.py of transformers 5, MixtralTopKRouter).
  const DType hidden = r_.mixed_precision == MixedPrecision::fp16   ? DType::fp16
                       : r_.mixed_precision == MixedPrecision::bf16 ? DType::bf16
                                                                    : r_.base_dtype;
  int entered = x;
  if (e.latent > 0) entered = linear(x, weight("fc1_latent_proj", h, e.latent));
  const std::int64_t inner = width(entered), turns = fused ? 1 : std::min(kTurns, e.count);
  int sum = -1;
  for (std::int64_t turn = 0; turn < turns; ++turn) {
    auto share = [&](std::int64_t whole) { return whole * (turn + 1) / turns - whole * turn / turns; };
    const std::int64_t tokens = share(n * e.per_token);
    const int gathered = apply_rows(OpKind::index, {entered}, tokens, inner);
    const int made = mlp(gathered, e.expert, share(e.count), fused);
    int chosen = apply_rows(OpKind::index, {scores}, tokens, 1);
    if (!fused) chosen = apply(OpKind::cast, {chosen}, 1), last().to = hidden;
    const int weighted = apply(OpKind::multiply, {made, chosen}, inner);
    sum = sum < 0 ? apply_rows(OpKind::index_add, {weighted}, n, inner) : apply_rows(OpKind::index_add, {sum, weighted}, n, inner);
    last().in_place = true;
  }
  if (fused) sum = apply(OpKind::cast, {sum}, inner), last().to = hidden;
  if (e.latent > 0) sum = linear(sum, weight("fc2_latent_proj", e.latent, h));
  if (e.shared == 0) return sum;
  Mlp shared = e.expert;
  shared.intermediate = e.shared, shared.bias = false;
  int always = mlp(x, shared);
  if (e.shared_gate) {
    const int gate = apply(OpKind::sigmoid, {linear(x, weight("shared_expert_gate", h, 1))}, 1);
    always = apply(OpKind::multiply, {always, gate}, h);
  }
  return apply(OpKind::add, {sum, always}, h);
}

}  // namespace tunefit

// Folding, accounting and order of the timeline.
#include "tunefit/timeline.h"

#include <algorithm>
#include <map>

#include "catch.h"
#include "engine_cases.h"
#include "tunefit/build.h"

namespace tunefit::test {
namespace {

std::vector<std::pair<std::string, Recipe>> recipes() {
  Recipe accumulating = lora();
  accumulating.gradient_accumulation = 4;
  Recipe mixed = full_bf16();
  mixed.base_dtype = mixed.trainable_dtype = DType::fp32;
  mixed.mixed_precision = MixedPrecision::bf16;
  Recipe bare = lora();
  bare.checkpointing = Checkpointing::none;
  Recipe frozen_below = bare;
  frozen_below.habits.input_require_grads = false;
  Recipe in_backward = full_bf16();
  in_backward.optimizer_in_backward = true;
  Recipe liger = full_bf16();
  liger.liger = true;
  liger.loss = LossVariant::liger;
  Recipe master = full_bf16();
  master.fp32_master_weights = true;
  Recipe non_reentrant = lora();
  non_reentrant.habits.reentrant_checkpoint = false;
  Recipe escaping = qlora_kbit();
  escaping.habits.reentrant_checkpoint = false;
  escaping.habits.bnb_keeps_input = true;
  escaping.habits.bnb_computes_in_input_dtype = true;
  Recipe saved = lora();
  saved.lora->modules_to_save = {"embed_tokens", "lm_head"};
  return {{"full", full_bf16()}, {"lora", lora()},   {"qlora", qlora_kbit()},          {"accumulating", accumulating},
          {"mixed", mixed},      {"bare", bare},     {"frozen below", frozen_below},   {"in backward", in_backward},
          {"liger", liger},      {"master", master}, {"non-reentrant", non_reentrant}, {"escaping", escaping},
          {"saved", saved}};
}

std::vector<std::pair<std::string, Architecture>> architectures() {
  Architecture small = llama(256, 512, 5, 8, 2, 1000);
  Architecture tied = small;
  tied.tied = true;
  Architecture sandwich = small;
  sandwich.norm_scales_in_fp32 = true;
  Layer sliding = sandwich.kinds[0];
  sliding.norms = 4;
  sliding.attention->window = 128;
  sandwich.kinds = {sliding, sandwich.kinds[0]};
  sandwich.layers = {0, 0, 1, 0, 1};
  Architecture phi = small;
  phi.norm = NormKind::layernorm;
  phi.kinds[0].parallel_residual = true;
  phi.kinds[0].norms = 1;
  phi.kinds[0].mlp->gated = false;
  phi.kinds[0].mlp->bias = true;
  phi.lm_head_bias = true;
  Architecture fused = small;
  fused.kinds[0].attention->fused_qkv = fused.kinds[0].mlp->fused_gate_up = true;
  Architecture post = small;
  post.kinds[0].post_norm_only = true;
  return {{"small", small}, {"tied", tied}, {"sandwich", sandwich}, {"phi", phi}, {"fused", fused}, {"post", post}};
}

}  // namespace

TEST_CASE("folded peaks equal those of the unfolded events, and every step gives back what it took") {
  for (const auto& [model, a] : architectures())
    for (auto [name, r] : recipes()) {
      INFO(model << ", " << name);
      r.sequence_length = 64;
      const Graph g = build_graph(a, r);
      const Timeline t(g, r, Bytes(8 * kMiB));
      std::array<std::int64_t, kStepPhases> highest{};
      std::map<std::int64_t, std::int64_t> live;
      std::int64_t now = 0, steps_done = 0, after_first = 0;
      Phase last = Phase::load;
      bool consistent = true;
      t.replay(3, [&](Phase phase, std::int64_t key, const Event& e) {
        if (last == Phase::optimizer_step && phase != Phase::optimizer_step && ++steps_done == 1) after_first = now;
        last = phase;
        const std::int64_t before = now;
        if (e.bytes > 0)
          consistent = consistent && live.emplace(key, e.bytes).second;
        else
          consistent = consistent && live.count(key) == 1 && live[key] == -e.bytes && live.erase(key) == 1;
        consistent = consistent && key >= 0 && key < t.keys();
        now += e.bytes;
        if (phase == Phase::load || steps_done >= 1)
          highest[static_cast<std::size_t>(phase)] = std::max({highest[static_cast<std::size_t>(phase)], before, now});
      });
      CHECK(consistent);          // nothing is freed twice, allocated twice or freed with another size
      CHECK(now == after_first);  // no step leaks
      const auto peaks = t.peaks();
      for (std::size_t i = 0; i < peaks.size(); ++i) {
        INFO(phase_name(peaks[i].phase));
        if (highest[i] > 0) CHECK(peaks[i].bytes.value == highest[i]);  // with the optimizer in backward its phase has no event
        std::int64_t sum = 0;
        for (std::int64_t item : peaks[i].items) {
          CHECK(item >= 0);
          sum += item;
        }
        CHECK(sum == peaks[i].bytes.value);  // the breakdown is the peak
      }
    }
}

TEST_CASE("a tied head has one weight and one gradient") {
  Architecture a = llama(256, 512, 5, 8, 2, 1000);
  const std::int64_t untied = size(a, full_bf16()).parameters;
  a.tied = true;
  const MemoryEstimate m = size(a, full_bf16());
  CHECK(untied - m.parameters == 256 * 1000);
  CHECK(m.trainable_parameters == m.parameters);
}

TEST_CASE("inputs that bitsandbytes before 0.43.2 keeps survive non-reentrant checkpointing, not the reentrant one") {
  Recipe r = qlora_kbit();
  r.kbit_prep = false;
  r.lora->target_modules = {"attention"};
  r.habits.bnb_keeps_input = true;
  const Architecture a = llama_2_7b();
  auto in_forward = [&](bool reentrant) {
    r.habits.reentrant_checkpoint = reentrant;
    return size(a, r).timeline[static_cast<std::size_t>(Phase::loss)].bytes.value;
  };
  // two norm outputs, the attention output and the product of gate and up, of every layer, in bf16
  const double kept = 32.0 * 1024 * 2 * (3 * 4096 + 11008);
  CHECK(double(in_forward(false) - in_forward(true)) == Approx(kept).epsilon(0.01));
}

TEST_CASE("layers below the first trained one keep nothing where nobody asks for gradients of the embedding") {
  Recipe r = lora();
  r.checkpointing = Checkpointing::none;
  r.lora->target_modules = {"down_proj"};
  r.habits.input_require_grads = false;
  const Graph g = build_graph(llama_3_1_8b(), r);
  REQUIRE(g.order.size() == 35);
  CHECK(g.order[1] != g.order[2]);  // the first layer differs: its input needs no gradient
  CHECK(g.order[2] == g.order[32]);
}

}  // namespace tunefit::test

// What the kinds of layer beyond the dense one keep per token without recomputation, in a full fine-tune in bf16. The sums are written from
// the modelling code and kernels that build_*.cpp cite, not from what the engine prints.
#include "catalogue.h"
#include "catch.h"
#include "engine_cases.h"
#include "kept.h"
#include "model.h"
#include "schema.h"

namespace tunefit::test {
namespace {

Architecture catalogue_model(const char* id) {
  const json::Catalogue catalogue;
  const json::Json* entry = catalogue.find_model(id);
  INFO(id);
  REQUIRE(entry != nullptr);
  Architecture a;
  std::string why_not;
  REQUIRE(json::read_architecture(*entry, a, why_not));
  return a;
}

// The layer of this kind alone, one above the other.
Architecture only(Architecture a, std::size_t layer) {
  a.layers.assign(4, a.layers[layer]);
  a.encoder.reset();
  return a;
}

Recipe sdpa() {
  Recipe r = full_bf16();
  r.attention = AttentionImpl::sdpa;
  return r;
}

// RMSNorm of transformers with a trained weight: fp32 copy, 1/rms, product in 16 bit; with its output.
double norm(double width) { return 4 * width + 4 + 2 * width + 2 * width; }
double grouped_attention(double q, double kv, double heads) { return 4 * q + 4 * kv + 4 * heads; }

}  // namespace

TEST_CASE("experts in a loop keep 2h + 4f a routed row, their row numbers and weights, and the router's scores") {
  const Architecture a = only(catalogue_model("mistralai/Mixtral-8x7B-v0.1"), 0);
  const double h = 4096, f = 14336, k = 2, experts = 8;
  const double row = 2 * (2 * h + 4 * f) + 2 * 8 + 2;
  CHECK(kept_per_token(a, sdpa()) == Approx(norm(h) + grouped_attention(4096, 1024, 32) + norm(h) + k * row + 4 * experts).epsilon(2e-3));
}

TEST_CASE("experts in one tensor keep as much, with weights in fp32") {
  Recipe r = sdpa();
  r.habits.fused_experts = true;
  const Architecture a = only(catalogue_model("Qwen/Qwen3-30B-A3B"), 0);
  const double h = 2048, f = 768, k = 8, experts = 128, q = 4096, kv = 512;
  const double row = 2 * (2 * h + 4 * f) + 2 * 8 + 4;
  const double qk_norms = 6 * (q + kv) + 4 * (32 + 4);
  CHECK(kept_per_token(a, r) == Approx(norm(h) + grouped_attention(q, kv, 32) + qk_norms + norm(h) + k * row + 4 * experts).epsilon(2e-3));
}

TEST_CASE("latent attention keeps whole queries and keys, and the latent's projection for its values") {
  Architecture a = only(catalogue_model("deepseek-ai/DeepSeek-V2-Lite"), 0);  // layer 0 is dense; no query latent
  const double h = 2048, f = 10944, heads = 16, qk = 192, v = 128, nope = 128, latent = 512;
  const double attention = norm(latent) + 2 * heads * (qk + qk) + 2 * heads * (nope + v) + 2 * heads * v + 4 * heads;
  CHECK(kept_per_token(a, sdpa()) == Approx(norm(h) + attention + norm(h) + 8 * f).epsilon(2e-3));
}

TEST_CASE("the fused Mamba-2 kernel keeps its input and its output") {
  const Architecture a = only(catalogue_model("nvidia/NVIDIA-Nemotron-Nano-9B-v2"), 0);
  const double h = 4480, inner = 128 * 80, width = 2 * inner + 2 * 8 * 128 + 128;
  CHECK(kept_per_token(a, sdpa()) == Approx(norm(h) + 2 * width + 2 * inner).epsilon(2e-3));
}

TEST_CASE("the Mamba kernel keeps 3d + r + 4n, and states between blocks of 2,048 tokens") {
  const Architecture a = only(catalogue_model("state-spaces/mamba-130m-hf"), 0);
  const double h = 768, d = 1536, rank = 48, state = 16;
  CHECK(kept_per_token(a, sdpa()) == Approx(norm(h) + 2 * (3 * d + rank + 4 * state) + 8 * d * state / 2048).epsilon(5e-3));
}

TEST_CASE("a gated short convolution keeps 6h and its input") {
  const Architecture all = catalogue_model("LiquidAI/LFM2-1.2B");
  std::size_t at = 0;
  while (all.kinds[all.layers[at]].short_conv == 0) ++at;
  const double h = 2048, f = static_cast<double>(all.kinds[all.layers[at]].mlp->intermediate);
  CHECK(kept_per_token(only(all, at), sdpa()) == Approx(norm(h) + 12 * h + norm(h) + 8 * f).epsilon(2e-3));
}

TEST_CASE("a gated delta net keeps the convolution's input, normalised queries and keys, values, chunk matrices and its gated norm") {
  const Architecture all = catalogue_model("Qwen/Qwen3-Next-80B-A3B-Instruct");
  Architecture a = only(all, 0);
  for (Layer& l : a.kinds) l.experts.reset(), l.mlp = Mlp{}, l.mlp->intermediate = 1024;
  const double h = 2048, k = 16 * 128, v = 32 * 128, wide = 32 * 128, chunks = 64 * 32;
  const double mixer = 2 * (2 * k + v) + 2 * (2 * wide + v) + 2 * chunks + 2 * v + 2 * v + 2 * v;
  CHECK(kept_per_token(a, sdpa()) == Approx(norm(h) * 2 + mixer + 8 * 1024).epsilon(1e-2));
}

TEST_CASE("an encoder layer with norms after the residual keeps 8h + 2f and masks of its dropouts") {
  Architecture a = catalogue_model("google-bert/bert-base-uncased");
  a.layers.resize(4);
  Recipe r = sdpa();
  r.task = Task::classification;
  const double h = 768, f = 3072;
  CHECK(kept_per_token(a, r) == Approx(2 * (8 * h + 2 * f) + 2 * h + 4 * 12 + 2 * 8).epsilon(1e-2));
}

TEST_CASE("a tower without images is there and trains nothing; with images it runs") {
  const Architecture a = catalogue_model("Qwen/Qwen2.5-VL-7B-Instruct");
  Recipe r = lora();
  const MemoryEstimate text = size(a, r);
  CHECK(text.parameters == 8'292'166'656);
  r.image_tokens = 1024;
  const MemoryEstimate frozen = size(a, r);
  r.tower = TowerTraining::full;
  const MemoryEstimate trained = size(a, r);
  CHECK(text.trainable_parameters == frozen.trainable_parameters);
  CHECK(frozen.allocated.expected >= text.allocated.expected);
  CHECK(trained.trainable_parameters - frozen.trainable_parameters > 600'000'000);
  CHECK(trained.allocated.expected > frozen.allocated.expected + 16.0 * 600e6 * 0.5);
}

TEST_CASE("a decoder that attends to an encoder holds its output once, and its gradient") {
  const Architecture a = catalogue_model("google-t5/t5-base");
  Recipe r = full_bf16();
  r.checkpointing = Checkpointing::none;
  const MemoryEstimate one = size(a, r);
  r.sequence_length *= 2;
  CHECK(size(a, r).allocated.expected > one.allocated.expected);
  CHECK(one.parameters == 222'903'552);  // docs of T5: 220M; hub count of t5-base
}

}  // namespace tunefit::test

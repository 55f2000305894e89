// What each method trains and holds. Counts are those of PEFT's layers by their own formulas (the lines that adapters.cpp cites), written
// out for Llama-2-7B: 32 layers of width 4,096 with an MLP of 11,008.
#include "catch.h"
#include "engine_cases.h"
#include "tunefit/quantization.h"
#include "tunefit/storage.h"

namespace tunefit::test {
namespace {

Recipe adapter(AdapterKind kind, std::vector<std::string> targets) {
  Recipe r = lora();
  r.lora->kind = kind;
  r.lora->r = 8;
  r.lora->target_modules = std::move(targets);
  return r;
}

std::int64_t trained(const Recipe& r) { return size(llama_2_7b(), r).trainable_parameters; }

constexpr std::int64_t kLayers = 32, kWide = 4096, kInner = 11008;

double gib_of(const MemoryEstimate& m, Item item, Phase p) {
  return static_cast<double>(m.timeline[static_cast<std::size_t>(p)].items[static_cast<std::size_t>(item)]) / static_cast<double>(kGiB);
}

}  // namespace

TEST_CASE("trained parameters of adapters on q_proj and v_proj of Llama-2-7B", "[methods]") {
  const std::vector<std::string> qv{"q_proj", "v_proj"};
  CHECK(trained(adapter(AdapterKind::lora, qv)) == kLayers * 2 * 8 * (kWide + kWide));
  CHECK(trained(adapter(AdapterKind::dora, qv)) == kLayers * 2 * (8 * (kWide + kWide) + kWide));
  CHECK(trained(adapter(AdapterKind::adalora, qv)) == kLayers * 2 * (8 * (kWide + kWide) + 8));
  CHECK(trained(adapter(AdapterKind::loha, qv)) == kLayers * 2 * 2 * 8 * (kWide + kWide));
  CHECK(trained(adapter(AdapterKind::lokr, qv)) == kLayers * 2 * (64 * 64 + 8 * (64 + 64)));
  CHECK(trained(adapter(AdapterKind::oft, qv)) == kLayers * 2 * (kWide * 31 / 2));
}

TEST_CASE("VeRA trains two vectors a module and holds one frozen pair for all", "[methods]") {
  Recipe r = adapter(AdapterKind::vera, {"q_proj", "down_proj"});
  r.lora->r = 256;
  const MemoryEstimate m = size(llama_2_7b(), r);
  // the pair is as wide as the widest module of each side, and not trained
  const std::int64_t pair = 256 * (kInner + kWide), vectors = kLayers * 2 * (kWide + 256);
  CHECK(m.trainable_parameters == vectors);
  CHECK(gib_of(m, Item::adapter_weights, Phase::load) * static_cast<double>(kGiB) == Approx(4.0 * (pair + vectors)).epsilon(0.01));
}

TEST_CASE("IA3 scales keys, values and the input of the feed-forward's last linear", "[methods]") {
  CHECK(trained(adapter(AdapterKind::ia3, {"k_proj", "v_proj", "down_proj"})) == kLayers * (2 * kWide + kInner));
}

TEST_CASE("virtual tokens: one table, or keys and values of every layer", "[methods]") {
  Recipe r = lora();
  r.lora.reset();
  r.method = Method::prompt;
  r.virtual_tokens = 20;
  CHECK(trained(r) == 20 * kWide);
  r.method = Method::prefix;
  r.checkpointing = Checkpointing::none;
  CHECK(trained(r) == kLayers * 20 * 2 * kWide);
}

TEST_CASE("DoRA keeps two outputs of each target more than LoRA", "[methods]") {
  Recipe plain = adapter(AdapterKind::lora, {"q_proj", "v_proj"}), dora = adapter(AdapterKind::dora, {"q_proj", "v_proj"});
  plain.checkpointing = dora.checkpointing = Checkpointing::none;
  const double more = size(llama_2_7b(), dora).allocated.expected - size(llama_2_7b(), plain).allocated.expected;
  const double tokens = static_cast<double>(plain.tokens());
  CHECK(more == Approx(kLayers * 2 * 2 * 2.0 * kWide * tokens).epsilon(0.25));
}

TEST_CASE("DoRA over a quantised base holds a 16-bit copy of each target with dropout", "[methods]") {
  Recipe r = qlora_kbit();
  r.kbit_prep = false;
  r.checkpointing = Checkpointing::none;
  r.lora->kind = AdapterKind::dora;
  const double without = size(llama_2_7b(), r).allocated.expected;
  r.lora->dropout = 0.05;
  const double linears = 32.0 * (4.0 * kWide * kWide + 3.0 * kWide * kInner);
  CHECK(size(llama_2_7b(), r).allocated.expected - without > 2 * linears);
}

TEST_CASE("freeze trains whole layers from the top, LISA and BAdam from the bottom", "[methods]") {
  Recipe r = full_bf16();
  r.method = Method::freeze;
  r.freeze = Freeze{2, false, false, false};
  const std::int64_t layer = 4 * kWide * kWide + 3 * kWide * kInner + 2 * kWide;
  CHECK(trained(r) == 2 * layer);
  const MemoryEstimate top = size(llama_2_7b(), r);
  r.freeze->from_bottom = true;
  const MemoryEstimate bottom = size(llama_2_7b(), r);
  CHECK(bottom.allocated.expected > top.allocated.expected);  // backward passes through every layer
  r.freeze->embeddings = true;
  CHECK(trained(r) == 2 * layer + 2 * 32000 * kWide);
  const double states = gib_of(size(llama_2_7b(), r), Item::optimizer_state, Phase::optimizer_step);
  r.freeze->keeps_states = true;
  const double all = gib_of(size(llama_2_7b(), r), Item::optimizer_state, Phase::optimizer_step);
  CHECK(all / states == Approx((32.0 * layer + 2 * 32000.0 * kWide) / (2.0 * layer + 2 * 32000.0 * kWide)).epsilon(0.01));
}

TEST_CASE("optimizer states by the formulas of their code", "[methods]") {
  Recipe r = full_bf16();
  Parameter w;
  w.kind = ParamKind::linear, w.in = kWide, w.out = kInner, w.trainable = true;
  const std::int64_t n = kWide * kInner;
  const auto bytes = [&](Optimizer o) {
    r.optimizer = o;
    std::int64_t sum = 0;
    for (const std::int64_t b : optimizer_state(w, r)) sum += b;
    return sum;
  };
  CHECK(bytes(Optimizer::adamw) == 4 * n);
  CHECK(bytes(Optimizer::adamw_apex) == 8 * n);
  CHECK(bytes(Optimizer::adafactor) == 4 * (kWide + kInner));
  CHECK(bytes(Optimizer::lion) == 4 * n);
  CHECK(bytes(Optimizer::lion_8bit) == n + 4 * n / 256);
  CHECK(bytes(Optimizer::ademamix) == 12 * n);
  CHECK(bytes(Optimizer::came) == 4 * n + 2 * 4 * (kWide + kInner));
  CHECK(bytes(Optimizer::muon) == 2 * n);
  CHECK(bytes(Optimizer::galore_adamw) == 2 * (2 * 128 * kInner) + 2 * 128 * kWide);
  CHECK(bytes(Optimizer::lomo) == 0);
  CHECK(bytes(Optimizer::adamw_deepspeed_cpu) == 0);
}

TEST_CASE("LOMO holds no gradient of the model", "[methods]") {
  Recipe r = full_bf16();
  r.optimizer = Optimizer::lomo;
  r.optimizer_in_backward = true;
  const MemoryEstimate m = size(llama_2_7b(), r);
  CHECK(gib_of(m, Item::gradients, Phase::optimizer_step) < 0.6);
  CHECK(m_peak(m) < 17.5);  // weights 12.6, activations, and 8 B a value of the largest tensor
}

TEST_CASE("Unsloth's checkpointing leaves two buffers and one layer input on the accelerator", "[methods]") {
  Recipe r = full_bf16();
  r.batch = 8;
  const double full = gib_of(size(llama_2_7b(), r), Item::checkpoints, Phase::loss);
  r.checkpointing = Checkpointing::unsloth;
  const double offloaded = gib_of(size(llama_2_7b(), r), Item::checkpoints, Phase::loss);
  CHECK(full == Approx(32 * 2.0 * kWide * 8 * 2048 / kGiB).epsilon(0.02));
  CHECK(offloaded == Approx(3 * 2.0 * kWide * 8 * 2048 / kGiB).epsilon(0.02));
}

TEST_CASE("quantised storage by scheme", "[methods]") {
  Parameter w;
  w.kind = ParamKind::linear, w.in = 4096, w.out = 4096, w.quantized = true;
  const double n = 4096.0 * 4096;
  const auto per_weight = [&](Scheme s, std::int64_t group) {
    const WeightStorage stored = quantized_storage(w, {s, false, group});
    return static_cast<double>(stored.weight + stored.constants) / n;
  };
  CHECK(per_weight(Scheme::gptq4, 128) == Approx(0.51953 + 4.0 / 4096).epsilon(1e-4));
  CHECK(per_weight(Scheme::awq4, 128) == Approx(0.51953).epsilon(1e-4));
  CHECK(per_weight(Scheme::hqq4, 64) == Approx(0.5625).epsilon(1e-6));
  CHECK(per_weight(Scheme::aqlm2, 64) == Approx(0.25 + (1 << 20) / n + 2 * 4096 / n).epsilon(1e-3));
  CHECK(per_weight(Scheme::fp8, 64) == Approx(1 + 4.0 / (128 * 128)).epsilon(1e-6));
}

}  // namespace tunefit::test

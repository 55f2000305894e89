// The tables of docs/physics.md A.6: bytes that one decoder layer keeps per token without recomputation. They are not code of the
// engine but must fall out of its rules.
#include "catch.h"
#include "engine_cases.h"
#include "kept.h"

namespace tunefit::test {
namespace {

struct Shape {
  double h, q, kv, f, a;
};
Shape shape(const Architecture& m) {
  const Layer& l = m.kinds[0];
  return {double(m.hidden), double(l.attention->q_width()), double(l.attention->kv_width()), double(l.mlp->intermediate),
          double(l.attention->heads)};
}

const std::vector<Architecture>& models() {
  static const std::vector<Architecture> all = {llama_2_7b(), llama_3_1_8b(), llama_2_70b(), mistral_7b()};
  return all;
}

Recipe bf16_adapters() {
  Recipe r = lora();
  r.lora->dtype = DType::bf16;
  r.mixed_precision = MixedPrecision::no;
  r.habits.adapter_style = AdapterStyle::plain;
  return r;
}

constexpr double kRowStatistics = 8;  // two norms keep an fp32 number a row each
constexpr double kLogSumExp = 4;      // per query head

}  // namespace

TEST_CASE("A.6.1 full fine-tune in pure bf16 keeps 16h + 4q + 4kv + 8f + 4a") {
  for (const Architecture& m : models()) {
    const Shape s = shape(m);
    CHECK(kept_per_token(m, full_bf16()) ==
          Approx(16 * s.h + 4 * s.q + 4 * s.kv + 8 * s.f + kLogSumExp * s.a + kRowStatistics).epsilon(1e-4));
  }
}

TEST_CASE("A.6.2 fp32 weights under autocast keep 26h + 4q + 4kv + 8f + 4a, and 2 B a weight until backward") {
  for (const Architecture& m : models()) {
    Recipe r = full_bf16();
    r.base_dtype = r.trainable_dtype = DType::fp32;
    r.mixed_precision = MixedPrecision::bf16;
    const Shape s = shape(m);
    const double weights = 2 * (2 * s.h * s.q + 2 * s.h * s.kv + 3 * s.h * s.f) / (8 * 4096);
    CHECK(kept_per_token(m, r) ==
          Approx(26 * s.h + 4 * s.q + 4 * s.kv + 8 * s.f + kLogSumExp * s.a + kRowStatistics + weights).epsilon(1e-4));
  }
}

TEST_CASE("A.6.3 LoRA with fp32 adapters keeps 18h + 6q + 4kv + 8f + 4a + 14r; dropout adds 5h + q + f") {
  for (const Architecture& m : models()) {
    Recipe r = lora();
    const Shape s = shape(m);
    const double adapter_copies = 2 * (double(r.lora->r) * (9 * s.h + 2 * s.q + 2 * s.kv + 3 * s.f - 2 * s.h)) / (8 * 4096);
    const double plain = 18 * s.h + 6 * s.q + 4 * s.kv + 8 * s.f + kLogSumExp * s.a + 14 * double(r.lora->r) + kRowStatistics;
    CHECK(kept_per_token(m, r) == Approx(plain + adapter_copies).epsilon(1e-3));
    r.lora->dropout = 0.05;
    CHECK(kept_per_token(m, r) == Approx(plain + adapter_copies + 5 * s.h + s.q + s.f).epsilon(1e-3));
  }
}

TEST_CASE("A.6.3 LoRA with bf16 adapters shares inputs: 12h + 4q + 4kv + 8f + 4a + 14r") {
  for (const Architecture& m : models()) {
    const Shape s = shape(m);
    CHECK(kept_per_token(m, bf16_adapters()) ==
          Approx(12 * s.h + 4 * s.q + 4 * s.kv + 8 * s.f + kLogSumExp * s.a + 14 * 16 + kRowStatistics).epsilon(1e-4));
  }
}

TEST_CASE("A.6.4 QLoRA after k-bit preparation keeps 18h + 4q + 4kv + 14f + 4a + 14r") {
  for (const Architecture& m : models()) {
    const Shape s = shape(m);
    CHECK(kept_per_token(m, qlora_kbit()) ==
          Approx(18 * s.h + 4 * s.q + 4 * s.kv + 14 * s.f + kLogSumExp * s.a + 14 * 16 + kRowStatistics).epsilon(2e-3));
  }
}

TEST_CASE("A.6.4 without the preparation QLoRA keeps what LoRA with bf16 adapters keeps") {
  for (const Architecture& m : models()) {
    Recipe r = qlora_kbit();
    r.kbit_prep = false;
    r.lora->dtype = DType::bf16;
    CHECK(kept_per_token(m, r) == Approx(kept_per_token(m, bf16_adapters())).epsilon(1e-6));
  }
}

TEST_CASE("A.6.5 Liger kernels bring a full fine-tune to 8h + 4q + 4kv + 6f + 4a") {
  for (const Architecture& m : models()) {
    Recipe r = full_bf16();
    r.liger = true;
    const Shape s = shape(m);
    CHECK(kept_per_token(m, r) == Approx(8 * s.h + 4 * s.q + 4 * s.kv + 6 * s.f + kLogSumExp * s.a + kRowStatistics).epsilon(1e-4));
  }
}

TEST_CASE("A.6.1 repeated keys and values add 4(q - kv), the q and k norms of Qwen3 6(q + kv)") {
  Recipe r = full_bf16();
  r.attention = AttentionImpl::sdpa;
  const Architecture m = llama_3_1_8b();
  const Shape s = shape(m);
  const double plain = kept_per_token(m, r);
  r.habits.repeat_kv = RepeatKv::always;
  CHECK(kept_per_token(m, r) - plain == Approx(4 * (s.q - s.kv)).epsilon(1e-4));
  r.habits.repeat_kv = RepeatKv::never;
  Architecture normed = m;
  normed.kinds[0].attention->qk_norm = QkNorm::per_head;
  const double rows = 4 * (s.q + s.kv) / double(m.kinds[0].attention->head_dim);
  CHECK(kept_per_token(normed, r) - plain == Approx(6 * (s.q + s.kv) + rows).epsilon(1e-4));
}

TEST_CASE("A.6.6 eager attention adds 6as a token: fp32 softmax and its bf16 cast") {
  Recipe r = full_bf16();
  const Architecture m = llama_2_7b();
  const Shape s = shape(m);
  const double fused = kept_per_token(m, r);
  r.attention = AttentionImpl::eager;
  CHECK(kept_per_token(m, r) - fused == Approx(6 * s.a * 4096 - kLogSumExp * s.a).epsilon(1e-3));
}

TEST_CASE("Gemma's norm scales in fp32 and its sandwich norms: 10h a norm") {
  Architecture m = llama_3_1_8b();
  m.norm_scales_in_fp32 = true;
  const Shape s = shape(m);
  const double two = kept_per_token(m, full_bf16());
  CHECK(two == Approx(20 * s.h + 4 * s.q + 4 * s.kv + 8 * s.f + kLogSumExp * s.a + kRowStatistics).epsilon(1e-4));
  m.kinds[0].norms = 4;
  // the two further norms keep 8h each: fp32 input copy and fp32 normalised value; their outputs feed only additions
  CHECK(kept_per_token(m, full_bf16()) - two == Approx(16 * s.h + kRowStatistics).epsilon(1e-4));
}

}  // namespace tunefit::test

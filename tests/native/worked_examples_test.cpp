// The worked examples by hand behind docs/physics.md part D, phase by phase. Figures in GiB. 3 % unless the line of code beside says more.
#include "catch.h"
#include "engine_cases.h"

namespace tunefit::test {

TEST_CASE("D.1 Llama-2-7B, full fine-tune in pure bf16, one sequence of 2,048 tokens") {
  Recipe r = full_bf16();
  SECTION("fused AdamW") {
    const MemoryEstimate m = size(llama_2_7b(), r);
    CHECK(gib(m, Phase::load) == Approx(12.55).epsilon(0.03));
    CHECK(gib(m, Phase::forward) == Approx(38.33).epsilon(0.03));
    CHECK(gib(m, Phase::loss) == Approx(38.96).epsilon(0.03));
    CHECK(gib(m, Phase::backward) == Approx(50.2).epsilon(0.03));
    CHECK(gib(m, Phase::optimizer_step) == Approx(50.21).epsilon(0.03));
  }
  SECTION("foreach AdamW holds the square roots of all second moments") {
    r.optimizer_impl = OptimizerImpl::foreach;
    const MemoryEstimate m = size(llama_2_7b(), r);
    CHECK(m.binding_phase == Phase::optimizer_step);
    CHECK(gib(m, Phase::optimizer_step) == Approx(62.76).epsilon(0.03));
  }
  SECTION("gradients persist over micro-steps") {
    r.gradient_accumulation = 8;
    CHECK(gib(size(llama_2_7b(), r), Phase::loss) == Approx(51.52).epsilon(0.03));
  }
  SECTION("fp32 weights under autocast, foreach: 125.5") {
    r.base_dtype = r.trainable_dtype = DType::fp32;
    r.mixed_precision = MixedPrecision::bf16;
    r.optimizer_impl = OptimizerImpl::foreach;
    CHECK(gib(size(llama_2_7b(), r), Phase::optimizer_step) == Approx(125.5).epsilon(0.03));
  }
}

TEST_CASE("D.2 Llama-3.1-8B, LoRA r 16 on all linears, four sequences of 2,048 tokens") {
  Recipe r = lora();
  SECTION("logits made whole") {
    const MemoryEstimate m = size(llama_3_1_8b(), r);
    CHECK(m.trainable_parameters == 41'943'040);
    CHECK(gib(m, Phase::load) == Approx(15.0).epsilon(0.03));
    CHECK(gib(m, Phase::forward) == Approx(18.27).epsilon(0.03));
    CHECK(gib(m, Phase::loss) == Approx(29.29).epsilon(0.03));
    CHECK(gib(m, Phase::backward) == Approx(20.02).epsilon(0.03));
    CHECK(gib(m, Phase::optimizer_step) == Approx(15.58).epsilon(0.03));
    CHECK(m.binding_phase == Phase::loss);
  }
  SECTION("Liger's fused loss never makes them") {
    r.loss = LossVariant::liger;
    CHECK(m_peak(size(llama_3_1_8b(), r)) == Approx(20.0).epsilon(0.03));
  }
}

TEST_CASE("D.3 Llama-2-70B, QLoRA r 16 after k-bit preparation, one sequence of 1,024 tokens") {
  const MemoryEstimate m = size(llama_2_70b(), qlora_kbit());
  CHECK(m.trainable_parameters == 207'093'760);
  CHECK(gib(m, Phase::forward) == Approx(40.50).epsilon(0.03));
  CHECK(gib(m, Phase::loss) == Approx(40.54).epsilon(0.03));
  CHECK(gib(m, Phase::backward) == Approx(40.9).epsilon(0.03));
  CHECK(gib(m, Phase::optimizer_step) == Approx(37.93).epsilon(0.03));
}

// Exact slopes of published runs, bytes per token (docs/physics.md A.13).
TEST_CASE("A.13 Mistral-7B, LoRA on attention, stock loss of transformers 4.45: 670,760 B a token") {
  Recipe r = lora();
  r.base_dtype = DType::fp16;
  r.mixed_precision = MixedPrecision::no;
  r.lora->target_modules = {"attention"};
  r.lora->dtype = DType::fp32;
  r.loss = LossVariant::hf_4_45;
  r.habits.outputs_to_fp32 = false;
  r.sequence_length = 4096;
  auto peak = [&](std::int64_t batch) { return r.batch = batch, size(mistral_7b(), r).allocated.expected; };
  CHECK((peak(8) - peak(4)) / (4.0 * 4096) == Approx(670'760).epsilon(0.01));
}

}  // namespace tunefit::test

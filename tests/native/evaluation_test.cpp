// Evaluation, saving and merging, against sums by hand.
#include "tunefit/evaluation.h"

#include <algorithm>

#include "engine_cases.h"
#include "json_door.h"
#include "tunefit/build.h"
#include "tunefit/timeline.h"

namespace tunefit {
namespace {

using namespace test;

Accelerator card() {
  Accelerator a;
  a.capacity = Bytes(80 * kGiB);
  return a;
}

const PhasePeak* phase(const MemoryEstimate& m, Phase p) {
  const auto found = std::find_if(m.timeline.begin(), m.timeline.end(), [&](const PhasePeak& x) { return x.phase == p; });
  return found == m.timeline.end() ? nullptr : &*found;
}

std::int64_t item(const PhasePeak& p, Item i) { return p.items[static_cast<std::size_t>(i)]; }

// Few layers and a wide vocabulary, so that the loss is the most of an evaluation.
Architecture small() { return llama(256, 512, 2, 4, 2, 32000); }

MemoryEstimate sized(const Architecture& a, const Recipe& r) {
  const auto m = estimate_memory(a, r, card());
  REQUIRE(m);
  return *m;
}

Recipe evaluated(Recipe r, std::int64_t batch, bool keeps_logits = false) {
  r.evaluation = Evaluation{batch, keeps_logits, r.loss, false};
  return r;
}

}  // namespace

TEST_CASE("without an evaluation there is none; between two steps weights and states are there") {
  const Recipe r = full_bf16();
  const MemoryEstimate m = sized(small(), r);
  CHECK_FALSE(phase(m, Phase::eval));
  REQUIRE(phase(m, Phase::save));
  const std::int64_t n = m.parameters;
  CHECK(n == 2 * 32000 * 256 + 2 * (2 * 256 * 256 + 2 * 256 * 128 + 3 * 256 * 512 + 2 * 256) + 256);
  CHECK(phase(m, Phase::save)->bytes.value == 6 * n);  // bf16 weights and two bf16 moments; every tensor here is a multiple of 512 B
  CHECK(m.timeline.back().phase == Phase::save);
}

TEST_CASE("logits of an evaluation: 10 bytes each from transformers 4.50, 14 from 4.47; its batch is its own") {
  // docs/physics.md H.3, forward: 16 bit, fp32, log-probabilities; before 4.50 also a shifted fp32 copy.
  Recipe r = full_bf16();
  for (const auto& [loss, bytes] : {std::pair{LossVariant::hf_from_4_50, 10}, {LossVariant::hf_4_47, 14}}) {
    r.loss = loss;
    const PhasePeak eval = *phase(sized(small(), evaluated(r, 8)), Phase::eval);
    CHECK(item(eval, Item::logits) == 8 * 2048 * 32000ll * bytes);
    CHECK(item(eval, Item::gradients) == 0);
    CHECK(item(eval, Item::checkpoints) == 0);
    CHECK(item(eval, Item::saved_activations) == 0);
  }
}

TEST_CASE("a cache of keys and values, where the outputs hold one") {
  Recipe r = evaluated(full_bf16(), 4);
  const Architecture a = small();
  const auto without = phase(sized(a, r), Phase::eval)->bytes.value;
  r.habits.kv_cache_in_evaluation = true;
  const auto with = phase(sized(a, r), Phase::eval)->bytes.value;
  CHECK(with - without == 2 * (4 * 2048) * 2 * 128 * 2);  // layers x tokens x keys and values x width x bf16
}

TEST_CASE("an evaluation by generated text: the last token's logits, keys and values of all") {
  const Architecture a = small();
  Recipe r = evaluated(full_bf16(), 8);
  r.evaluation->generates = true;
  const PhasePeak eval = *phase(sized(a, r), Phase::eval);
  // In the last layer keys and values of both layers are there (4,096 B a token) and 16 bit hidden states and intermediates besides.
  const std::int64_t tokens = 8 * 2048, cache = 2 * tokens * 2 * 128 * 2;
  const std::int64_t rest = phase(sized(a, r), Phase::save)->bytes.value;
  CHECK(eval.bytes.value - rest >= cache + tokens * 2 * 512 * 2);
  CHECK(eval.bytes.value - rest <= cache + tokens * (4 * 512 + 6 * 256) * 2);
  CHECK(item(eval, Item::logits) <= 8 * 32000 * (2 + 4));
}

TEST_CASE("gathered logits of the batch before stand beside those of this one") {
  const Architecture a = small();
  const auto apart = phase(sized(a, evaluated(full_bf16(), 2)), Phase::eval)->bytes.value;
  const auto gathered = phase(sized(a, evaluated(full_bf16(), 2, true)), Phase::eval)->bytes.value;
  CHECK(gathered - apart == 2 * 2048 * 32000ll * 2);
  Recipe fp32 = evaluated(full_bf16(), 2, true);
  fp32.habits.outputs_to_fp32 = true;
  CHECK(item(*phase(sized(a, fp32), Phase::eval), Item::logits) >= 2 * 2048 * 32000ll * (4 + 10));
}

TEST_CASE("an evaluation on top of any run holds at least what the run holds at rest, and more with more rows") {
  for (Recipe r : {full_bf16(), lora(), qlora_kbit()}) {
    std::int64_t before = 0;
    for (std::int64_t batch : {1, 2, 8, 32}) {
      const MemoryEstimate m = sized(small(), evaluated(r, batch));
      CHECK(phase(m, Phase::eval)->bytes.value >= phase(m, Phase::save)->bytes.value);
      CHECK(phase(m, Phase::eval)->bytes.value > before);
      before = phase(m, Phase::eval)->bytes.value;
      CHECK(m.allocated.expected >= static_cast<double>(before));
      CHECK(m.reserved.high >= m.allocated.expected);
    }
  }
}

TEST_CASE("merging: the widest adapted module's temporaries stand beside what is at rest") {
  const std::int64_t widest = 256 * 512;
  Recipe r = lora();
  r.merges_adapter = true;
  const auto merging = [](const Recipe& recipe) { return item(*phase(sized(small(), recipe), Phase::save), Item::merge_temporary); };
  CHECK(merging(r) == widest * (4 + 4));  // fp32: B @ A, and that scaled
  r.lora->dtype = DType::bf16;
  CHECK(merging(r) == widest * (2 + 2));
  r.habits.merges_on_host = true;
  CHECK(merging(r) == 0);

  Recipe q = qlora_kbit();
  q.merges_adapter = true;
  // 16-bit weight, fp32 product, fp32 sum and its copy on the way back, half a byte quantised anew
  CHECK(merging(q) == widest * 29 / 2);
  CHECK_FALSE(can_merge(Scheme::gptq4));
}

TEST_CASE("the best adapter is loaded beside the last one") {
  Recipe r = lora();
  const auto before = item(*phase(sized(small(), r), Phase::save), Item::adapter_weights);
  r.loads_best_adapter = true;
  CHECK(item(*phase(sized(small(), r), Phase::save), Item::adapter_weights) == 2 * before);
}

TEST_CASE("through the door: defaults of the framework, findings") {
  nlohmann::json request = plain_request();
  request["recipe"]["eval"] = nlohmann::json::object();
  auto eval_bytes = [](const nlohmann::json& answer) {
    for (const auto& p : answer["memory"]["timeline"])
      if (p["phase"] == "eval") return p["bytes"].get<double>();
    return 0.0;
  };
  const auto assumed = [](const nlohmann::json& answer, const char* pointer) {
    for (const auto& a : answer["assumptions"])
      if (a["pointer"] == pointer) return a["value"];
    return nlohmann::json();
  };
  const auto transformers = ::sized(request);
  CHECK(eval_bytes(transformers) > 0);
  CHECK(assumed(transformers, "/recipe/eval/per_device_eval_batch_size") == 8);
  CHECK(assumed(transformers, "/recipe/eval/keep_logits") == false);
  request["recipe"]["framework"] = "torchtune";
  request["recipe"]["per_device_train_batch_size"] = 3;
  CHECK(assumed(::sized(request), "/recipe/eval/per_device_eval_batch_size") == 3);
  request["recipe"]["framework"] = "transformers";
  request["recipe"]["kernels"] = {"liger"};
  const auto liger = ::sized(request);  // the kernel is fused in training only
  CHECK(eval_bytes(liger) > 8 * 2048 * 128256.0 * 10);
}

}  // namespace tunefit

// What must hold for any run.
#include "catch.h"
#include "engine_cases.h"

namespace tunefit::test {
namespace {

std::int64_t weights(const MemoryEstimate& m) {
  std::int64_t sum = 0;
  for (Item i : {Item::base_weights, Item::quantization_constants, Item::trained_weights, Item::adapter_weights})
    sum += m.timeline[static_cast<std::size_t>(Phase::optimizer_step)].items[static_cast<std::size_t>(i)];
  return sum;
}

}  // namespace

TEST_CASE("more never costs less: batch, length, rank") {
  for (const Recipe& start : {full_bf16(), lora(), qlora_kbit()}) {
    for (Checkpointing c : {Checkpointing::none, Checkpointing::full}) {
      double last = 0;
      for (std::int64_t batch : {1, 2, 3, 5, 8, 16, 64}) {
        Recipe r = start;
        r.checkpointing = c;
        r.batch = batch;
        const double now = size(llama_3_1_8b(), r).device.expected;  // rises with reserved and allocated
        CHECK(now >= last);
        last = now;
      }
      last = 0;
      for (std::int64_t length : {1, 7, 64, 500, 2048, 5000, 32768}) {
        Recipe r = start;
        r.checkpointing = c;
        r.sequence_length = length;
        const double now = size(llama_3_1_8b(), r).device.expected;  // rises with reserved and allocated
        CHECK(now >= last);
        last = now;
      }
    }
    if (!start.lora) continue;
    double last = 0;
    for (std::int64_t rank : {1, 4, 8, 16, 64, 256, 1024}) {
      Recipe r = start;
      r.lora->r = rank;
      const double now = size(llama_3_1_8b(), r).device.expected;  // rises with reserved and allocated
      CHECK(now > last);
      last = now;
    }
  }
}

TEST_CASE("weights: QLoRA below LoRA below full in fp32; counters in order; interval around the expectation") {
  Recipe full = full_bf16();
  full.trainable_dtype = full.base_dtype = DType::fp32;
  const auto q = size(llama_3_1_8b(), qlora_kbit()), l = size(llama_3_1_8b(), lora()), f = size(llama_3_1_8b(), full);
  CHECK(weights(q) < weights(l));
  CHECK(weights(l) < weights(f));
  for (const MemoryEstimate& m : {q, l, f}) {
    CHECK(m.allocated.expected <= m.reserved.expected);
    CHECK(m.reserved.expected < m.device.expected);
    for (const Interval& i : {m.allocated, m.reserved, m.device}) {
      CHECK(i.low < i.expected);
      CHECK(i.expected < i.high);
    }
  }
}

TEST_CASE("recomputation never needs more than keeping everything, beyond one layer") {
  for (const Recipe& start : {full_bf16(), lora(), qlora_kbit()}) {
    Recipe kept = start, recomputed = start;
    kept.checkpointing = Checkpointing::none;
    kept.batch = recomputed.batch = 8;
    CHECK(size(llama_3_1_8b(), recomputed).allocated.expected < size(llama_3_1_8b(), kept).allocated.expected);
  }
}

TEST_CASE("probability falls with memory and is a half at the expectation") {
  const MemoryEstimate m = size(llama_3_1_8b(), lora());
  Accelerator a = big_card();
  a.capacity = m.needed;  // what cannot be given back decides, not the cache
  CHECK(fit(m, a).probability == Approx(0.5).margin(1e-6));
  a.capacity = Bytes(static_cast<std::int64_t>(m.device.expected));
  CHECK(fit(m, a).headroom == Approx(0).margin(1e-9));
  double last = -1;
  for (double share : {0.5, 0.8, 0.95, 1.0, 1.1, 1.3, 2.0}) {
    a.capacity = Bytes(static_cast<std::int64_t>(static_cast<double>(m.needed.value) * share));
    const Fit f = fit(m, a);
    CHECK(f.probability > last);
    last = f.probability;
    CHECK(f.verdict == (f.probability >= 0.95 ? Verdict::fits : f.probability >= 0.5 ? Verdict::tight : Verdict::no));
  }
  a.capacity = Bytes(static_cast<std::int64_t>(static_cast<double>(m.needed.value) * Calibration{}.needed.high));
  CHECK(fit(m, a).probability == Approx(0.9).margin(1e-6));
}

TEST_CASE("paged optimizer state is part of device as far as there is room, and stands in nobody's way") {
  Recipe r = full_bf16();
  r.optimizer = Optimizer::paged_adamw_32bit;
  const Architecture a = llama_2_7b();
  Accelerator card = big_card();
  const MemoryEstimate roomy = *estimate_memory(a, r, card);
  CHECK(double(roomy.managed.value) == Approx(8.0 * 6'738'415'616).epsilon(0.001));  // two fp32 moments; norms stay in PyTorch's allocator
  CHECK(roomy.managed_on_device == roomy.managed);
  CHECK(roomy.device.expected == Approx(roomy.reserved.expected + double(card.context.value) + double(roomy.managed.value)));
  card.capacity = Bytes(40 * kGiB);
  const MemoryEstimate full = *estimate_memory(a, r, card);
  CHECK(full.device.expected == Approx(40.0 * double(kGiB)));
  CHECK(fit(full, card).verdict == Verdict::fits);
  CHECK(fit(full, card).headroom == Approx(0).margin(1e-9));
}

TEST_CASE("figures beyond any accelerator are refused, not computed") {
  Recipe r = lora();
  r.batch = 65536;
  r.sequence_length = 1 << 24;
  CHECK_FALSE(estimate_memory(llama_3_1_8b(), r, big_card()).has_value());
  r.attention = AttentionImpl::eager;
  r.batch = 1;
  CHECK_FALSE(estimate_memory(llama_3_1_8b(), r, big_card()).has_value());
}

}  // namespace tunefit::test

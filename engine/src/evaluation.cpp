#include "tunefit/evaluation.h"

#include <algorithm>

#include "tunefit/passes.h"

namespace tunefit {
namespace {

// In numbers of the adapter's dtype for each value of the weight, at once. huggingface/peft@5d602fdb src/peft/tuners.
std::int64_t delta_copies(AdapterKind kind) {
  switch (kind) {
    case AdapterKind::lora:  // lora/layer.py get_delta_weight: B @ A, and that scaled
    case AdapterKind::adalora:
    case AdapterKind::vera:
    case AdapterKind::lokr:
    case AdapterKind::oft:  // oft/layer.py merge: the weight in the adapter's dtype, and it rotated
      return 2;
    case AdapterKind::dora:  // lora/variants.py merge_unsafe: the product, its sum with the weight, and that scaled
    case AdapterKind::loha:  // loha/layer.py make_weight: two products, and theirs
      return 3;
    case AdapterKind::ia3:  // ia3/layer.py: the weight scaled
      return 1;
  }
  return 0;
}

}  // namespace

Recipe evaluation_recipe(const Recipe& r) {
  Recipe e = r;
  e.no_grad = true;
  e.batch = r.evaluation->batch;
  e.loss = r.evaluation->loss;
  e.checkpointing = Checkpointing::none;
  if (e.lora) e.lora->dropout = 0;
  return e;
}

bool can_merge(Scheme s) {
  switch (s) {
    case Scheme::nf4:
    case Scheme::fp4:
    case Scheme::int8:
    case Scheme::hqq4:
    case Scheme::hqq2:
      return true;
    case Scheme::gptq4:  // lora/model.py _check_merge_allowed
    case Scheme::gptq8:
    case Scheme::awq4:  // lora/awq.py, lora/aqlm.py: no merge
    case Scheme::aqlm2:
    case Scheme::fp8:
      return false;
  }
  return false;
}

std::int64_t merge_temporary(const Parameter& p, const Recipe& r) {
  if (!r.lora || !p.has_storage() || p.kind == ParamKind::adapter || !is_target(r, p)) return 0;
  const std::int64_t n = p.numel() / p.copies, a = size_of(r.lora->dtype);
  if (!p.quantized) return delta_copies(r.lora->kind) * a * n;
  const std::int64_t sum = std::max<std::int64_t>(a, 2);
  switch (p.scheme) {
    case Scheme::nf4:
    case Scheme::fp4:
      // lora/bnb.py Linear4bit.merge: 16-bit weight, product, sum; the sum comes back from the host to be quantised.
      return std::max(2 + 2 * a, 2 + a + 2 * sum) * n + n / 2;
    case Scheme::int8:
      // Linear8bitLt.merge: fp32 weight (twice while it is scaled), product, sum; an fp16 copy of that is quantised.
      return std::max<std::int64_t>({8, 4 + 2 * a, 4 + 2 * a + 2 + 1}) * n;
    case Scheme::hqq4:
    case Scheme::hqq2:
      // lora/hqq.py merge: 16-bit weight, product, sum; hqq/core/optimize.py fits the zero points with six fp16 tensors of its size.
      return (2 + a + sum + 12) * n;
    default:
      return 0;
  }
}

}  // namespace tunefit

#include "tunefit/storage.h"

#include <algorithm>

#include "tunefit/quantization.h"

namespace tunefit {
namespace {

constexpr std::int64_t kOptimizerBlock = 256;  // bitsandbytes optim/optimizer.py: values per absmax of an 8-bit state
constexpr std::int64_t kMin8Bit = 4096;        // min_8bit_size: smaller tensors keep 32-bit state
constexpr std::int64_t kMinPaged = 100'000;    // get_state_buffer: smaller tensors are not paged

std::int64_t blocks(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }

}  // namespace

WeightStorage weight_storage(const Parameter& p, const Recipe& r) {
  if (!p.has_storage()) return {};
  if (p.quantized && r.quantization) return quantized_storage(p, *r.quantization);
  return {p.numel() * size_of(p.dtype), 0};
}

DType gradient_dtype(const Parameter& p, const Recipe& r) {
  return p.kind == ParamKind::adapter ? p.dtype : r.gradient_dtype.value_or(p.dtype);
}

std::int64_t master_weight(const Parameter& p, const Recipe& r) {
  return r.fp32_master_weights && p.trainable && p.dtype != DType::fp32 ? p.numel() * 4 : 0;
}

std::int64_t managed_state(const Parameter& p, const Recipe& r) {
  if (!p.trainable || !p.has_storage() || p.numel() < kMinPaged) return 0;
  if (r.optimizer == Optimizer::paged_adamw_32bit) return 8 * p.numel();
  return r.optimizer == Optimizer::paged_adamw_8bit ? 2 * p.numel() + 8 * blocks(p.numel(), kOptimizerBlock) : 0;
}

namespace {

// GaLore and APOLLO project the gradients of the linears they target (transformers: nn.Linear that optim_target_modules names).
bool projected(const Parameter& p) { return p.kind == ParamKind::linear; }

// torch.optim.Muon and its like take matrices of hidden layers; the rest goes to AdamW.
bool orthogonalised(const Parameter& p) { return p.kind == ParamKind::linear || (p.kind == ParamKind::adapter && p.in > 1); }

// Rows and columns of a matrix in fp32; a vector in full.
std::int64_t factored(const Parameter& p) { return 4 * (p.in > 1 ? (p.in + p.out) * p.copies : p.numel()); }

bool has_state(const Parameter& p, const Recipe& r) {
  if (!p.has_storage()) return false;
  return p.trainable || (r.freeze && r.freeze->keeps_states && p.part == Part::decoder && !p.buffer && p.kind != ParamKind::adapter);
}

}  // namespace

std::vector<std::int64_t> optimizer_state(const Parameter& p, const Recipe& r) {
  if (!has_state(p, r)) return {};
  const std::int64_t n = p.numel();
  const std::int64_t own = n * (master_weight(p, r) > 0 ? 4 : size_of(p.dtype));
  const std::int64_t narrow = std::min(p.in, p.out) * p.copies, broad = std::max(p.in, p.out) * p.copies;
  const std::int64_t rank = std::min(r.galore_rank, std::min(p.in, p.out));
  const auto eight_bit = [&](int states) -> std::vector<std::int64_t> {
    if (n < kMin8Bit || (p.kind == ParamKind::embedding && r.habits.optimizer_embedding_32bit))
      return std::vector<std::int64_t>(static_cast<std::size_t>(states), 4 * n);
    std::vector<std::int64_t> out;
    for (int i = 0; i < states; ++i) out.push_back(n), out.push_back(4 * blocks(n, kOptimizerBlock));
    return out;
  };
  switch (r.optimizer) {
    case Optimizer::adamw:
      return {own, own};
    case Optimizer::paged_adamw_32bit:
      if (n >= kMinPaged) return {};
      return {4 * n, 4 * n};
    case Optimizer::paged_adamw_8bit:
      if (n >= kMinPaged) return {};
      [[fallthrough]];
    case Optimizer::adamw_8bit:
      return eight_bit(2);
    case Optimizer::adamw_apex:          // apex/optimizers/fused_adam.py:208: fp32 whatever the weight
    case Optimizer::adamw_anyprecision:  // as transformers sets it: momentum and variance in fp32
      return {4 * n, 4 * n};
    case Optimizer::adafactor:  // transformers optimization.py Adafactor without first moment
      return {factored(p)};
    case Optimizer::came:  // yangluo7/CAME@e77c5c02 CAME.py:70
      return {4 * n, factored(p), factored(p)};
    case Optimizer::lion:
      return {4 * n};
    case Optimizer::lion_8bit:
      return eight_bit(1);
    case Optimizer::ademamix:  // bitsandbytes optim/ademamix.py:156: two first moments and a second
      return {8 * n, 4 * n};
    case Optimizer::sgd_momentum:
      return {own};
    case Optimizer::muon:
      return orthogonalised(p) ? std::vector<std::int64_t>{own} : std::vector<std::int64_t>{own, own};
    case Optimizer::galore_adamw:  // jiaweizzhao/GaLore@2cc66f88: moments of the projected gradient, and the projector
    case Optimizer::apollo:        // zhuhanqing/APOLLO: the same shapes
      if (!projected(p)) return {own, own};
      return {rank * broad * size_of(p.dtype), rank * broad * size_of(p.dtype),
              // of fp32 gradients the projector is a view of all singular vectors
              p.dtype == DType::fp32 && r.optimizer == Optimizer::galore_adamw ? 4 * narrow * (narrow / p.copies)
                                                                               : rank * narrow * size_of(p.dtype)};
    case Optimizer::galore_adamw_8bit:
      if (!projected(p)) return eight_bit(2);
      return {rank * broad, rank * broad, 8 * blocks(rank * broad, kOptimizerBlock), rank * narrow * size_of(p.dtype)};
    case Optimizer::adalomo:  // OpenLMLab/LOMO@45d4bac1 adalomo.py:79
      return {factored(p)};
    case Optimizer::adamw_deepspeed_cpu:  // states and master weights are the host's
    case Optimizer::lomo:
    case Optimizer::sgd:
      return {};
  }
  return {};
}

StepTemporary step_temporary(const Parameter& p, const Recipe& r) {
  const std::int64_t n = p.numel() / p.copies, all = p.numel();
  const std::int64_t e = master_weight(p, r) > 0 ? 4 : size_of(p.dtype);
  const std::int64_t narrow = std::min(p.in, p.out);
  switch (r.optimizer) {
    case Optimizer::adamw:  // square roots of all second moments at once (torch/optim/adamw.py); a loop: one tensor's, twice for a moment
      if (r.optimizer_impl == OptimizerImpl::fused) return {};
      return r.optimizer_impl == OptimizerImpl::foreach ? StepTemporary{all * e, true} : StepTemporary{n * e, false};
    case Optimizer::adamw_anyprecision:
      return {8 * n, false};
    case Optimizer::adafactor:
      return {(e == 4 ? 8 : 16) * n, false};
    case Optimizer::came:
      return {16 * n, false};
    case Optimizer::muon:  // Newton-Schulz in bf16 (pytorch@098e03f9 torch/optim/_muon.py)
      return {orthogonalised(p) ? (e + 8) * n + 8 * narrow * narrow : 3 * n * e, false};
    case Optimizer::galore_adamw:  // the singular value decomposition in fp32, and the update at full size
    case Optimizer::galore_adamw_8bit:
      return {projected(p) ? 8 * n + 8 * narrow * narrow : n * e, false};
    case Optimizer::apollo:
      return {projected(p) ? 2 * n * e : n * e, false};
    case Optimizer::lomo:  // gradient and weight in fp32 (lomo_optim/lomo.py:87)
      return {8 * n, false};
    case Optimizer::adalomo:
      return {12 * n, false};
    default:
      return {};
  }
}

}  // namespace tunefit

#include "tunefit/storage.h"

namespace tunefit {
namespace {

constexpr std::int64_t kNestedBlock = 256;     // bitsandbytes functional.quantize_4bit: block size of the second quantisation
constexpr std::int64_t kOptimizerBlock = 256;  // bitsandbytes optim/optimizer.py: values per absmax of an 8-bit state
constexpr std::int64_t kMin8Bit = 4096;        // min_8bit_size: smaller tensors keep 32-bit state
constexpr std::int64_t kMinPaged = 100'000;    // get_state_buffer: smaller tensors are not paged

std::int64_t blocks(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }

}  // namespace

WeightStorage weight_storage(const Parameter& p, const Recipe& r) {
  if (p.tie == Tie::borrower) return {};
  const std::int64_t n = p.numel();
  if (!p.quantized || !r.quantization) return {n * size_of(p.dtype), 0};
  const Quantization& q = *r.quantization;
  if (q.scheme == Scheme::int8) return {n, 4 * p.out};
  const std::int64_t absmax = blocks(n, q.block_size);
  constexpr std::int64_t code_book = 16 * 4, nested_code_book = 256 * 4, offset = 4;
  if (!q.double_quant) return {blocks(n, 2), 4 * absmax + code_book};
  return {blocks(n, 2), absmax + 4 * blocks(absmax, kNestedBlock) + code_book + nested_code_book + offset};
}

DType gradient_dtype(const Parameter& p, const Recipe& r) {
  return p.kind == ParamKind::adapter ? p.dtype : r.gradient_dtype.value_or(p.dtype);
}

std::int64_t master_weight(const Parameter& p, const Recipe& r) {
  return r.fp32_master_weights && p.trainable && p.dtype != DType::fp32 ? p.numel() * 4 : 0;
}

std::int64_t managed_state(const Parameter& p, const Recipe& r) {
  if (!p.trainable || p.tie == Tie::borrower || p.numel() < kMinPaged) return 0;
  if (r.optimizer == Optimizer::paged_adamw_32bit) return 8 * p.numel();
  return r.optimizer == Optimizer::paged_adamw_8bit ? 2 * p.numel() + 8 * blocks(p.numel(), kOptimizerBlock) : 0;
}

std::vector<std::int64_t> optimizer_state(const Parameter& p, const Recipe& r) {
  if (!p.trainable || p.tie == Tie::borrower) return {};
  const std::int64_t n = p.numel();
  const std::int64_t own = n * (master_weight(p, r) > 0 ? 4 : size_of(p.dtype));
  switch (r.optimizer) {
    case Optimizer::adamw:
      return {own, own};
    case Optimizer::paged_adamw_32bit:
      if (n >= kMinPaged) return {};
      return {4 * n, 4 * n};
    case Optimizer::paged_adamw_8bit:
      if (n >= kMinPaged) return {};
      [[fallthrough]];
    case Optimizer::adamw_8bit: {
      if (n < kMin8Bit || (p.kind == ParamKind::embedding && r.habits.optimizer_embedding_32bit)) return {4 * n, 4 * n};
      const std::int64_t absmax = 4 * blocks(n, kOptimizerBlock);
      return {n, n, absmax, absmax};
    }
    case Optimizer::sgd:
      return {};
    case Optimizer::sgd_momentum:
      return {own};
  }
  return {};
}

}  // namespace tunefit

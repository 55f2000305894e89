// Bytes of parameters, gradients and optimizer state.
#pragma once
#include <cstdint>
#include <vector>

#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

// a * b * c, clamped far above kLargestTensor instead of overflowing.
constexpr std::int64_t product(std::int64_t a, std::int64_t b, std::int64_t c) {
  const double exact = static_cast<double>(a) * static_cast<double>(b) * static_cast<double>(c);
  return exact > 1e17 ? std::int64_t{100'000'000'000'000'000} : a * b * c;
}

struct WeightStorage {
  std::int64_t weight = 0;     // bytes of the values
  std::int64_t constants = 0;  // quantisation constants (absmax, scales, code books)
};

// As stored on the accelerator. 4 bit: half a byte a value and an fp32 absmax a block, with double quantisation an 8-bit one and
// an fp32 one a 256 blocks (bitsandbytes functional.quantize_4bit); int8: a byte and an fp32 scale a row.
WeightStorage weight_storage(const Parameter&, const Recipe&);

// Bytes of the optimizer's state of one trained parameter, tensor by tensor, that lie in PyTorch's allocator. Paged state of
// 100,000 values and more lies in managed memory outside it. Sources: torch/optim/adamw.py, bitsandbytes optim/optimizer.py.
std::vector<std::int64_t> optimizer_state(const Parameter&, const Recipe&);

// Bytes of the optimizer's state in managed memory (paged optimizers): outside PyTorch's counters, moved to the host where the card is
// full (bitsandbytes functional.get_paged).
std::int64_t managed_state(const Parameter&, const Recipe&);

// Bytes of the fp32 master copy, 0 without one.
std::int64_t master_weight(const Parameter&, const Recipe&);

DType gradient_dtype(const Parameter&, const Recipe&);

// What the optimizer's step holds for this parameter besides weights, gradients and states. at_once: for all parameters together.
struct StepTemporary {
  std::int64_t bytes = 0;
  bool at_once = false;
};
StepTemporary step_temporary(const Parameter&, const Recipe&);

}  // namespace tunefit

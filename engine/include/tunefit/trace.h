// One block run once: which storages its forward and backward allocate and free. Storages are counted by reference, as
// PyTorch does it, so a tensor kept by two operations costs once.
#pragma once
#include <cstdint>
#include <vector>

#include "tunefit/graph.h"
#include "tunefit/memory.h"
#include "tunefit/recipe.h"

namespace tunefit {

// A storage by name within a placed block. Non-negative: local to the placed block; below: shared with the next one or global.
inline constexpr int kInput = 0, kInputGradient = 1;      // of this placed block
inline constexpr int kOutput = -1, kOutputGradient = -2;  // kInput and kInputGradient of the next placed block
inline constexpr int kTiedGradient = -3;                  // gradient of a weight that two blocks share
inline constexpr int kContextGradient = -4;               // of an encoder's output, summed over the decoder's layers

struct Event {
  std::int64_t bytes = 0;  // positive: allocated; negative: freed
  int storage = 0;
  Item item = Item::activations;
};

using Trace = std::vector<Event>;

struct BlockTraces {
  Trace forward, after_forward;         // after_forward: when the whole forward has returned
  Trace backward_first, backward_more;  // without and with gradients of an earlier micro-step
  Trace after_backward;                 // when the whole backward has returned
  Trace previous_freed;                 // outputs of the step before, when the next forward has returned
  int storages = 2;                     // local storages used
  std::vector<int> gradient_storage;    // per parameter: its gradient's storage, -1 if none
};

// Bytes as the caching allocator counts them: multiples of 512, at least 512 (PyTorch c10/cuda/CUDACachingAllocator).
constexpr std::int64_t rounded(std::int64_t bytes) { return bytes <= 512 ? 512 : (bytes + 511) / 512 * 512; }

BlockTraces trace(const Block&, const Recipe&);

}  // namespace tunefit

// The table: what PyTorch's autograd keeps for backward, and what each operation needs for a moment.
#pragma once
#include <cstdint>

#include "tunefit/graph.h"

namespace tunefit {

// How the gradient of an input comes about.
enum class Gradient : std::uint8_t {
  none,      // not needed
  fresh,     // a new storage
  alias,     // shares the storage of the incoming gradient
  over_kept  // written over the storage that was kept for this input
};

struct Rule {
  FewOf<int, 4> saved;                        // tensors whose storage is kept until backward (a reference: free if kept elsewhere)
  FewOf<std::int64_t, 4> kept;                // bytes of new storages kept until backward
  FewOf<std::int64_t, 4> forward_temporary;   // bytes alive only while forward of the operation runs
  FewOf<std::int64_t, 4> backward_temporary;  // likewise in backward, beside the gradients it makes
  FewOf<std::int64_t, 4> backward_before;     // in backward, gone before the input gradients are allocated
  std::array<Gradient, 4> gradients{};        // of each input
};

// Rule of one operation of a block whose dtypes and requires_grad are assigned. Sources: PyTorch tools/autograd/derivatives.yaml
// and the modules' code, tensor by tensor in docs/physics.md.
Rule autograd_rule(const Block&, const Op&);

}  // namespace tunefit

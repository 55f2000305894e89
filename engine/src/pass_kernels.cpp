#include <algorithm>

#include "tunefit/passes.h"

namespace tunefit {
namespace {

// activation followed by the product with the other half becomes one kernel that keeps gate and up and recomputes the rest.
void fuse_swiglu(Block& block) {
  for (std::size_t i = 0; i < block.ops.size(); ++i) {
    if (block.ops[i].kind != OpKind::activation) continue;
    const int activated = block.ops[i].output, gate = block.ops[i].inputs[0];
    auto product = std::find_if(block.ops.begin() + static_cast<std::ptrdiff_t>(i), block.ops.end(), [&](const Op& op) {
      return op.kind == OpKind::multiply && op.inputs.count == 2 && op.inputs[0] == activated && op.inputs[1] != activated;
    });
    if (product == block.ops.end()) continue;
    product->kind = OpKind::swiglu;
    product->inputs[0] = gate;
    product->in_place = true;
    block.ops.erase(block.ops.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

}  // namespace

void fuse_kernels(Block& block, const Recipe& r) {
  // fms-acceleration's fused operations (loss variants fms_foak_*) take Unsloth's norm and rope, not its MLP.
  const bool foak = r.loss == LossVariant::fms_foak_8 || r.loss == LossVariant::fms_foak_10;
  const bool norms = r.liger || r.unsloth || r.compile, ropes = r.liger || r.unsloth;
  if (norms || ropes) {
    for (Op& op : block.ops) {
      if (op.kind == OpKind::norm && norms) op.norm = NormCode::fused, op.in_place = !r.compile;  // Liger and Unsloth write dX over dY
      if (op.kind == OpKind::rope && ropes) op.in_place = true;
    }
  }
  if (r.liger || r.compile || (r.unsloth && r.habits.adapter_style == AdapterStyle::plain && !foak)) fuse_swiglu(block);
}

}  // namespace tunefit

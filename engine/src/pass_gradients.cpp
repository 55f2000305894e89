#include "tunefit/passes.h"

namespace tunefit {

bool assign_gradients(Block& block, const Recipe& r, bool input) {
  if (block.input >= 0) block.at(block.input).requires_grad = input;
  for (const Op& op : block.ops) {
    bool needs = (op.weight >= 0 && block.parameter(op.weight).trainable) || (op.bias >= 0 && block.parameter(op.bias).trainable);
    for (int t : op.inputs) needs = needs || block.at(t).requires_grad;
    if (op.kind == OpKind::embedding) needs = needs || r.habits.input_require_grads;
    if (op.kind == OpKind::table || r.no_grad) needs = false;
    block.at(op.output).requires_grad = needs;
  }
  return block.output >= 0 && block.at(block.output).requires_grad;
}

void checkpoint(Block& block, const Recipe& r) {
  block.checkpointed = r.recomputes() && block.kind == BlockKind::layer && block.output >= 0 && block.at(block.output).requires_grad;
  block.offloaded = block.checkpointed && (r.checkpointing == Checkpointing::unsloth || r.checkpointing == Checkpointing::offload);
}

}  // namespace tunefit

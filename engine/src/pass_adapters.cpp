#include <algorithm>

#include "adapters.h"
#include "tunefit/passes.h"

namespace tunefit {

bool is_target(const Recipe& r, const Parameter& p) {
  if (!r.lora || (p.kind != ParamKind::linear && p.kind != ParamKind::lm_head)) return false;
  if (p.fused || p.trainable || (p.part != Part::decoder && (p.part != Part::tower || r.tower != TowerTraining::lora))) return false;
  const auto& targets = r.lora->target_modules;
  return std::any_of(targets.begin(), targets.end(), [&](const std::string& target) {
    if (target == "all-linear") return p.kind == ParamKind::linear;
    if (target == "attention") return p.attention;
    return target == p.module || std::find(p.aliases.begin(), p.aliases.end(), target) != p.aliases.end();
  });
}

void insert_adapters(Block& block, const Recipe& r) {
  if (!r.lora) return;
  std::vector<Op> ops;
  ops.reserve(block.ops.size() * 2);
  for (const Op& base : block.ops) {
    if (base.kind == OpKind::linear && is_target(r, block.parameter(base.weight)))
      AdapterWriter(block, r, base, ops).write();
    else
      ops.push_back(base);
  }
  block.ops = std::move(ops);
}

}  // namespace tunefit

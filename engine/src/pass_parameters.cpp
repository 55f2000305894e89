#include <algorithm>

#include "tunefit/passes.h"

namespace tunefit {

void assign_parameters(Block& block, const Recipe& r) {
  const auto trains = [&](const Parameter& p) {
    if (p.buffer) return false;
    if (p.part == Part::task_head) return true;
    if (p.part == Part::tower) return r.tower == TowerTraining::full;
    if (p.part == Part::projector) return r.train_projector;
    if (r.method == Method::freeze)  // LLaMA-Factory freeze: whole layers from the top
      return block.kind == BlockKind::layer ? block.unfrozen
                                            : r.freeze->embeddings && (p.kind == ParamKind::embedding || p.kind == ParamKind::lm_head);
    return r.method == Method::full;
  };
  for (Parameter& p : block.parameters) {
    if (p.kind == ParamKind::adapter) {  // virtual tokens: torch.nn.Embedding in fp32
      p.trainable = true, p.dtype = DType::fp32;
      continue;
    }
    p.trainable = trains(p);
    p.dtype = p.trainable ? r.trainable_dtype : r.base_dtype;
    if (p.trainable || !r.lora) continue;
    // modules_to_save: PEFT trains a copy in the dtype of the original, which stays (a tied head's original is the embedding).
    const auto& saved = r.lora->modules_to_save;
    if (std::find(saved.begin(), saved.end(), p.module) == saved.end()) continue;
    p.trainable = true;
    p.keeps_original = p.has_storage();
    p.tie = Tie::none;
  }
}

}  // namespace tunefit

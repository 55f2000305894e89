#include <algorithm>

#include "tunefit/passes.h"

namespace tunefit {

void assign_parameters(Block& block, const Recipe& r) {
  const bool all = r.method == Method::full;
  for (Parameter& p : block.parameters) {
    p.trainable = all;
    p.dtype = all ? r.trainable_dtype : r.base_dtype;
    if (all || !r.lora) continue;
    // modules_to_save: PEFT trains a copy in the dtype of the original, which stays (a tied head's original is the embedding).
    const auto& saved = r.lora->modules_to_save;
    if (std::find(saved.begin(), saved.end(), p.module) == saved.end()) continue;
    p.trainable = true;
    p.keeps_original = p.tie != Tie::borrower;
    p.tie = Tie::none;
  }
}

}  // namespace tunefit

// The residuals of catalog/calibration.json in the engine's words.
#pragma once
#include "tunefit/architecture.h"
#include "tunefit/memory.h"
#include "tunefit/recipe.h"

namespace tunefit::json {

const Calibration& calibration();

// Whether runs of this kind are among the measurements that the residuals come from: decoders with attention in every layer, trained in
// full or by LoRA, on text.
bool is_measured_kind(const Architecture&, const Recipe&);

}  // namespace tunefit::json

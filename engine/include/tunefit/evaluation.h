// What a run does between and after its training steps: evaluation, saving, merging.
#pragma once
#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

// The recipe of a forward of r.evaluation (which must be there): its batch and loss, nothing kept for backward, no dropout.
Recipe evaluation_recipe(const Recipe& r);

// Bytes that merging its adapter makes beside this weight, one module after the other: the product of the low-rank matrices in the
// adapter's dtype and its scaled copy; for bitsandbytes the dequantised weight, the product, their sum and its copy while it is
// quantised anew. 0 where it has no adapter. Sources: evaluation.cpp.
std::int64_t merge_temporary(const Parameter&, const Recipe&);

// Whether PEFT merges adapters into weights of this scheme.
bool can_merge(Scheme);

}  // namespace tunefit

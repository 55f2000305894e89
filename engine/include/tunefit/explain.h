// Where each figure comes from: its formula, the numbers put in, and the source. Written beside the items they explain.
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "tunefit/architecture.h"
#include "tunefit/memory.h"
#include "tunefit/recipe.h"

namespace tunefit {

struct Explanation {
  std::string id;       // "m." and the item's name, or a total: m.allocated, m.reserved, m.device
  std::string formula;  // in the words and symbols of docs/physics.md
  std::string source;
  std::vector<std::pair<std::string, double>> inputs;  // the numbers of this run, bytes or counts
};

std::string explanation_id(Item);

// One explanation for each item that stands in the timeline, then the totals.
std::vector<Explanation> explain_memory(const Architecture&, const Recipe&, const Accelerator&, const MemoryEstimate&);

}  // namespace tunefit

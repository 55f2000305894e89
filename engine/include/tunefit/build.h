// From architecture and recipe to the graph, all passes applied.
#pragma once
#include <string>
#include <vector>

#include "tunefit/architecture.h"
#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

// The micro-step of this recipe: blocks embedding, one per distinct layer, final norm, head. Rows are recipe.tokens().
Graph build_graph(const Architecture&, const Recipe&);

// A linear that an adapter may stand on: its name in the model's class, and the names it answers to (the usual one of its role; those of
// its parts if it is a fused one).
struct Module {
  std::string name;
  std::vector<std::string> aliases;
};
std::vector<Module> adaptable_modules(const Architecture&, const Recipe&);

}  // namespace tunefit

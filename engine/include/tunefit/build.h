// From architecture and recipe to the graph, all passes applied.
#pragma once
#include "tunefit/architecture.h"
#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

// The micro-step of this recipe: blocks embedding, one per distinct layer, final norm, head. Rows are recipe.tokens().
Graph build_graph(const Architecture&, const Recipe&);

}  // namespace tunefit

// Published measurements (catalog/measured): those nearest to a request, and what the engine says of each.
#pragma once
#include <string>

#include "catalogue.h"
#include "resolve.h"
#include "writer.h"

namespace tunefit::json {

// Member "nearest_measured": up to five published runs of one recipe each, the nearest first, with the request's pointers in which
// they differ. Nearness orders them; no figure is computed from it.
void write_nearest(Writer&, const Resolved&, const Catalogue&);

// JSON array: each published run with its source, what was measured and what is predicted. Takes about a second in WebAssembly.
std::string measured_runs();

}  // namespace tunefit::json

// The answer of one sized request as text (engine/json/schema/answer.schema.json).
#pragma once
#include <string>
#include <vector>

#include "catalogue.h"
#include "finding.h"
#include "resolve.h"
#include "tunefit/memory.h"
#include "writer.h"

namespace tunefit::json {

// Parts of the answer that are wanted and built.
struct Wanted {
  bool memory = false, fit = false, explain = false, nearest = false;
};
Wanted wanted_parts(const Json& request);

// Members "engine_version" and "catalogue".
void write_versions(Writer&);

// A member of that name: {"expected", "low", "high"}.
void write_interval(Writer&, const char* name, const Interval&);

std::string write_answer(const Resolved&, const MemoryEstimate&, const Wanted&, const Json& request, const Catalogue&,
                         const Findings& warnings);

// {"error": {the first error}, "findings": [all]}
std::string write_errors(const Findings&);

void write_findings(Writer&, const Findings&);

// The verdict for every accelerator and for the candidates among the systems: members "fit" and "accelerators".
void write_fit(Writer&, const Resolved&, const MemoryEstimate& own, const Json& request, const Catalogue&);

}  // namespace tunefit::json

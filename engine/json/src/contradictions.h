// What in a request contradicts itself, the model or the accelerator, although each field alone is right.
#pragma once
#include "resolve.h"

namespace tunefit::json {

// False if any finding is an error. Fields that have no effect beside others are warnings (code ignored).
bool check_recipe(const Settings&, const Recipe&, const ResolvedModel&, Findings&);

// What of the recipe the accelerator's software does not run: empty if all; null facts are not counted.
std::vector<std::string> unsupported_on(const Json& accelerator_entry, const Recipe&);

}  // namespace tunefit::json

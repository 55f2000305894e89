// Files that customers already have, as a partial request.
#pragma once
#include <string>

#include "catalogue.h"
#include "finding.h"
#include "schema.h"

namespace tunefit::json {

// A Hugging Face config.json. Errors are appended to findings and the result is empty; otherwise
// {"request": ..., "understood": [...], "not_understood": [...]} as text. Only fields that say something are kept.
std::string import_hf_config(const std::string& text, const std::string& name, Findings& findings);

}  // namespace tunefit::json

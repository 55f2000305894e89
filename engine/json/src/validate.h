// Checks a document against a JSON Schema: the subset that our schemas use, and findings in plain words.
//
// Keywords: type (also a list), enum, const, minimum, maximum, exclusiveMinimum, exclusiveMaximum, minLength, maxLength, format
// (formats.h), minItems, maxItems, maxProperties, required, properties, additionalProperties, items, anyOf (chosen by type), $ref to
// #/$defs. Beyond the standard: "x-supported" is a schema of the values that can be sized now; a value that is known but not among them
// gets the code not_supported_yet, an error unless "x-unsupported" says "warning".
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "finding.h"

namespace tunefit::json {

inline constexpr std::size_t kMostFindings = 100;

// Appends one finding for each thing wrong, in the document's order, until kMostFindings. `root` holds the $defs.
// False if any of them is an error.
bool validate(const nlohmann::json& schema, const nlohmann::json& root, const nlohmann::json& value, const std::string& pointer, Findings&);

bool has_error(const Findings&);

}  // namespace tunefit::json

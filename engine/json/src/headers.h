// What the headers say beside what the config.json says.
#pragma once
#include <nlohmann/json.hpp>

#include "finding.h"

namespace tunefit::json {

// model.safetensors_index of a request, whatever of the three it is (facts of tensors.h, an index, a header): its facts.
// Findings have pointers from the object's root.
bool read_headers(const nlohmann::json& given, nlohmann::json& facts, Findings&);

// Makes the entry agree with the facts: rows of the embedding, whether the head is tied, dtype, and parameters that no block
// accounts for. What differs is a warning header_disagrees that names the part. True if the count is now the headers'.
bool apply_headers(nlohmann::json& entry, const nlohmann::json& facts, Findings&);

}  // namespace tunefit::json

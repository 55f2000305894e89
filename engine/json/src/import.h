// Files that customers already have, as a partial request.
#pragma once
#include <string>

#include "catalogue.h"
#include "finding.h"
#include "schema.h"

namespace tunefit::json {

// Each appends errors to findings and then returns an empty text; otherwise
// {"request": ..., "understood": [...], "not_understood": [...], "findings": [...]} as text. Only fields that say something are kept.
// With a config the answer also has the catalogue-shaped `entry`.

// A Hugging Face config.json; Infinity and NaN, which Python writes, are read as null.
std::string import_hf_config(const std::string& text, const std::string& name, Findings& findings);

// model.safetensors.index.json, or the headers of safetensors files (tensors.h): model.safetensors_index.
std::string import_safetensors(const std::string& text, const std::string& name, Findings& findings);

// Metadata and tensor infos of a GGUF file (import_gguf.h): model.config and model.safetensors_index.
std::string import_gguf(const std::string& text, const std::string& name, Findings& findings);

}  // namespace tunefit::json

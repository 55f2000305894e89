// The customer's own model: a Hugging Face config.json becomes an entry in the catalogue's shape
// (catalog/schema/model.schema.json), from which model.h makes the engine's blocks.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "finding.h"

namespace tunefit::json {

// Reads the root object of a config.json. Fields that are absent take the default of their class in transformers (or in the
// model's own code); a class is known by architectures[0], else by model_type. Appends findings with pointers relative to the
// config root: all that is wrong at once, and warnings. False if any of them is an error; entry is then unspecified.
// A class without a row is read roughly where its dimensions are there (warning generic_reading).
// To add a class, add a row to the table of its family, hf_classes_*.cpp.
bool entry_from_hf_config(const nlohmann::json& config, nlohmann::json& entry, Findings& findings);

// The classes that can be read, as they stand in "architectures".
std::vector<std::string> hf_config_classes();

}  // namespace tunefit::json

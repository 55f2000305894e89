// From a catalogue-shaped model entry (catalog/schema/model.schema.json) to the engine's blocks. The importer of config.json
// writes the same shape, so this is the one reader.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tunefit/architecture.h"

namespace tunefit::json {

// Reads the entry. False, with why_not in plain words, for a kind of block the engine cannot size yet (experts, latent
// attention, state-space mixers, towers, encoders ...) or for dimensions that contradict each other; out is then unspecified.
bool read_architecture(const nlohmann::json& entry, Architecture& out, std::string& why_not);

}  // namespace tunefit::json

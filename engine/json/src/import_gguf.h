// A GGUF file's metadata and tensor infos -> a config.json of the class that has the same weights.
#pragma once
#include <nlohmann/json.hpp>
#include <vector>

#include "finding.h"
#include "tensors.h"

namespace tunefit::json {

// gguf: {"metadata": {"general.architecture": "llama", "llama.block_count": 32, ...}, "tensors": [{"name", "dtype", "shape", "count"}]}
// with shapes as GGUF has them (width first) and lists longer than 64 as {"length": n} (web/src/files/headers.ts).
// False with findings if the architecture is unknown or dimensions are missing. A warning says that such a file is not trained.
bool config_from_gguf(const nlohmann::json& gguf, nlohmann::json& config, std::vector<TensorGroup>& tensors, Findings&);

}  // namespace tunefit::json

// What the headers of safetensors and GGUF files say about the weights: counts and types, no names.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "finding.h"

namespace tunefit::json {

// Equal tensors: the same name but for numbers other than the layer's.
struct TensorGroup {
  std::string name, dtype;
  std::vector<std::int64_t> shape;
  std::int64_t count = 1;
};

// The tensors of a header: {"tensors": [{"name", "dtype", "shape", "count"}]} as web/src/files/headers.ts groups them, or
// {"model.embed_tokens.weight": {"dtype", "shape", "data_offsets"}} as it stands in a safetensors file. Appends findings with
// pointers from the root; false if there is no sound tensor.
bool read_tensors(const nlohmann::json& header, std::vector<TensorGroup>& out, Findings&);

// Bytes of one element of a safetensors dtype; 0 if it is not known.
std::int64_t dtype_bytes(std::string_view dtype);

// Facts of tensors, as they stand in model.safetensors_index of a request:
// {"parameters", "total_size", "tensors", "by_dtype": {dtype: elements}, "embedding": [rows, width], "lm_head": [rows, width],
//  "layer_parameters": [of each layer], "towers", "mtp", "buffers", "quantization": {"scheme", "bits", "auxiliary"}}.
// parameters: weights as the unquantised model has them, with a stored head and multi-token-prediction layers, without buffers
// and scales; absent where packed weights do not say how many they are.
nlohmann::json facts_of(const std::vector<TensorGroup>&);

// model.safetensors.index.json: {"total_size", "tensors", "has_lm_head", "parameters" where metadata says it, "quantization"}.
bool facts_of_index(const nlohmann::json& index, nlohmann::json& facts, Findings&);

}  // namespace tunefit::json

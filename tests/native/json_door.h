// The JSON door from a test: text in, document out, and the finding one looks for.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "catch_json.h"
#include "tunefit/json/api.h"

using Json = nlohmann::json;

inline Json document(const std::string& text) {
  Json parsed = Json::parse(text, nullptr, false);
  REQUIRE(parsed.is_object());
  return parsed;
}

inline Json sized(const std::string& request) { return document(tunefit::json::size(request)); }
inline Json sized(const Json& request) { return sized(request.dump(-1, ' ', false, Json::error_handler_t::replace)); }

// A small request that is sized as it is.
inline Json plain_request() {
  return Json::parse(R"({
    "schema": "tunefit.request/1", "model": "meta-llama/Llama-3.1-8B",
    "recipe": {"framework": "transformers", "method": "lora", "base_dtype": "bf16", "quantization": null, "per_device_train_batch_size": 1,
               "gradient_accumulation_steps": 8, "sequence_length": 1024, "gradient_checkpointing": "full", "attention": "sdpa",
               "mixed_precision": "bf16", "lora": {"r": 16, "alpha": 32, "dropout": 0, "target_modules": "all-linear"}},
    "placement": {"accelerator": "nvidia-h100-80gb-sxm"}, "want": ["memory"]})");
}

// The finding with this code at this pointer; nullptr if there is none.
inline const Json* finding(const Json& answer, std::string_view code, std::string_view pointer) {
  const auto list = answer.find("findings");
  if (list == answer.end() || !list->is_array()) return nullptr;
  for (const Json& f : *list)
    if (f["code"] == code && f["pointer"] == pointer) return &f;
  return nullptr;
}

inline bool has(const Json& f, const char* member, std::string_view part) {
  return f[member].get<std::string>().find(part) != std::string::npos;
}

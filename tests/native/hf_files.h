// Real config.json files of public models, and what the importer makes of them.
#pragma once
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "catalogue.h"
#include "catch_json.h"
#include "hf_config.h"
#include "model.h"
#include "tunefit/architecture.h"

namespace tunefit::json {

using Json = nlohmann::json;

// tests/native/configs/OWNER--NAME.json of a folder, by Hugging Face id.
inline std::map<std::string, Json> configs(const std::string& folder) {
  std::map<std::string, Json> found;
  namespace fs = std::filesystem;
  for (const auto& file : fs::directory_iterator(fs::path(__FILE__).parent_path() / "configs" / folder)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream in(file.path());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::string id = file.path().stem().string();
    id.replace(id.find("--"), 2, "/");
    found[id] = Json::parse(text, nullptr, false);
  }
  return found;
}

struct Imported {
  bool ok = false;  // the reader of config.json made an entry
  Json entry;
  Findings findings;
  Architecture architecture;
};

// The reader alone.
inline Imported read_config(const Json& config) {
  Imported r;
  r.ok = entry_from_hf_config(config, r.entry, r.findings);
  return r;
}

// The reader, and the engine's blocks from its entry.
inline Imported import_config(const Json& config) {
  Imported r = read_config(config);
  std::string why_not;
  if (r.ok) {
    const bool readable = read_architecture(r.entry, r.architecture, why_not);
    CAPTURE(config.dump(-1, ' ', false, Json::error_handler_t::replace), r.entry.dump(), why_not);
    REQUIRE(readable);
  }
  return r;
}

inline const Finding* finding(const Imported& r, std::string_view pointer) {
  const auto it = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.pointer == pointer; });
  return it == r.findings.end() ? nullptr : &*it;
}

inline Json llama() {
  return Json::parse(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16"})",
                     nullptr, false);
}

inline Json with(Json config, const char* field, Json value) {
  config[field] = std::move(value);
  return config;
}

inline std::string text_at(const Json& entry, const char* field, const std::string& if_absent) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_string() ? it->get<std::string>() : if_absent;
}

inline std::int64_t count_at(const Json& entry, const char* field) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

inline bool yes_at(const Json& entry, const char* field, bool if_absent) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_boolean() ? it->get<bool>() : if_absent;
}

}  // namespace tunefit::json

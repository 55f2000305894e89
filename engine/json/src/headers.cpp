#include "headers.h"

#include <algorithm>
#include <string>

#include "hf_fields.h"
#include "model.h"
#include "tensors.h"
#include "words.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

// Beyond it a number is no count of weights: sums of 2000 of them stay in 64 bits.
constexpr std::int64_t kLargest = std::int64_t{1} << 50;

constexpr std::size_t kMostExtraLayers = 100;

std::int64_t sane(const json& value) {
  std::int64_t n = 0;
  return whole_number(value, n) && n >= 0 && n <= kLargest ? n : 0;
}

std::int64_t integer(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() ? sane(*it) : 0;
}

bool flag(const json& object, const char* key) {
  const auto it = object.find(key);
  return it != object.end() && *it == json(true);
}

// Rows and width of a matrix among the facts; 0 where it is not there.
std::int64_t at(const json& facts, const char* key, std::size_t i) {
  const auto it = facts.find(key);
  if (it == facts.end() || !it->is_array() || it->size() != 2) return 0;
  const auto n = sane((*it)[i]);
  return n <= (std::int64_t{1} << 24) ? n : 0;
}

std::int64_t count_of(const json& entry) {
  Architecture architecture;
  std::string why_not;
  return read_architecture(entry, architecture, why_not) ? parameter_count(architecture) : 0;
}

std::string number(std::int64_t n) { return std::to_string(n); }

void disagree(Findings& findings, const std::string& message, const char* hint) {
  findings.push_back({"warning", "header_disagrees", "", message, hint});
}

// The count that a trainer loads: without layers beyond those of the config.json and without the copy of a tied head.
std::int64_t loaded(const json& entry, const json& facts) {
  auto n = integer(facts, "parameters") - integer(facts, "mtp");
  const auto layers = static_cast<std::size_t>(integer(entry, "num_layers"));
  if (const auto it = facts.find("layer_parameters"); it != facts.end() && it->is_array() && layers > 0)
    for (std::size_t i = layers; i < std::min(it->size(), layers + kMostExtraLayers); ++i) n -= sane((*it)[i]);
  if (flag(entry, "tie_word_embeddings")) n -= at(facts, "lm_head", 0) * at(facts, "lm_head", 1);
  return n;
}

void fit_embedding(json& entry, const json& facts, Findings& findings) {
  const auto rows = at(facts, "embedding", 0), width = at(facts, "embedding", 1);
  const auto vocab = integer(entry, "vocab_size"), hidden = integer(entry, "hidden_size");
  if (rows > 0 && width != hidden && rows == hidden) return fit_embedding(entry, {{"embedding", {width, rows}}}, findings);
  if (rows == 0) return;
  if (width != hidden)
    return disagree(findings, "The embedding is " + number(width) + " wide in the headers, hidden_size is " + number(hidden) + ".",
                    "the config.json that belongs to these files");
  if (rows == vocab) return;
  entry["vocab_size"] = rows;
  disagree(findings, "The embedding has " + number(rows) + " rows in the headers, vocab_size is " + number(vocab) + "; the rows are taken.",
           "rows that were added as padding are usual");
}

// Only files that hold an embedding can tell whether a head is missing.
void fit_head(json& entry, const json& facts, Findings& findings) {
  const bool whole = at(facts, "embedding", 0) > 0 || facts.contains("has_lm_head");
  const bool stored = at(facts, "lm_head", 0) > 0 || flag(facts, "has_lm_head");
  if (!whole || stored || flag(entry, "tie_word_embeddings") || entry.contains("encoder_type")) return;
  entry["tie_word_embeddings"] = true;
  disagree(findings, "The headers have no lm_head, but the config.json does not tie it to the embedding; it is taken as tied.",
           "tie_word_embeddings: true, or all files of the model");
}

void fit_layers(const json& entry, const json& facts, Findings& findings) {
  const auto it = facts.find("layer_parameters");
  const auto layers = integer(entry, "num_layers");
  if (it == facts.end() || !it->is_array() || layers == 0 || static_cast<std::int64_t>(it->size()) >= layers) return;
  disagree(findings,
           "The headers have " + number(static_cast<std::int64_t>(it->size())) + " layers, the config.json has " + number(layers) + ".",
           "all files of the model, and the config.json that belongs to them");
}

void fit_dtype(json& entry, const json& facts) {
  const auto it = facts.find("by_dtype");
  if (it == facts.end() || !it->is_object() || facts.contains("quantization")) return;
  const std::int64_t bf16 = integer(*it, "BF16"), f16 = integer(*it, "F16"), f32 = integer(*it, "F32");
  if (bf16 + f16 + f32 > 0) entry["dtype"] = f32 > bf16 + f16 ? "float32" : bf16 >= f16 ? "bfloat16" : "float16";
}

// What the config.json means without its towers.
std::int64_t towers_of(const json& entry, std::int64_t all) {
  json alone = entry;
  for (const char* part : {"vision", "audio"}) alone.erase(part);
  const auto rest = count_of(alone);
  return rest > 0 ? all - rest : 0;
}

// What the config.json means for the layers alone. Where they are alike twice as many tell it; else the norm after them is
// taken off what is left.
std::int64_t layers_of(const json& entry, std::int64_t without_tables) {
  const bool alike = !entry.contains("moe") && !entry.contains("attention_groups") && !entry.contains("mlp_groups");
  json twice = entry;
  twice["num_layers"] = 2 * integer(entry, "num_layers");
  if (const auto both = alike ? count_of(twice) : 0; both > 0) return both - count_of(entry);
  const auto it = entry.find("norm_type");
  return without_tables - (it != entry.end() && *it == json("layernorm") ? 2 : 1) * integer(entry, "hidden_size");
}

// Which part makes the difference.
std::string part_in_words(const json& entry, const json& facts, std::int64_t by_config) {
  const auto towers = integer(facts, "towers"), own = towers_of(entry, by_config);
  std::string words;
  if (towers != own && (towers > 0 || own > 0))
    words += " Towers: " + number(towers) + " in the headers, " + number(own) + " by the config.json.";
  const auto it = facts.find("layer_parameters");
  const auto layers = integer(entry, "num_layers");
  if (it == facts.end() || !it->is_array() || layers == 0) return words;
  std::int64_t in_layers = 0;
  for (std::size_t i = 0; i < it->size() && static_cast<std::int64_t>(i) < layers; ++i) in_layers += sane((*it)[i]);
  const auto table = integer(entry, "vocab_size") * integer(entry, "hidden_size") * (flag(entry, "tie_word_embeddings") ? 1 : 2);
  const auto by_layers = layers_of(entry, by_config - table - own);
  if (in_layers != by_layers) words += " Layers: " + number(in_layers) + " in the headers, " + number(by_layers) + " by the config.json.";
  return words;
}

bool without_shapes(const json& entry, const json& facts, std::int64_t by_config, Findings& findings) {
  const auto size = integer(facts, "total_size");
  const auto bytes = entry.value("dtype", std::string()) == "float32" ? 4 : 2;
  const auto stated = integer(facts, "parameters");
  if (facts.contains("quantization") || (stated == 0 && size == 0)) return false;
  const auto about = stated > 0 ? stated : size / bytes;
  const double off = static_cast<double>(about - by_config) / static_cast<double>(by_config);
  const auto copy = static_cast<double>(integer(entry, "vocab_size") * integer(entry, "hidden_size")) / static_cast<double>(by_config);
  if (off < -0.005 || off > 0.005 + copy)
    disagree(findings, "By the index the model has about " + number(about) + " parameters, by the config.json " + number(by_config) + ".",
             "give the headers of the files: they tell which part differs");
  return stated > 0 && stated == by_config;
}

}  // namespace

bool read_headers(const json& given, json& facts, Findings& findings) {
  if (!given.is_object()) {
    findings.push_back({"error", "wrong_type", "", "The safetensors index is " + quoted(given) + ".", "an object"});
    return false;
  }
  if (given.contains("weight_map")) return facts_of_index(given, facts, findings);
  if (given.contains("by_dtype") || given.contains("has_lm_head") || given.contains("total_size")) {
    facts = given;
    return true;
  }
  std::vector<TensorGroup> tensors;
  if (!read_tensors(given, tensors, findings)) return false;
  facts = facts_of(tensors);
  return true;
}

bool apply_headers(json& entry, const json& facts, Findings& findings) {
  if (const auto it = facts.find("quantization"); it != facts.end() && it->is_object())
    findings.push_back({"warning", "quantized_checkpoint", "",
                        "The weights are stored quantised (" + it->value("scheme", std::string("unknown")) + ").",
                        "sized as the unquantised model; say in recipe.quantization how the run holds the weights"});
  fit_embedding(entry, facts, findings);
  fit_head(entry, facts, findings);
  fit_layers(entry, facts, findings);
  fit_dtype(entry, facts);
  const auto by_config = count_of(entry);
  if (by_config == 0) return false;
  if (!facts.contains("layer_parameters") && !facts.contains("embedding")) return without_shapes(entry, facts, by_config, findings);
  if (integer(facts, "parameters") == 0) return false;
  const auto by_headers = loaded(entry, facts), off = by_headers - by_config;
  if (off == 0) return true;
  disagree(findings,
           "The headers hold " + number(by_headers) + " parameters, the config.json means " + number(by_config) + "." +
               part_in_words(entry, facts, by_config),
           off > 0 ? "the difference is counted as weights outside the known blocks"
                   : "all files of the model, and the config.json that belongs to them");
  if (off < 0) return false;
  auto& extra = entry["extra_params"];
  if (!extra.is_array()) extra = json::array();
  extra.push_back({{"name", "in the headers but in no block of the config.json"}, {"count", off}});
  return true;
}

}  // namespace tunefit::json

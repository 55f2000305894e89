#include "hf_parts.h"

#include <algorithm>
#include <utility>

namespace tunefit::json {

using nlohmann::json;

void add_parameters(Draft& d, std::string_view name, std::int64_t count) {
  if (count <= 0) return;
  auto& list = d.members["extra_params"];
  if (!list.is_array()) list = json::array();
  list.push_back({{"name", name}, {"count", count}});
}

json layer_group(std::int64_t layers, const char* type) { return {{"layers", layers}, {"type", type}}; }

void set_groups(Draft& d, const char* member, std::vector<json> groups) {
  json list = json::array();
  for (auto& group : groups)
    if (group["layers"] != json(0)) list.push_back(std::move(group));
  d.members[member] = std::move(list);
}

std::vector<std::string> layer_words(Fields& f, const char* name, std::int64_t layers, std::initializer_list<const char*> known) {
  const auto* list = f.find(name);
  if (!list) return {};
  std::string hint = "one a layer:";
  for (const char* word : known) hint += std::string(" ") + quoted(std::string_view(word));
  if (!list->is_array()) {
    f.error("wrong_type", name, std::string(name) + " is " + quoted(*list) + ".", "a list of texts, " + hint);
    return {};
  }
  if (layers > 0 && list->size() != static_cast<std::size_t>(layers)) {
    f.error("inconsistent", name,
            std::string(name) + " has " + std::to_string(list->size()) + " entries for " + std::to_string(layers) + " layers.", hint);
    return {};
  }
  std::vector<std::string> words;
  for (std::size_t i = 0; i < list->size() && i < static_cast<std::size_t>(kLayers.high); ++i) {
    const auto& word = (*list)[i];
    const auto* text = word.get_ptr<const json::string_t*>();
    if (!text || std::none_of(known.begin(), known.end(), [&](const char* k) { return *text == k; })) {
      f.error("unsupported_feature", std::string(name) + "/" + std::to_string(i), "The layer type " + quoted(word) + " is not known.",
              hint);
      return {};
    }
    words.push_back(*text);
  }
  return words;
}

std::optional<std::int64_t> same_integer(Fields& f, const char* name, Range range) {
  const auto* value = f.find(name);
  if (!value || !value->is_array()) return f.integer(name, range);
  const auto numbers = f.integers(name, range);
  if (numbers.empty()) return std::nullopt;
  if (std::adjacent_find(numbers.begin(), numbers.end(), std::not_equal_to<>()) == numbers.end()) return numbers.front();
  f.error("unsupported_feature", name, std::string(name) + " differs between layers, which is not read yet.", "one number for all layers");
  return std::nullopt;
}

}  // namespace tunefit::json

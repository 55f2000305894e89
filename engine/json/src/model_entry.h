// How the readers of a model see its entry: members, with what it leaves out taken from the table of transformers.
#pragma once
#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue.h"
#include "schema.h"
#include "tunefit/architecture.h"
#include "words.h"

namespace tunefit::json {

template <class Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

template <class Value>
bool choose(const Names<Value>& names, std::string_view wanted, Value& out) {
  const auto it = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == wanted; });
  if (it == names.end()) return false;
  out = it->second;
  return true;
}

class Entry {
 public:
  explicit Entry(const Json& entry) : entry_(entry) {
    const Json* type = member(entry, "model_type");
    implementation_ = type ? member(transformers_table(), text_of(*type).c_str()) : nullptr;
  }
  // A part of an entry (a group, a tower): what it leaves out comes from the whole.
  Entry(const Json& part, const Entry& whole) : entry_(part), whole_(&whole) {}

  const Json* stated(const char* key) const {
    const Json* value = member(entry_, key);
    return value && !value->is_null() ? value : nullptr;
  }
  const Json* find(const char* key) const {
    if (const Json* value = stated(key)) return value;
    if (whole_) return whole_->find(key);
    return implementation_ ? member(*implementation_, key) : nullptr;
  }
  std::int64_t integer(const char* key, std::int64_t otherwise = 0) const {
    const Json* value = find(key);
    std::int64_t whole = otherwise;
    return value && whole_number(*value, whole) ? whole : otherwise;
  }
  bool flag(const char* key, bool otherwise) const {
    const Json* value = find(key);
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
  }
  std::string_view text(const char* key, std::string_view otherwise = {}) const {
    const Json* value = find(key);
    return value && value->is_string() ? std::string_view(text_of(*value)) : otherwise;
  }
  bool has(const char* key) const { return find(key) != nullptr; }
  // An object below; an empty one if there is none.
  const Json& object(const char* key) const {
    static const Json kNone = Json::object();
    const Json* value = find(key);
    return value && value->is_object() ? *value : kNone;
  }

 private:
  const Json& entry_;
  const Entry* whole_ = nullptr;
  const Json* implementation_ = nullptr;
};

// Sizes beyond which products could leave 64 bits; the schemas have the same limits.
inline constexpr std::int64_t kWidest = std::int64_t{1} << 22, kLargestVocabulary = std::int64_t{1} << 24, kMostLayers = 2000,
                              kMostHeads = 8192, kMostParameters = std::int64_t{1} << 44;
inline bool within(std::int64_t value, std::int64_t high) { return value >= 1 && value <= high; }

// Parameters that no other member accounts for, together.
std::int64_t extra_parameters(const Entry&);

// One attention as the entry (or a group of it) says.
Attention read_attention(const Entry&);

// The decoder's layers in their order. False, with why_not in words, for a kind that is not known or dimensions that contradict each other.
bool read_layers(const Entry&, Architecture&, std::string& why_not);

// Vision and audio towers.
bool read_tower(const Entry&, Architecture&, std::string& why_not);

// Encoders and encoder-decoders (entries with an encoder_type).
bool read_encoder(const Entry&, Architecture&, std::string& why_not);

}  // namespace tunefit::json

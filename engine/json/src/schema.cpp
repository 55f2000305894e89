#include "schema.h"

#include <algorithm>
#include <cstdint>

#include "embedded.h"
#include "words.h"

namespace tunefit::json {

const Json* member(const Json& object, const char* key) {
  const auto it = object.find(key);
  return it == object.end() ? nullptr : &*it;
}

const std::string& text_of(const Json& value) {
  static const std::string none;
  const auto* text = value.get_ptr<const Json::string_t*>();
  return text ? *text : none;
}

const Json& resolved(const Json& schema, const Json& root) {
  const Json* ref = member(schema, "$ref");
  if (!ref) return schema;
  static constexpr std::size_t kPrefix = std::string_view("#/$defs/").size();
  const Json* defs = member(root, "$defs");
  const Json* target = defs ? member(*defs, text_of(*ref).c_str() + std::min(kPrefix, text_of(*ref).size())) : nullptr;
  return target ? resolved(*target, root) : schema;
}

bool is_type(const std::string& type, const Json& value) {
  std::int64_t whole = 0;
  if (type == "object") return value.is_object();
  if (type == "string") return value.is_string();
  if (type == "number") return value.is_number();
  if (type == "integer") return whole_number(value, whole);
  if (type == "boolean") return value.is_boolean();
  if (type == "array") return value.is_array();
  return type == "null" && value.is_null();
}

bool is_one_of_types(const Json& type, const Json& value) {
  if (!type.is_array()) return is_type(text_of(type), value);
  return std::any_of(type.begin(), type.end(), [&](const Json& t) { return is_type(text_of(t), value); });
}

namespace {

double number_of(const Json& value) { return value.get<double>(); }

}  // namespace

const char* type_in_words(const std::string& type) {
  if (type == "object") return "an object";
  if (type == "string") return "text";
  if (type == "number") return "a number";
  if (type == "integer") return "a whole number";
  if (type == "boolean") return "true or false";
  if (type == "array") return "a list";
  return "null";
}

// The JSON types that a schema allows, by the names of the keyword `type`.
void collect_types(const Json& schema, const Json& root, std::vector<std::string>& out) {
  const Json& s = resolved(schema, root);
  const auto add = [&](const std::string& name) {
    if (std::find(out.begin(), out.end(), name) == out.end()) out.push_back(name);
  };
  const auto add_type_of = [&](const Json& v) {
    add(v.is_string() ? "string" : v.is_null() ? "null" : v.is_boolean() ? "boolean" : "number");
  };
  if (const Json* type = member(s, "type")) {
    if (type->is_array()) {
      for (const auto& t : *type) add(text_of(t));
    } else {
      add(text_of(*type));
    }
  } else if (const Json* values = member(s, "enum")) {
    for (const auto& v : *values) add_type_of(v);
  } else if (const Json* constant = member(s, "const")) {
    add_type_of(*constant);
  } else if (const Json* branches = member(s, "anyOf")) {
    for (const auto& branch : *branches) collect_types(branch, root, out);
  }
}

std::vector<std::string> names_of(const Json& values) {
  std::vector<std::string> names;
  for (const auto& v : values) names.push_back(v.is_string() ? text_of(v) : v.dump());
  return names;
}

// What a schema asks for, as a sentence: "a whole number from 1 to 65536".
std::string wanted(const Json& schema, const Json& root) {
  const Json& s = resolved(schema, root);
  if (const Json* constant = member(s, "const")) return shown(*constant);
  if (const Json* values = member(s, "enum")) return "one of " + in_words(names_of(*values));
  std::vector<std::string> types, words;
  collect_types(s, root, types);
  for (const auto& t : types) words.emplace_back(type_in_words(t));
  std::string out = in_words(words);
  const Json* low = member(s, "minimum");
  const Json* above = member(s, "exclusiveMinimum");
  const Json* high = member(s, "maximum");
  const Json* below = member(s, "exclusiveMaximum");
  if (low) out += " from " + number_text(number_of(*low));
  if (above) out += " above " + number_text(number_of(*above));
  if (high) out += std::string(low ? "" : " up") + " to " + number_text(number_of(*high));
  if (below) out += " and below " + number_text(number_of(*below));
  return out;
}

// Which values of the field can be sized, in words.
std::string supported_in_words(const Json& supported) {
  if (supported.is_boolean()) return "Leave it out.";
  if (const Json* values = member(supported, "enum")) {
    auto names = names_of(*values);
    names.erase(std::remove(names.begin(), names.end(), "null"), names.end());
    return "Supported now: " + in_words(names, "and") + ".";
  }
  if (const Json* high = member(supported, "maximum")) return "Supported now: at most " + number_text(number_of(*high)) + ".";
  if (const Json* constant = member(supported, "const")) return "Supported now: " + shown(*constant) + ".";
  return "Leave it out.";
}

const Json* schema_at(const Json& root, std::string_view pointer) {
  const Json* at = &resolved(root, root);
  while (!pointer.empty()) {
    const auto end = std::min(pointer.find('/', 1), pointer.size());
    const std::string key(pointer.substr(1, end - 1));
    pointer.remove_prefix(end);
    const Json* next = nullptr;
    std::vector<const Json*> branches{at};
    if (const Json* choices = member(*at, "anyOf")) {
      for (const auto& branch : *choices) branches.push_back(&resolved(branch, root));
    }
    for (const Json* branch : branches) {
      const Json* properties = member(*branch, "properties");
      if (properties && !next) next = member(*properties, key.c_str());
    }
    if (!next) return nullptr;
    at = &resolved(*next, root);
  }
  return at;
}

const Json& request_schema() {
  static const Json schema = Json::parse(embedded::kRequestSchema, nullptr, false);
  return schema;
}

}  // namespace tunefit::json

#include "hf_fields.h"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "words.h"

namespace tunefit::json {

namespace {

constexpr std::size_t kLongestQuote = 60;

std::string whole_number_hint(const nlohmann::json& value, Range range) {
  std::string hint = "a whole number from " + std::to_string(range.low) + " to " + std::to_string(range.high);
  if (value.is_string()) hint += ", without quotes";
  return hint;
}

}  // namespace

std::string quoted(std::string_view text) {
  if (text.size() > kLongestQuote) {
    std::size_t end = kLongestQuote;
    while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
    return quoted(text.substr(0, end)) + "...";
  }
  return nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

std::string quoted(const nlohmann::json& value) {
  if (value.is_array()) return "a list";
  if (value.is_object()) return "an object";
  if (const auto* text = value.get_ptr<const nlohmann::json::string_t*>()) return quoted(std::string_view(*text));
  return value.dump();
}

const nlohmann::json* Fields::find(std::string_view name) const {
  const auto it = config_.find(name);
  return it == config_.end() || it->is_null() ? nullptr : &*it;
}

bool Fields::positive(std::string_view name) const {
  const auto* value = find(name);
  return value && value->is_number() && value->get<double>() > 0;
}

bool Fields::stated(std::string_view name) const { return config_.find(name) != config_.end(); }

const char* Fields::name_of(Aliases aliases) const {
  for (const char* name : aliases)
    if (find(name)) return name;
  return nullptr;
}

std::optional<std::int64_t> Fields::integer(Aliases aliases, Range range) {
  const char* name = name_of(aliases);
  if (!name) return std::nullopt;
  const auto& value = *find(name);
  std::int64_t n = 0;
  if (whole_number(value, n) && n >= range.low && n <= range.high) return n;
  if (value.is_number())
    error("out_of_range", name, std::string(name) + " is " + quoted(value) + ".", whole_number_hint(value, range));
  else
    error("wrong_type", name, std::string(name) + " is " + quoted(value) + ", not a number.", whole_number_hint(value, range));
  return std::nullopt;
}

std::optional<std::int64_t> Fields::required_integer(Aliases aliases, Range range) {
  if (name_of(aliases)) return integer(aliases, range);
  std::string hint = whole_number_hint(nlohmann::json(), range);
  for (std::size_t i = 1; i < aliases.size(); ++i) hint += (i == 1 ? "; some classes call it " : ", ") + std::string(aliases[i]);
  error("missing_field", aliases.front(), std::string(aliases.front()) + " is missing.", hint);
  return std::nullopt;
}

bool Fields::boolean(const char* name, bool if_absent) {
  const auto* value = find(name);
  if (!value) return if_absent;
  if (const auto* b = value->get_ptr<const nlohmann::json::boolean_t*>()) return *b;
  error("wrong_type", name, std::string(name) + " is " + quoted(*value) + ".", "true or false");
  return if_absent;
}

std::string Fields::text(const char* name, std::string_view if_absent) {
  const auto* value = find(name);
  if (!value) return std::string(if_absent);
  if (const auto* s = value->get_ptr<const nlohmann::json::string_t*>()) return *s;
  error("wrong_type", name, std::string(name) + " is " + quoted(*value) + ".",
        if_absent.empty() ? std::string("a text") : "a text, for example " + quoted(if_absent));
  return std::string(if_absent);
}

std::vector<std::int64_t> Fields::integers(const char* name, Range range) {
  std::vector<std::int64_t> numbers;
  const auto* value = find(name);
  if (!value) return numbers;
  if (!value->is_array()) {
    error("wrong_type", name, std::string(name) + " is " + quoted(*value) + ", not a list.", "a list of whole numbers");
    return numbers;
  }
  for (std::size_t i = 0; i < value->size(); ++i) {
    std::int64_t n = 0;
    if (whole_number((*value)[i], n) && n >= range.low && n <= range.high) {
      numbers.push_back(n);
      continue;
    }
    const std::string item = std::string(name) + "/" + std::to_string(i);
    error("out_of_range", item, "An entry of " + std::string(name) + " is " + quoted((*value)[i]) + ".",
          whole_number_hint((*value)[i], range));
    return {};
  }
  return numbers;
}

const nlohmann::json* Fields::object(const char* name) {
  const auto* value = find(name);
  if (!value || value->is_object()) return value;
  error("wrong_type", name, std::string(name) + " is " + quoted(*value) + ".", "an object, as transformers writes it");
  return nullptr;
}

bool Fields::failed() const {
  return std::any_of(findings_.begin() + static_cast<std::ptrdiff_t>(first_), findings_.end(),
                     [](const Finding& f) { return f.severity == "error"; });
}

void Fields::add(const char* severity, const char* code, std::string_view field, std::string& message, std::string& hint) {
  std::string pointer = at_;
  if (!field.empty()) pointer += "/" + std::string(field);
  // A field that is looked at twice is told once.
  const bool told =
      std::any_of(findings_.begin(), findings_.end(), [&](const Finding& f) { return f.pointer == pointer && f.code == code; });
  if (told) return;
  findings_.push_back({severity, code, std::move(pointer), std::move(message), std::move(hint)});
}

}  // namespace tunefit::json

// Reads fields of the recipe as resolved into the engine's words.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "recipe_names.h"
#include "settings.h"
#include "words.h"

namespace tunefit::json {

class Reader {
 public:
  Reader(Settings& settings, Findings& findings) : s_(settings), findings_(findings) {}

  bool failed() const { return failed_; }

  template <class E>
  E choice(const std::string& pointer, E fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(name_of(fallback))), fallback;
    const auto read = from_name<E>(text_of(value));
    if (!read) unsupported(pointer, value);
    return read.value_or(fallback);
  }

  bool flag(const std::string& pointer, bool fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    return value.is_boolean() && value.get<bool>();
  }

  std::int64_t count(const std::string& pointer, std::int64_t fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    std::int64_t n = fallback;
    if (!whole_number(value, n) || n < 1) unsupported(pointer, value);
    return n;
  }

  double number(const std::string& pointer, double fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    return value.is_number() ? value.get<double>() : fallback;
  }

  std::vector<std::string> names(const std::string& pointer, std::vector<std::string> fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    if (value.is_string()) return {text_of(value)};
    std::vector<std::string> out;
    if (value.is_array())
      for (const Json& name : value) out.push_back(text_of(name));
    return out;
  }

  void contradiction(const std::string& pointer, std::string message, std::string hint) {
    failed_ = true;
    findings_.push_back({"error", "contradiction", pointer, std::move(message), std::move(hint)});
  }

  Settings& settings() { return s_; }

 private:
  void guessed(const std::string& pointer, Json value) {
    s_.assume(pointer, std::move(value), "no rule is known for this framework; a usual value");
  }

  void unsupported(const std::string& pointer, const Json& value) {
    failed_ = true;
    findings_.push_back({"error", "not_supported_yet", pointer, "The framework's default here, " + shown(value) + ", cannot be sized yet.",
                         "State " + field_name(pointer) + " with a value that can be."});
  }

  Settings& s_;
  Findings& findings_;
  bool failed_ = false;
};

// Method, adapters, layers that are trained, virtual tokens: what the name of a method stands for (recipe_method.cpp).
void read_method(Reader&, Recipe&);

// Recipe::record_lengths, from the lengths of rows, the dataset, or what the framework does (recipe_lengths.cpp).
void read_lengths(Settings&, Recipe&);

// The optimizer, which some methods bring with them.
void read_optimizer(Reader&, Recipe&);

}  // namespace tunefit::json

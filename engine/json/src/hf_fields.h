// Checked reading of a config.json: each wrong field becomes a finding and reading goes on, so that all are told at once.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "finding.h"

namespace tunefit::json {

// Names under which classes keep the same thing, the usual one first: {"hidden_size", "n_embd", "d_model"}.
using Aliases = std::span<const char* const>;

struct Range {
  std::int64_t low = 0, high = 0;
};

class Fields {
 public:
  // config must be an object and outlive the reader. Pointers of findings are relative to it, below `at`.
  Fields(const nlohmann::json& config, Findings& findings, std::string at = "")
      : config_(config), findings_(findings), at_(std::move(at)), first_(findings.size()) {}
  Fields below(std::string_view name, const nlohmann::json& object) { return Fields(object, findings_, at_ + "/" + std::string(name)); }

  // The value, nullptr when absent or null.
  const nlohmann::json* find(std::string_view name) const;
  bool stated(std::string_view name) const;    // present, if only as null
  bool positive(std::string_view name) const;  // a number above 0

  // First of the names that is there.
  const char* name_of(Aliases) const;
  const char* name_of(std::initializer_list<const char*> names) const { return name_of(Aliases(names.begin(), names.size())); }
  // The value; anything but a whole number within the range (4096.0 is one), a boolean or a text is an error that says what
  // the field should hold.
  std::optional<std::int64_t> integer(Aliases, Range);
  std::optional<std::int64_t> integer(const char* name, Range range) { return integer(Aliases(&name, 1), range); }
  std::optional<std::int64_t> integer(std::initializer_list<const char*> names, Range range) {
    return integer(Aliases(names.begin(), names.size()), range);
  }
  std::optional<std::int64_t> required_integer(Aliases, Range);
  std::optional<std::int64_t> required_integer(const char* name, Range range) { return required_integer(Aliases(&name, 1), range); }
  std::optional<std::int64_t> required_integer(std::initializer_list<const char*> names, Range range) {
    return required_integer(Aliases(names.begin(), names.size()), range);
  }
  bool boolean(const char* name, bool if_absent);
  std::string text(const char* name, std::string_view if_absent);
  // The whole numbers of a list; empty if it is absent or wrong (then an error).
  std::vector<std::int64_t> integers(const char* name, Range);
  // The object of that name, nullptr if it is absent or wrong (then an error).
  const nlohmann::json* object(const char* name);

  void error(const char* code, std::string_view field, std::string message, std::string hint) { add("error", code, field, message, hint); }
  void warn(const char* code, std::string_view field, std::string message, std::string hint) { add("warning", code, field, message, hint); }
  bool failed() const;  // any error since construction

 private:
  void add(const char* severity, const char* code, std::string_view field, std::string& message, std::string& hint);

  const nlohmann::json& config_;
  Findings& findings_;
  std::string at_;
  std::size_t first_;
};

// The value as it may stand in a message: short, on one line, valid UTF-8.
std::string quoted(const nlohmann::json&);
std::string quoted(std::string_view text);

}  // namespace tunefit::json

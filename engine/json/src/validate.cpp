#include "validate.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "formats.h"
#include "schema.h"
#include "words.h"

namespace tunefit::json {

namespace {

double number_of(const Json& value) { return value.get<double>(); }

bool listed(const Json& values, const Json& value) { return std::find(values.begin(), values.end(), value) != values.end(); }

// A field on the way down; the pointer text is only made when there is something to say.
struct Place {
  const Place* up;
  const std::string* key;  // nullptr: index
  std::size_t index;

  std::string pointer(const std::string& start) const {
    if (!up) return start;
    const std::string above = up->pointer(start);
    return key ? child_pointer(above, *key) : above + '/' + std::to_string(index);
  }
};

class Check {
 public:
  Check(const Json& root, const std::string& start, Findings& findings) : root_(root), start_(start), findings_(findings) {}

  bool failed() const { return failed_; }

  // True if nothing was found wrong with the value itself (its members aside).
  void check(const Json& given, const Json& value, const Place& place) {
    const Json& schema = resolved(given, root_);
    if (const Json* branches = member(schema, "anyOf")) {
      check_branches(*branches, value, place);
    } else if (check_type(schema, value, place) && check_values(schema, value, place)) {
      if (value.is_number()) check_number(schema, value, place);
      if (value.is_string()) check_text(schema, text_of(value), place);
      if (value.is_object()) check_object(schema, value, place);
      if (value.is_array()) check_array(schema, value, place);
    }
    const Json* supported = member(schema, "x-supported");
    if (supported && !matches(*supported, value)) add_unsupported(schema, *supported, value, place);
  }

 private:
  void add(const char* severity, const char* code, const Place& place, std::string message, std::string hint) {
    if (*severity == 'e') failed_ = true;
    if (findings_.size() < kMostFindings) findings_.push_back({severity, code, place.pointer(start_), std::move(message), std::move(hint)});
  }
  void error(const char* code, const Place& place, std::string message, std::string hint) {
    add("error", code, place, std::move(message), std::move(hint));
  }
  std::string name(const Place& place) const { return field_name(place.pointer(start_)); }

  bool matches(const Json& schema, const Json& value) {
    if (!schema.is_object()) return schema.is_boolean() && schema.get<bool>();
    Findings ignored;
    Check check(root_, start_, ignored);
    check.check(schema, value, {nullptr, nullptr, 0});
    return !check.failed();
  }

  // A value that is wrong anyway already has its finding, so only known ones get here as not supported yet.
  void add_unsupported(const Json& schema, const Json& supported, const Json& value, const Place& place) {
    if (failed_at_ == &value) return;
    const Json* severity = member(schema, "x-unsupported");
    const bool warning = severity && text_of(*severity) == "warning";
    const std::string what = value.is_object() || value.is_array() ? name(place) : name(place) + " " + shown(value);
    add(warning ? "warning" : "error", "not_supported_yet", place,
        what + (warning ? " is not sized yet; the answer leaves it out." : " cannot be sized yet."), supported_in_words(supported));
  }

  void wrong_type(const Json& schema, const Json& value, const Place& place) {
    failed_at_ = &value;
    std::string hint = "It must be " + wanted(schema, root_) + ".";
    if (value.is_string()) {
      char* end = nullptr;
      const auto& text = text_of(value);
      std::vector<std::string> types;
      collect_types(schema, root_, types);
      const bool number_wanted =
          std::find_if(types.begin(), types.end(), [](const auto& t) { return t == "number" || t == "integer"; }) != types.end();
      std::strtod(text.c_str(), &end);
      if (number_wanted && !text.empty() && end && !*end) hint += " Write it without quotes.";
    }
    error("wrong_type", place, name(place) + " is " + shown(value) + ".", std::move(hint));
  }

  bool check_type(const Json& schema, const Json& value, const Place& place) {
    const Json* type = member(schema, "type");
    if (!type || is_one_of_types(*type, value)) return true;
    wrong_type(schema, value, place);
    return false;
  }

  bool check_values(const Json& schema, const Json& value, const Place& place) {
    const Json* constant = member(schema, "const");
    if (constant && value != *constant) {
      failed_at_ = &value;
      error("wrong_value", place, name(place) + " is " + shown(value) + ".", "It must be " + shown(*constant) + ".");
      return false;
    }
    const Json* values = member(schema, "enum");
    if (!values || listed(*values, value)) return true;
    if (!value.is_string()) {
      wrong_type(schema, value, place);
      return false;
    }
    failed_at_ = &value;
    auto names = names_of(*values);
    names.erase(std::remove(names.begin(), names.end(), "null"), names.end());
    const std::string near = nearest(text_of(value), names);
    error("unknown_value", place, name(place) + " knows no " + shown(value) + ".",
          (near.empty() ? "" : "Did you mean \"" + near + "\"? ") + "Known: " + in_words(names, "and") + ".");
    return false;
  }

  void check_number(const Json& schema, const Json& value, const Place& place) {
    const double v = number_of(value);
    const Json* low = member(schema, "minimum");
    const Json* above = member(schema, "exclusiveMinimum");
    const Json* high = member(schema, "maximum");
    const Json* below = member(schema, "exclusiveMaximum");
    const bool small = (low && v < number_of(*low)) || (above && v <= number_of(*above));
    const bool large = (high && v > number_of(*high)) || (below && v >= number_of(*below));
    if (!small && !large && std::isfinite(v)) return;
    failed_at_ = &value;
    const Json* plausible = member(schema, "x-plausible");
    error("out_of_range", place, name(place) + " is " + shown(value) + (small ? ", which is too small." : ", which is too large."),
          "It must be " + wanted(schema, root_) + (plausible ? ", in " + text_of((*plausible)["unit"]) : "") + ".");
  }

  void check_text(const Json& schema, const std::string& text, const Place& place) {
    if (!check_size(schema, text.size(), "minLength", "maxLength", "characters", place)) return;
    const Json* named = member(schema, "format");
    const Format* format = named ? format_of(text_of(*named)) : nullptr;
    if (!format || format->fits(text)) return;
    error("bad_format", place, name(place) + " is " + shown(Json(text)) + ", which is no " + format->noun + ".", format->hint);
  }

  bool check_size(const Json& schema, std::size_t size, const char* least, const char* most, const char* of, const Place& place) {
    const Json* low = member(schema, least);
    const Json* high = member(schema, most);
    const auto n = static_cast<double>(size);
    if (low && n < number_of(*low)) {
      error("too_short", place, name(place) + (size == 0 ? " is empty." : " is too short."),
            "It must have at least " + number_text(number_of(*low)) + " " + of + ".");
    } else if (high && n > number_of(*high)) {
      error("too_long", place, name(place) + " has " + std::to_string(size) + " " + of + ".",
            "It may have " + number_text(number_of(*high)) + " at most.");
    } else {
      return true;
    }
    return false;
  }

  void check_object(const Json& schema, const Json& value, const Place& place) {
    static const Json kNone = Json::object();
    const Json* stated = member(schema, "properties");
    const Json& properties = stated ? *stated : kNone;
    const Json* others = member(schema, "additionalProperties");
    check_size(schema, value.size(), "minProperties", "maxProperties", "fields", place);
    if (const Json* required = member(schema, "required")) {
      for (const auto& key : *required) {
        if (member(value, text_of(key).c_str())) continue;
        const Place missing{&place, &text_of(key), 0};
        const Json* sub = member(properties, text_of(key).c_str());
        const Json* help = sub ? member(resolved(*sub, root_), "description") : nullptr;
        error("required", missing, name(missing) + " is missing.", help ? text_of(*help) : "It must be given.");
      }
    }
    for (auto it = value.begin(); it != value.end(); ++it) {
      const Place below{&place, &it.key(), 0};
      const auto property = properties.find(it.key());
      if (property != properties.end()) {
        check(*property, *it, below);
      } else if (others && others->is_object()) {
        check(*others, *it, below);
      } else if (others && others->is_boolean() && !others->get<bool>()) {
        unknown_field(properties, it.key(), below);
      }
    }
  }

  void unknown_field(const Json& properties, const std::string& key, const Place& place) {
    std::vector<std::string> names;
    for (auto it = properties.begin(); it != properties.end(); ++it) names.push_back(it.key());
    const std::string near = nearest(key, names);
    error("unknown_field", place, "There is no field \"" + shortened(key) + "\" in " + name(*place.up) + ".",
          near.empty() ? "Fields there: " + in_words(names, "and", 40) + "." : "Did you mean \"" + near + "\"?");
  }

  void check_array(const Json& schema, const Json& value, const Place& place) {
    check_size(schema, value.size(), "minItems", "maxItems", "entries", place);
    const Json* items = member(schema, "items");
    if (!items) return;
    for (std::size_t i = 0; i < value.size() && findings_.size() < kMostFindings; ++i) check(*items, value[i], {&place, nullptr, i});
  }

  void check_branches(const Json& branches, const Json& value, const Place& place) {
    std::vector<std::string> all;
    for (const auto& branch : branches) {
      std::vector<std::string> types;
      collect_types(branch, root_, types);
      if (std::any_of(types.begin(), types.end(), [&](const auto& t) { return is_type(t, value); })) return check(branch, value, place);
      for (auto& t : types) all.emplace_back(type_in_words(t));
    }
    failed_at_ = &value;
    error("wrong_type", place, name(place) + " is " + shown(value) + ".", "It must be " + in_words(all) + ".");
  }

  const Json& root_;
  const std::string& start_;
  Findings& findings_;
  const Json* failed_at_ = nullptr;  // the value that has a finding already
  bool failed_ = false;
};

}  // namespace

bool validate(const Json& schema, const Json& root, const Json& value, const std::string& pointer, Findings& findings) {
  Check check(root, pointer, findings);
  check.check(schema, value, {nullptr, nullptr, 0});
  return !check.failed();
}

bool has_error(const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == "error"; });
}

}  // namespace tunefit::json

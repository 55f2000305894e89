// The fields of a request with everything resolved that it leaves open, and a list of what was assumed and why.
#pragma once
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "framework.h"
#include "schema.h"

namespace tunefit::json {

struct Assumption {
  std::string pointer;
  Json value;
  std::string because, source;  // source may be empty
};

// The value at a JSON pointer, nullptr if there is none.
const Json* at_pointer(const Json& document, std::string_view pointer);

// A field is, in this order: what the request states; what follows from other stated fields; the framework's rule (then
// transformers'); the default of the request schema. null counts as not stated.
class Settings {
 public:
  Settings(const Json& request, const Framework& framework, std::string model_type)
      : request_(request), framework_(framework), model_type_(std::move(model_type)) {}

  const Json* stated(std::string_view pointer) const;
  bool mentions_null(std::string_view pointer) const;  // stated as null

  // The resolved value, null if nothing says. use() also lists it as an assumption when it is one.
  const Json& get(const std::string& pointer);
  const Json& use(const std::string& pointer);
  const std::string& text(const std::string& pointer) { return text_of(get(pointer)); }

  void assume(std::string pointer, Json value, std::string because, std::string source = "");
  const std::vector<Assumption>& assumptions() const { return assumptions_; }
  const Framework& framework() const { return framework_; }

  // The framework's rule for a habit.
  std::optional<Rule> habit(std::string_view name, const Framework::Accept& accept = nullptr);

 private:
  struct Entry {
    Json value;
    std::string because, source;  // because empty: no assumption
    bool listed = false;
  };
  Entry resolve(const std::string& pointer);
  Entry as_entry(Rule) const;
  Framework::Lookup lookup();

  const Json& request_;
  const Framework& framework_;
  Json model_type_;
  Json method_;  // what rules are asked with: the method, and the one that it is a kind of
  std::map<std::string, Entry, std::less<>> entries_;
  std::vector<std::string_view> open_;  // being resolved: a field that asks for itself finds nothing
  std::vector<Assumption> assumptions_;
};

// What follows from other fields, whatever the framework. Empty `because`: it follows so plainly that it is no assumption.
struct Derived {
  Json value;
  std::string because;
};
std::optional<Derived> derive_before_framework(Settings&, std::string_view pointer);
std::optional<Derived> derive_after_framework(Settings&, std::string_view pointer);

}  // namespace tunefit::json

// What a framework does that the request leaves open: the rules of catalog/frameworks, by the versions of the request.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue.h"
#include "schema.h"

namespace tunefit::json {

// Whether a version ("4.48.1", "0.19.2.dev0") lies in a range: ">=a", "<b" or ">=a,<b". Compared by numeric parts.
bool in_range(std::string_view version, std::string_view range);

// {"transformers": "4.48.1"} of "transformers 4.48.1, peft 0.13.2"; a bare version is that of `framework`. Package names in
// lower case. What cannot be read is appended to not_understood.
Json versions_from_text(std::string_view text, const std::string& framework, std::vector<std::string>& not_understood);

struct Rule {
  const Json* value;
  std::string because, source;
};

class Framework {
 public:
  // The resolved value at a pointer of the request, nullptr if nothing says; asked by the conditions of rules.
  using Lookup = std::function<const Json*(const std::string& pointer)>;
  using Accept = std::function<bool(const Json& value)>;

  // Rules of the framework, then of those it extends; defaults end with those of transformers (docs/contract.md).
  Framework(const Catalogue&, const std::string& id);

  bool known() const { return known_; }
  const std::string& name() const;  // for people

  // Whether a rule of the framework, or of those it extends, may depend on this package's version.
  bool names_package(std::string_view package) const;

  // Sets the versions of the request (an object); the rest are those of the same time, or, if none is stated, the newest whose code was
  // read. They are returned.
  Json set_versions(const Json& stated);
  const Json& versions() const { return versions_; }

  // First rule for a field or habit whose conditions hold and whose value is accepted.
  std::optional<Rule> default_for(std::string_view pointer, const Lookup&, const Accept& = nullptr) const;
  std::optional<Rule> habit(std::string_view name, const Lookup&, const Accept& = nullptr) const;

 private:
  bool applies(const Json& rule, const Lookup&) const;
  std::optional<Rule> first(const char* list, const char* key, std::string_view name, std::size_t entries, const Lookup&,
                            const Accept&) const;

  std::vector<const Json*> entries_;  // own first
  std::size_t own_ = 0;               // entries before the appended transformers; all for an unknown framework
  bool known_ = false;
  Json versions_ = Json::object();
};

}  // namespace tunefit::json

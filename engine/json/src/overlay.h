// The checks of an overlay's entries beyond their schema: the linters of catalog/lint that concern an entry by itself or what it
// names. Each passes over members that have a finding already, so that one slip is told once.
#pragma once
#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "catalogue.h"
#include "finding.h"

namespace tunefit::json {

// Findings about one entry. `below`: pointer from the entry on, "/price/date"; our own names, so nothing needs escaping.
class Report {
 public:
  Report(std::string pointer, Findings& findings) : pointer_(std::move(pointer)), findings_(findings), first_(findings.size()) {}

  const std::string& pointer() const { return pointer_; }
  Findings& findings() { return findings_; }
  bool failed() const { return failed_; }
  void fail() { failed_ = true; }

  void error(const char* code, std::string_view below, std::string message, std::string hint);
  void warning(const char* code, std::string_view below, std::string message, std::string hint);

  // Whether a finding names this member, something in it or something it is in.
  bool told(std::string_view below) const;

 private:
  std::string pointer_;
  Findings& findings_;
  std::size_t first_;  // the entry's findings begin here
  bool failed_ = false;
};

// Appends an error for each number outside the "x-plausible" of its schema, {"minimum", "maximum", "unit", "each"}; each names a
// member of the entry by which the number is divided (absent or 0: by 1), as in catalog/lib/plausible.mjs.
// Appends a warning for a date more than a year after that of the catalogue: there is no clock here, and a page may be in use for
// years after it was made, so such a date is not refused.
void check_plausible(const nlohmann::json& schema, const nlohmann::json& entry, Report&);

// Memory figures and rates that agree with each other; MIG slices that agree with their names.
void check_accelerator(const nlohmann::json& entry, Report&);

// An accelerator that exists, on each node as many; options whose choices exist; host memory that agrees with itself.
void check_machine(const nlohmann::json& entry, const Catalogue&, Report&);

// Dimensions, or a model to take them from; heads that divide; a licence of the catalogue.
void check_model(const nlohmann::json& entry, const Catalogue&, Report&);

// The published number of parameters is that of the dimensions within 0.5 %, or diff_note says why not. completed: with the
// dimensions of dims_of. Nothing is said of kinds of model that the engine cannot read.
void check_parameters(const nlohmann::json& completed, Report&);

}  // namespace tunefit::json

// A valid request and the catalogue -> everything the engine needs, nothing left open, with the assumptions that were made.
#pragma once
#include <string>
#include <vector>

#include "accelerator.h"
#include "catalogue.h"
#include "finding.h"
#include "settings.h"
#include "tunefit/architecture.h"
#include "tunefit/recipe.h"

namespace tunefit::json {

struct ResolvedModel {
  std::string id, hf_id, name;
  std::string basis;  // catalogue | config | safetensors | size_only
  Architecture architecture;
};

struct ResolvedPlace {
  bool given = false;               // an accelerator or a system was named: a verdict can be given
  std::string system, accelerator;  // ids, empty if not named
  ReadAccelerator read;             // capacity is less what others use
};

struct UsedHabit {
  std::string name;
  Json value;
  std::string source;  // empty: no rule, the engine's usual behaviour
};

struct Resolved {
  ResolvedModel model;
  ResolvedPlace place;
  Recipe recipe;
  std::string framework;
  Json versions;
  std::vector<UsedHabit> habits;
  std::vector<Assumption> assumptions;
};

// The model of a request; false with a finding if it is unknown or cannot be sized.
bool resolve_model(const Json& request, const Catalogue&, ResolvedModel&, std::vector<Assumption>&, Findings&);

// Where it runs; false with a finding if what is named is unknown.
bool resolve_place(const Json& request, const Catalogue&, ResolvedPlace&, std::vector<Assumption>&, Findings&);

// Every setting of the run, habits included; false with findings for contradictions and what cannot be sized.
bool resolve_recipe(const Json& request, const Catalogue&, const ResolvedModel&, Resolved&, Findings&);

// All three. `request` has passed the schema. False if any finding is an error.
bool resolve(const Json& request, const Catalogue&, Resolved&, Findings&);

// Habits of recipe.h by name, as the data of catalog/frameworks calls them. False: no such habit, or not such a value.
bool set_habit(Habits&, std::string_view name, const Json& value);
std::vector<std::string> habit_names();
Json habit_value(const Habits&, std::string_view name);

}  // namespace tunefit::json

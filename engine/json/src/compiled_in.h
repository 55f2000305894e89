// The compiled-in catalogue as entries: parsed on first use, shared texts put back in their places.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "catalogue.h"

namespace tunefit::json::compiled_in {

// Number of entries of a kind.
std::size_t count(Kind);

// The entry at a place, 0 to count - 1. Models are parsed one by one, the other kinds together.
const nlohmann::json& entry(Kind, std::size_t place);

// The same for a list of many: of a model only what lists show.
nlohmann::json brief(Kind, std::size_t place);

// Id, and for a model its Hugging Face id, without parsing the entry.
struct Names {
  std::string_view id, hf_id;
};
Names names(Kind, std::size_t place);

// The schema of an entry of that kind, without descriptions; also the root for its $refs. Null for frameworks.
const nlohmann::json& schema(Kind);

// A model's entry with the dimensions of `base` where it names another's (dims_of).
void take_dimensions(nlohmann::json& entry, const nlohmann::json& base);

// Ids of the licences of catalog/licences.json.
std::vector<std::string> licences();
bool knows_licence(std::string_view id);

// Adds to a licence that has an id what holds for the model: name, class, what to mind, link, terms, those of its base (licences
// of what it was built from) included. The class is the strictest of them, what to mind that of all, each once.
void take_licence(nlohmann::json& licence);

}  // namespace tunefit::json::compiled_in

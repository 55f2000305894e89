// The request's words for the engine's enums, once for both directions.
#pragma once
#include <optional>
#include <span>
#include <string_view>

#include "tunefit/recipe.h"

namespace tunefit::json {

template <class E>
struct Word {
  const char* name;
  E value;
};

// Words of an enum; specialised in recipe_names.cpp for every enum of recipe.h and dtype.h that a request names.
template <class E>
std::span<const Word<E>> words();

template <class E>
std::optional<E> from_name(std::string_view name) {
  for (const auto& word : words<E>())
    if (name == word.name) return word.value;
  return std::nullopt;
}

template <class E>
const char* name_of(E value) {
  for (const auto& word : words<E>())
    if (value == word.value) return word.name;
  return "";
}

// Whether all logits exist at once (full_logits), in chunks of tokens (chunked) or never (fused) in a loss variant;
// some code has both forms.
bool agrees(std::string_view loss, std::string_view loss_variant);

// The method whose defaults a method has: lora of dora and the like, qlora of qdora, full of galore and the like; nullptr if unknown.
const char* kin_of_method(std::string_view method);

// The version of transformers whose loss code a variant is, empty if it is not one version's.
std::string_view transformers_of_variant(std::string_view loss_variant);

// The loss of a variant, and the usual variant of a loss; empty if unknown.
std::string_view loss_of_variant(std::string_view loss_variant);
std::string_view usual_variant(std::string_view loss);

}  // namespace tunefit::json

// The facts: what is compiled in, extended by a vendor's or customer's own entries (catalogue_overlay).
// Not for concurrent use: entries are parsed on first use and kept.
#pragma once
#include <array>
#include <cstddef>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "finding.h"

namespace tunefit::json {

enum class Kind { models, accelerators, systems, offers, frameworks, glossary, rules };
inline constexpr std::size_t kKinds = 7;

// "models" -> Kind::models ...; nullopt for any other word.
std::optional<Kind> kind_from_name(std::string_view);

enum class Detail { summary, full };  // summary: what a list needs (id, name, family, size, memory, price)

class Catalogue {
 public:
  // Adds the overlay's entries: {"models": [], "accelerators": [], "systems": [], "offers": []}, each in the shape of
  // catalog/schema. What is wrong becomes a finding with a pointer below `pointer`, at most about kMostFindings of them; an entry
  // with an error is left out. An id that exists is an error unless the entry says "replaces": true.
  // Entries get "origin": "overlay", and that as their basis too where they name none.
  void apply_overlay(nlohmann::json overlay, Findings&, const std::string& pointer = "/catalogue_overlay");

  // Whether an entry is one of an overlay, and whether one of that id was left out for an error.
  bool is_own(Kind, std::string_view id) const;
  bool refused(Kind, std::string_view id) const;

  // The entry, nullptr if there is none. Ids are compared without regard to case; models answer to their Hugging Face id too.
  // Valid until the next apply_overlay.
  const nlohmann::json* find(Kind, std::string_view id) const;
  const nlohmann::json* find_model(std::string_view id_or_hf_id) const { return find(Kind::models, id_or_hf_id); }
  const nlohmann::json* find_accelerator(std::string_view id) const { return find(Kind::accelerators, id); }
  const nlohmann::json* find_system(std::string_view id) const { return find(Kind::systems, id); }
  const nlohmann::json* find_offer(std::string_view id) const { return find(Kind::offers, id); }
  const nlohmann::json* find_framework(std::string_view id) const { return find(Kind::frameworks, id); }

  // Every entry of a kind, in catalogue order, overlay last. Pointers as find().
  std::vector<const nlohmann::json*> all(Kind) const;

  // Array of the entries in which every word of the query occurs (id, name, family, owner, vendor ...; case is ignored).
  nlohmann::json list(Kind, std::string_view query, Detail = Detail::full) const;

  // The ids nearest to one that was not found, best first, for a hint.
  std::vector<std::string> suggestions(Kind, std::string_view id, std::size_t most = 3) const;

 private:
  // Ids and hub ids without regard to case.
  struct Less {
    using is_transparent = void;
    bool operator()(std::string_view, std::string_view) const;
  };

  void add_all(Kind, nlohmann::json& list, const std::string& pointer, Findings&);
  void add(Kind, nlohmann::json entry, const std::string& pointer, Findings&);
  void check_names(Kind, const nlohmann::json& entry, class Report&) const;
  void put(Kind, nlohmann::json entry);

  std::vector<nlohmann::json> own_[kKinds];                  // overlay entries by kind; looked at before the compiled-in ones
  std::map<std::string, std::size_t, Less> places_[kKinds];  // of them, by id and hub id
  std::set<std::string, Less> refused_[kKinds];
  std::array<bool, kKinds> refused_all_{};
};

// Compiled-in tables that are not lists of entries (catalog/accelerators/runtime.json, catalog/models/transformers.json).
const nlohmann::json& runtime_table();
const nlohmann::json& transformers_table();
const nlohmann::json& calibration_table();  // catalog/calibration.json
const nlohmann::json& releases_table();     // [version, date] of each package, oldest first

}  // namespace tunefit::json

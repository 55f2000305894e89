// A vendor's or customer's own entries: checked by the schemas of the catalogue, then by what a schema cannot say.
#include <algorithm>
#include <array>
#include <cctype>

#include "catalogue.h"
#include "compiled_in.h"
#include "schema.h"
#include "validate.h"
#include "words.h"

namespace tunefit::json {

namespace {

// Kinds in the order in which they may refer to each other.
constexpr std::array<std::pair<Kind, const char*>, 4> kOverlayKinds = {
    {{Kind::models, "models"}, {Kind::accelerators, "accelerators"}, {Kind::systems, "systems"}, {Kind::offers, "offers"}}};
constexpr std::size_t kMostEntries = 2000;  // of one kind

// As in catalog/lib/formats.mjs.
bool is_id(std::string_view text) {
  bool after_word = false;
  for (const char c : text) {
    const bool word = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
    if (!word && ((c != '.' && c != '-') || !after_word)) return false;
    after_word = word;
  }
  return after_word;
}

// "2026", "2026-08" or "2026-08-27".
bool is_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const bool hyphen = i == 4 || i == 7;
    if (hyphen ? text[i] != '-' : !std::isdigit(static_cast<unsigned char>(text[i]))) return false;
  }
  const auto number = [&](std::size_t from) { return (text[from] - '0') * 10 + (text[from + 1] - '0'); };
  if (text.size() >= 7 && (number(5) < 1 || number(5) > 12)) return false;
  return text.size() < 10 || (number(8) >= 1 && number(8) <= 31);
}

struct Place {
  const std::string& pointer;
  Findings& findings;
  // key: a member of our own schemas, so nothing in it needs escaping.
  void error(const char* code, const std::string& key, std::string message, std::string hint) const {
    findings.push_back({"error", code, pointer + "/" + key, std::move(message), std::move(hint)});
  }
};

void check_formats(const Json& entry, const Place& place) {
  const Json* id = member(entry, "id");
  if (id && id->is_string() && !is_id(text_of(*id)))
    place.error("bad_format", "id", shown(*id) + " is no id.",
                "Lower case, words joined by hyphens, dots in version numbers: acme-box-8.1");
  for (const char* key : {"price", "price_spot"}) {
    const Json* price = member(entry, key);
    const Json* date = price && price->is_object() ? member(*price, "date") : nullptr;
    if (date && date->is_string() && !is_date(text_of(*date)))
      place.error("bad_format", std::string(key) + "/date", shown(*date) + " is no date.", "ISO 8601: 2026, 2026-08 or 2026-08-27");
  }
}

}  // namespace

void Catalogue::apply_overlay(const Json& overlay, Findings& findings, const std::string& pointer) {
  if (overlay.is_null()) return;
  if (!overlay.is_object()) {
    findings.push_back({"error", "wrong_type", pointer, "The overlay is " + shown(overlay) + ".",
                        "An object with models, accelerators, systems or offers."});
    return;
  }
  for (auto it = overlay.begin(); it != overlay.end(); ++it) {
    const bool known = std::any_of(kOverlayKinds.begin(), kOverlayKinds.end(), [&](const auto& k) { return it.key() == k.second; });
    if (!known)
      findings.push_back({"error", "unknown_field", child_pointer(pointer, it.key()),
                          "The overlay has no field " + shown(Json(it.key())) + ".", "models, accelerators, systems or offers"});
  }
  for (const auto& [kind, name] : kOverlayKinds) {
    const Json* list = member(overlay, name);
    if (!list || list->is_null()) continue;
    const std::string at = child_pointer(pointer, name);
    if (!list->is_array()) {
      findings.push_back({"error", "wrong_type", at, std::string(name) + " is " + shown(*list) + ".", "A list of entries."});
      continue;
    }
    if (list->size() > kMostEntries) {
      findings.push_back({"error", "too_large", at, "There are " + std::to_string(list->size()) + " entries.",
                          "At most " + std::to_string(kMostEntries) + "."});
      continue;
    }
    for (std::size_t i = 0; i < list->size() && findings.size() < kMostFindings; ++i)
      add(kind, (*list)[i], child_pointer(at, std::to_string(i)), findings);
  }
}

void Catalogue::add(Kind kind, const Json& given, const std::string& pointer, Findings& findings) {
  const std::size_t before = findings.size();
  const Place place{pointer, findings};
  const Json& schema = compiled_in::schema(kind);
  validate(schema, schema, given, pointer, findings);
  const auto failed = [&] {
    return std::any_of(findings.begin() + static_cast<std::ptrdiff_t>(before), findings.end(),
                       [](const Finding& f) { return f.severity == "error"; });
  };
  if (!given.is_object() || failed()) return;
  check_formats(given, place);
  const std::string& id = text_of(given["id"]);
  const Json* replaces = member(given, "replaces");
  const bool replacing = replaces && *replaces == Json(true);
  auto& own = own_[static_cast<std::size_t>(kind)];
  const bool twice = std::any_of(own.begin(), own.end(), [&](const Json& entry) { return text_of(entry["id"]) == id; });
  if (twice)
    place.error("duplicate_id", "id", shown(Json(id)) + " stands in the overlay twice.", "An id names one entry.");
  else if (find(kind, id) && !replacing)
    place.error("duplicate_id", "id", "The catalogue has " + shown(Json(id)) + " already.",
                "Another id, or \"replaces\": true to take its place.");
  else if (!find(kind, id) && replacing)
    place.error("nothing_to_replace", "replaces", "The catalogue has no " + shown(Json(id)) + " to replace.",
                "Leave out \"replaces\", or correct the id.");

  Json entry = given;
  if (const Json* base_id = member(given, "dims_of")) {
    const Json* base = find_model(text_of(*base_id));
    if (base)
      compiled_in::take_dimensions(entry, *base);
    else
      place.error("unknown_model", "dims_of", "There is no model " + shown(*base_id) + ".", "The id of a model with the same dimensions.");
  }
  const Json* accelerator = member(given, "accelerator");
  if (accelerator && accelerator->is_string() && !find_accelerator(text_of(*accelerator))) {
    const auto near = suggestions(Kind::accelerators, text_of(*accelerator));
    place.error("unknown_accelerator", "accelerator", "There is no accelerator " + shown(*accelerator) + ".",
                near.empty() ? "The id of an accelerator of the catalogue or of this overlay." : "Nearest: " + in_words(near) + ".");
  }
  const Json *reported = member(given, "memory_reported_bytes"), *marketed = member(given, "memory_marketed_bytes");
  if (reported && marketed && reported->is_number() && marketed->is_number() && reported->get<double>() > marketed->get<double>() * 1.002)
    place.error("contradiction", "memory_reported_bytes", "More memory is reported than marketed.", "At most memory_marketed_bytes.");
  if (failed()) return;
  if (!entry.contains("basis")) entry["basis"] = "overlay";
  own.push_back(std::move(entry));
}

}  // namespace tunefit::json

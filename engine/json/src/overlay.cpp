// A vendor's or customer's own entries: checked by the schemas of the catalogue, then by what a schema cannot say (overlay.h).
#include "overlay.h"

#include <array>

#include "compiled_in.h"
#include "schema.h"
#include "validate.h"
#include "words.h"

namespace tunefit::json {

namespace {

// Kinds in the order in which they may refer to each other.
constexpr std::array<std::pair<Kind, const char*>, 4> kOverlayKinds = {
    {{Kind::models, "models"}, {Kind::accelerators, "accelerators"}, {Kind::systems, "systems"}, {Kind::offers, "offers"}}};

// Warnings leave room for the errors that refuse an entry.
constexpr std::size_t kMostWithWarnings = kMostFindings / 2;

std::size_t most_entries() {
  static const std::size_t most = [] {
    const Json* list = schema_at(request_schema(), "/catalogue_overlay/models");
    const Json* stated = list ? member(*list, "maxItems") : nullptr;
    return stated ? stated->get<std::size_t>() : 0;
  }();
  return most;
}

bool is_replacing(const Json& entry) {
  const Json* replaces = member(entry, "replaces");
  return replaces && *replaces == Json(true);
}

bool under(std::string_view pointer, std::string_view above) {
  return pointer.substr(0, above.size()) == above && (pointer.size() == above.size() || pointer[above.size()] == '/');
}

void unknown_kind(const std::string& pointer, const std::string& key, Findings& findings) {
  const std::string near = nearest(key, {"models", "accelerators", "systems", "offers"});
  findings.push_back({"error", "unknown_field", child_pointer(pointer, key), "The overlay has no field " + shown(Json(key)) + ".",
                      near.empty() ? "models, accelerators, systems or offers" : "Did you mean \"" + near + "\"?"});
}

}  // namespace

void Report::error(const char* code, std::string_view below, std::string message, std::string hint) {
  failed_ = true;
  if (findings_.size() < kMostFindings)
    findings_.push_back({"error", code, pointer_ + std::string(below), std::move(message), std::move(hint)});
}

void Report::warning(const char* code, std::string_view below, std::string message, std::string hint) {
  if (findings_.size() < kMostWithWarnings)
    findings_.push_back({"warning", code, pointer_ + std::string(below), std::move(message), std::move(hint)});
}

bool Report::told(std::string_view below) const {
  for (std::size_t i = first_; i < findings_.size(); ++i) {
    const auto at = std::string_view(findings_[i].pointer).substr(std::min(pointer_.size(), findings_[i].pointer.size()));
    if (under(at, below) || under(below, at)) return true;
  }
  return false;
}

void Catalogue::apply_overlay(Json overlay, Findings& findings, const std::string& pointer) {
  if (overlay.is_null()) return;
  if (!overlay.is_object()) {
    refused_all_.fill(true);
    findings.push_back({"error", "wrong_type", pointer, field_name(pointer) + " is " + shown(overlay) + ".",
                        "It must be an object with models, accelerators, systems or offers."});
    return;
  }
  for (auto it = overlay.begin(); it != overlay.end() && findings.size() < kMostFindings; ++it) {
    const bool known = std::any_of(kOverlayKinds.begin(), kOverlayKinds.end(), [&](const auto& k) { return it.key() == k.second; });
    if (!known) unknown_kind(pointer, it.key(), findings);
  }
  for (const auto& [kind, name] : kOverlayKinds) {
    if (const auto list = overlay.find(name); list != overlay.end()) add_all(kind, *list, child_pointer(pointer, name), findings);
  }
}

void Catalogue::add_all(Kind kind, Json& list, const std::string& pointer, Findings& findings) {
  const auto refuse = [&](const char* code, std::string message, std::string hint) {
    refused_all_[static_cast<std::size_t>(kind)] = true;
    findings.push_back({"error", code, pointer, field_name(pointer) + std::move(message), std::move(hint)});
  };
  if (list.is_null()) return;
  if (!list.is_array()) return refuse("wrong_type", " is " + shown(list) + ".", "It must be a list of entries.");
  if (list.size() > most_entries())
    return refuse("too_long", " has " + std::to_string(list.size()) + " entries.",
                  "It may have " + std::to_string(most_entries()) + " at most.");
  // Models that take another's dimensions come after those that have their own.
  for (const bool borrowing : {false, true}) {
    for (std::size_t i = 0; i < list.size() && findings.size() < kMostFindings; ++i) {
      if ((kind == Kind::models && list[i].is_object() && list[i].contains("dims_of")) == borrowing)
        add(kind, std::move(list[i]), pointer + '/' + std::to_string(i), findings);
    }
  }
}

void Catalogue::add(Kind kind, Json entry, const std::string& pointer, Findings& findings) {
  Report report(pointer, findings);
  const Json& schema = compiled_in::schema(kind);
  if (!validate(schema, schema, entry, pointer, findings)) report.fail();
  if (!entry.is_object()) return;
  check_plausible(schema, entry, report);
  check_names(kind, entry, report);
  if (kind == Kind::models) check_model(entry, *this, report);
  if (kind == Kind::accelerators) check_accelerator(entry, report);
  if (kind == Kind::systems || kind == Kind::offers) check_machine(entry, *this, report);
  if (!report.failed() && kind == Kind::models) {
    if (const Json* base = member(entry, "dims_of")) compiled_in::take_dimensions(entry, *find_model(text_of(*base)));
    if (const auto licence = entry.find("licence"); licence != entry.end()) compiled_in::take_licence(*licence);
    check_parameters(entry, report);
  }
  const Json* id = member(entry, "id");
  if (report.failed()) {
    if (id) refused_[static_cast<std::size_t>(kind)].insert(text_of(*id));
    return;
  }
  if (!entry.contains("basis")) entry["basis"] = "overlay";
  entry["origin"] = "overlay";
  put(kind, std::move(entry));
}

// An id names one entry; systems and offers share one set of ids, and a hub repository is the name of one model.
void Catalogue::check_names(Kind kind, const Json& entry, Report& report) const {
  const Json* given = member(entry, "id");
  if (given && !report.told("/id")) {
    const std::string& id = text_of(*given);
    const std::string quoted = shown(*given);
    const Kind other = kind == Kind::systems ? Kind::offers : Kind::systems;
    const bool shared = kind == Kind::systems || kind == Kind::offers;
    const char* known_as = other == Kind::systems ? "a system" : "an offer";
    if (is_own(kind, id))
      report.error("duplicate_id", "/id", quoted + " stands in the overlay twice.", "An id names one entry.");
    else if (shared && find(other, id))
      report.error("duplicate_id", "/id", quoted + " is the id of " + known_as + " already.", "Systems and offers share one set of ids.");
    else if (find(kind, id) && !is_replacing(entry))
      report.error("duplicate_id", "/id", "The catalogue has " + quoted + " already.",
                   "Another id, or \"replaces\": true to take its place.");
    else if (!find(kind, id) && is_replacing(entry))
      report.error("nothing_to_replace", "/replaces", "The catalogue has no " + quoted + " to replace.",
                   "Leave out \"replaces\", or correct the id.");
  }
  const Json* repository = member(entry, "hf_id");
  const Json* holder = repository && !report.told("/hf_id") ? find_model(text_of(*repository)) : nullptr;
  if (holder && !(given && *member(*holder, "id") == *given))
    report.error("duplicate_id", "/hf_id", "The model " + shown(*member(*holder, "id")) + " is " + shown(*repository) + " already.",
                 "The repository of this model, or none; or that model's id with \"replaces\": true.");
}

}  // namespace tunefit::json

#include "resolve.h"

#include "contradictions.h"
#include "headers.h"
#include "hf_config.h"
#include "model.h"
#include "size_only.h"
#include "validate.h"
#include "words.h"

namespace tunefit::json {

namespace {

constexpr const char* kModel = "/model";

std::string ids_hint(const Catalogue& catalogue, Kind kind, std::string_view id, const char* otherwise) {
  auto near = catalogue.suggestions(kind, id);
  std::string hint = near.empty() ? "" : "Nearest: " + in_words(near) + ". ";
  return hint + otherwise;
}

bool from_entry(const Json& entry, const char* pointer, ResolvedModel& model, Findings& findings) {
  std::string why_not;
  if (read_architecture(entry, model.architecture, why_not)) return true;
  model.architecture = {};  // a half-read one is none
  findings.push_back({"error", "not_supported_yet", pointer, "This model cannot be sized: " + why_not + ".",
                      "Its config.json may say more: give {\"name\": ..., \"config\": {...}}."});
  return false;
}

bool from_catalogue(const std::string& id, const Catalogue& catalogue, ResolvedModel& model, Findings& findings) {
  const Json* entry = catalogue.find_model(id);
  if (!entry) {
    findings.push_back(
        {"error", "unknown_model", kModel, "No model " + shown(id) + " is known.",
         ids_hint(catalogue, Kind::models, id,
                  "Give a catalogue or Hugging Face id, or {\"name\": ..., \"config\": {...}} with the model's config.json.")});
    return false;
  }
  const auto text = [&](const char* key) {
    const Json* value = member(*entry, key);
    return value ? text_of(*value) : std::string();
  };
  model.basis = "catalogue";
  model.id = text("id");
  model.hf_id = text("hf_id");
  model.name = text("name");
  return from_entry(*entry, kModel, model, findings);
}

// Findings of a reader, with pointers into the request.
void take(Findings& own, const char* pointer, Findings& findings) {
  for (auto& finding : own) {
    finding.pointer = pointer + finding.pointer;
    findings.push_back(std::move(finding));
  }
  own.clear();
}

// A model known by its size alone: stated, or counted from the headers.
bool from_size(double parameters, const char* pointer, const Catalogue& catalogue, ResolvedModel& model, Findings& findings,
               std::vector<Assumption>& assumptions) {
  Json entry;
  std::string because;
  if (!entry_of_size(parameters, catalogue, entry, because)) {
    findings.push_back({"error", "out_of_range", pointer, "No usual model has " + number_text(parameters) + " parameters.",
                        "a number from 1e6 to 1e13, or the model's config.json"});
    return false;
  }
  model.basis = "size_only";
  assumptions.push_back({pointer, parameters, because, ""});
  return from_entry(entry, pointer, model, findings);
}

bool from_config(const Json& given, const Catalogue& catalogue, ResolvedModel& model, Findings& findings,
                 std::vector<Assumption>& assumptions) {
  const Json* name = member(given, "name");
  const Json* config = member(given, "config");
  const Json* headers = member(given, "safetensors_index");
  model.id = name ? text_of(*name) : "own model";
  Findings own;
  Json facts;
  if (headers && !read_headers(*headers, facts, own)) return take(own, "/model/safetensors_index", findings), false;
  take(own, "/model/safetensors_index", findings);
  if (!config) {
    if (const Json* size = member(given, "parameters"); size && size->is_number())
      return from_size(size->get<double>(), "/model/parameters", catalogue, model, findings, assumptions);
    if (const Json* size = headers ? member(facts, "parameters") : nullptr; size && size->is_number())
      return from_size(size->get<double>(), "/model/safetensors_index", catalogue, model, findings, assumptions);
    findings.push_back(
        {"error", "required", "/model/config", "The model's config.json is missing.",
         "Give the text of its config.json as \"config\", its number of parameters as \"parameters\" for a rough answer, or a "
         "catalogue or Hugging Face id as text."});
    return false;
  }
  model.basis = "config";
  Json entry;
  const bool read = entry_from_hf_config(*config, entry, own);
  take(own, "/model/config", findings);
  if (!read) return false;
  if (headers && apply_headers(entry, facts, own)) model.basis = "safetensors";
  take(own, "/model/safetensors_index", findings);
  return from_entry(entry, "/model/config", model, findings);
}

void warn_of_software(const Json& entry, const Resolved& resolved, Findings& findings) {
  const auto missing = unsupported_on(entry, resolved.recipe);
  if (missing.empty()) return;
  findings.push_back({"warning", "not_on_accelerator", "/placement/accelerator",
                      resolved.place.accelerator + " does not run " + in_words(missing) + ", which this recipe uses.",
                      "Choose another accelerator, or change the recipe."});
}

}  // namespace

bool resolve_model(const Json& request, const Catalogue& catalogue, ResolvedModel& model, std::vector<Assumption>& assumptions,
                   Findings& findings) {
  const Json* given = member(request, "model");
  if (!given) return false;
  if (given->is_string()) return from_catalogue(text_of(*given), catalogue, model, findings);
  return given->is_object() && from_config(*given, catalogue, model, findings, assumptions);
}

bool resolve_place(const Json& request, const Catalogue& catalogue, ResolvedPlace& place, std::vector<Assumption>& assumptions,
                   Findings& findings) {
  const Json* placement = member(request, "placement");
  const auto stated = [&](const char* key) -> const Json* {
    const Json* value = placement ? member(*placement, key) : nullptr;
    return value && !value->is_null() ? value : nullptr;
  };
  const Json* system = stated("system");
  const Json* accelerator = stated("accelerator");
  std::string pointer = "/placement/accelerator";
  if (accelerator) place.accelerator = text_of(*accelerator);
  if (system) {
    place.system = text_of(*system);
    const Json* entry = catalogue.find_system(place.system);
    if (!entry) {
      findings.push_back(
          {"error", "unknown_system", "/placement/system", "No system " + shown(*system) + " is known.",
           ids_hint(catalogue, Kind::systems, place.system, "Give a catalogue id, or add the system to catalogue_overlay.")});
      return false;
    }
    const Json* its = member(*entry, "accelerator");
    const std::string id = its ? text_of(*its) : "";
    if (id.empty()) {
      findings.push_back({"error", "no_accelerator", "/placement/system", "The system " + shown(*system) + " has no accelerator.",
                          "Name a system that has one."});
      return false;
    }
    if (accelerator && catalogue.find_accelerator(place.accelerator) != catalogue.find_accelerator(id)) {
      findings.push_back({"error", "contradiction", "/placement/accelerator",
                          "The system " + shown(*system) + " has " + id + ", not " + shown(*accelerator) + ".", "Name one of the two."});
      return false;
    }
    place.accelerator = id;
    if (!accelerator) pointer = "/placement/system";
    if (!stated("accelerators"))
      assumptions.push_back({"/placement/accelerators", 1, "one accelerator of the system; runs over several are not sized yet", ""});
  }
  if (place.accelerator.empty()) {
    place.read = typical_accelerator();
    assumptions.push_back(
        {"/placement/accelerator", nullptr, "none is named: context and workspace of a usual one, no verdict", place.read.context_because});
    return true;
  }
  const Json* entry = catalogue.find_accelerator(place.accelerator);
  if (!entry) {
    findings.push_back(
        {"error", "unknown_accelerator", pointer, "No accelerator " + shown(Json(place.accelerator)) + " is known.",
         ids_hint(catalogue, Kind::accelerators, place.accelerator, "Give a catalogue id, or add the accelerator to catalogue_overlay.")});
    return false;
  }
  std::string why_not;
  if (!read_accelerator(*entry, place.read, why_not)) {
    findings.push_back({"error", "not_supported_yet", pointer, "Nothing can be sized on " + place.accelerator + ": " + why_not + ".",
                        "Name an accelerator that runs CUDA or ROCm."});
    return false;
  }
  assumptions.push_back({"/placement", Json{{"context_bytes", place.read.accelerator.context.value}},
                         "memory that the driver's context and its loaded kernels take", place.read.context_because});
  place.given = true;
  place.accelerator = place.read.accelerator.id;
  auto& capacity = place.read.accelerator.capacity;
  if (!place.read.accelerator.capacity_reported)
    assumptions.push_back(
        {"/placement/accelerator", capacity.value, "usable bytes: no source says what the driver reports", place.read.capacity_because});
  else if (place.read.shared_with_host)
    assumptions.push_back({"/placement/accelerator", capacity.value,
                           "usable bytes: all that the driver reports, though the operating system shares them and needs some; state "
                           "memory_used_by_others_bytes",
                           place.read.capacity_because});
  if (const Json* others = stated("memory_used_by_others_bytes"); others && others->is_number()) {
    const auto used = static_cast<std::int64_t>(others->get<double>());
    if (used >= capacity.value) {
      findings.push_back({"error", "no_memory_left", "/placement/memory_used_by_others_bytes",
                          "Others use all of the accelerator's " + std::to_string(capacity.value) + " bytes.",
                          "Give the bytes that something else holds on it."});
      return false;
    }
    capacity -= Bytes(used);
  }
  return true;
}

bool resolve(const Json& request, const Catalogue& catalogue, Resolved& out, Findings& findings) {
  const bool model = resolve_model(request, catalogue, out.model, out.assumptions, findings);
  const bool place = resolve_place(request, catalogue, out.place, out.assumptions, findings);
  const bool recipe = resolve_recipe(request, catalogue, out.model, out, findings);
  if (place && recipe && out.place.given) warn_of_software(*catalogue.find_accelerator(out.place.accelerator), out, findings);
  return model && place && recipe;
}

}  // namespace tunefit::json

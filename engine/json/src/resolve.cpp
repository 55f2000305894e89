#include "resolve.h"

#include "contradictions.h"
#include "hf_config.h"
#include "model.h"
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
  findings.push_back({"error", "not_supported_yet", pointer, "This model cannot be sized yet: " + why_not + ".",
                      "Dense decoder models can be sized now."});
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

bool from_config(const Json& given, ResolvedModel& model, Findings& findings) {
  const Json* name = member(given, "name");
  const Json* config = member(given, "config");
  model.basis = "config";
  model.id = name ? text_of(*name) : "own model";
  if (!config) {
    const bool sized = member(given, "parameters") != nullptr;
    findings.push_back({"error", sized ? "not_supported_yet" : "required", "/model/config",
                        sized ? "A model known by its size alone cannot be sized yet." : "The model's config.json is missing.",
                        "Give the text of its config.json as \"config\", or a catalogue or Hugging Face id as text."});
    return false;
  }
  Json entry;
  Findings own;
  const bool read = entry_from_hf_config(*config, entry, own);
  for (auto& finding : own) {
    finding.pointer = "/model/config" + finding.pointer;
    findings.push_back(std::move(finding));
  }
  return read && from_entry(entry, "/model/config", model, findings);
}

void warn_of_software(const Json& entry, const Resolved& resolved, Findings& findings) {
  const auto missing = unsupported_on(entry, resolved.recipe);
  if (missing.empty()) return;
  findings.push_back({"warning", "not_on_accelerator", "/placement/accelerator",
                      resolved.place.accelerator + " does not run " + in_words(missing) + ", which this recipe uses.",
                      "Choose another accelerator, or change the recipe."});
}

}  // namespace

bool resolve_model(const Json& request, const Catalogue& catalogue, ResolvedModel& model, Findings& findings) {
  const Json* given = member(request, "model");
  if (!given) return false;
  if (given->is_string()) return from_catalogue(text_of(*given), catalogue, model, findings);
  return given->is_object() && from_config(*given, model, findings);
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
  const bool model = resolve_model(request, catalogue, out.model, findings);
  const bool place = resolve_place(request, catalogue, out.place, out.assumptions, findings);
  const bool recipe = resolve_recipe(request, catalogue, out.model, out, findings);
  if (place && recipe && out.place.given) warn_of_software(*catalogue.find_accelerator(out.place.accelerator), out, findings);
  return model && place && recipe;
}

}  // namespace tunefit::json

#include "tunefit/json/api.h"

#include <algorithm>

#include "answer.h"
#include "calibration.h"
#include "embedded.h"
#include "import.h"
#include "measured.h"
#include "parse.h"
#include "validate.h"
#include "words.h"

namespace tunefit::json {

namespace {

bool concerns(const Finding& f, std::string_view part) { return f.severity == "error" && f.pointer.compare(0, part.size(), part) == 0; }

bool any_concerns(const Findings& findings, std::string_view part) {
  for (const Finding& f : findings)
    if (concerns(f, part)) return true;
  return false;
}

// A request with wrong fields still gets told that its model or accelerator is unknown.
void look_up(const Json& request, const Catalogue& catalogue, Findings& findings) {
  Resolved out;
  if (!any_concerns(findings, "/model")) resolve_model(request, catalogue, out.model, out.assumptions, findings);
  if (!any_concerns(findings, "/placement")) resolve_place(request, catalogue, out.place, out.assumptions, findings);
}

// Takes the overlay out of a request or call, so that its entries are checked whatever else is wrong, and not copied.
Json take_overlay(Json& document) {
  const auto overlay = document.find("catalogue_overlay");
  if (overlay == document.end()) return nullptr;
  Json taken = std::move(*overlay);
  document.erase(overlay);
  return taken;
}

// "Not known" of what stands in the overlay, but with an error of its own, would only mislead.
void drop_consequences(const Json& request, const Catalogue& catalogue, Findings& findings) {
  const auto refused = [&](const Finding& f) {
    const Json* id = at_pointer(request, f.pointer);
    if (!id) return false;
    return (f.code == "unknown_model" && catalogue.refused(Kind::models, text_of(*id))) ||
           (f.code == "unknown_accelerator" && catalogue.refused(Kind::accelerators, text_of(*id))) ||
           (f.code == "unknown_system" && catalogue.refused(Kind::systems, text_of(*id)));
  };
  findings.erase(std::remove_if(findings.begin(), findings.end(), refused), findings.end());
}

// What of the answer rests on entries of the overlay.
void tell_own(const Catalogue& catalogue, Resolved& resolved) {
  const auto tell = [&](Kind kind, const std::string& id, const char* pointer) {
    if (!catalogue.is_own(kind, id)) return;
    const Json& entry = *catalogue.find(kind, id);
    std::vector<std::string> sources;
    if (const Json* stated = member(entry, "sources")) sources = names_of(*stated);
    resolved.assumptions.push_back({pointer, id,
                                    member(entry, "replaces") ? "as the overlay describes it, in place of the catalogue's entry"
                                                              : "as the overlay describes it; no entry of the catalogue",
                                    shortened(in_words(sources, "and"), 1000)});
  };
  if (resolved.model.basis == "catalogue") tell(Kind::models, resolved.model.id, "/model");
  tell(Kind::systems, resolved.place.system, "/placement/system");
  tell(Kind::accelerators, resolved.place.accelerator, "/placement/accelerator");
}

bool read_call(std::string_view text, Json& call, Findings& findings) {
  if (!parse(text, call, findings)) return false;
  if (call.is_object()) return true;
  findings.push_back({"error", "wrong_type", "", "The call is " + shown(call) + ".", "It must be an object with a field \"kind\"."});
  return false;
}

// A text field of a call; a finding if it is missing though required, or no text.
void read_text(const Json& call, const char* name, bool required, std::string& out, Findings& findings) {
  const Json* value = member(call, name);
  if (value && value->is_string()) {
    out = text_of(*value);
  } else if (value || required) {
    findings.push_back({"error", value ? "wrong_type" : "required", child_pointer("", name),
                        std::string(name) + (value ? " is " + shown(*value) : " is missing") + ".", "It must be text."});
  }
}

void unknown_kind(const std::string& kind, const std::vector<std::string>& known, Findings& findings) {
  const auto near = nearest(kind, known);
  findings.push_back({"error", "unknown_value", "/kind", "There is no kind " + shown(Json(kind)) + ".",
                      (near.empty() ? "" : "Did you mean \"" + near + "\"? ") + "Known: " + in_words(known, "and") + "."});
}

}  // namespace

std::string size(std::string_view text) {
  Findings findings;
  Json request;
  if (!parse(text, request, findings)) return write_errors(findings);
  Catalogue catalogue;
  Json overlay = take_overlay(request);
  const bool valid = validate(request_schema(), request_schema(), request, "", findings);
  catalogue.apply_overlay(std::move(overlay), findings);
  if (!valid) {
    if (request.is_object()) look_up(request, catalogue, findings);
    drop_consequences(request, catalogue, findings);
    return write_errors(findings);
  }
  Resolved resolved;
  if (!resolve(request, catalogue, resolved, findings) || has_error(findings)) {
    drop_consequences(request, catalogue, findings);
    return write_errors(findings);
  }
  tell_own(catalogue, resolved);

  const auto estimate = estimate_memory(resolved.model.architecture, resolved.recipe, resolved.place.read.accelerator, calibration());
  if (!estimate) {
    findings.push_back({"error", "beyond_accelerators", "/recipe/sequence_length",
                        "With this batch and sequence length a single tensor would exceed any accelerator by far.",
                        "Lower per_device_train_batch_size or sequence_length."});
    return write_errors(findings);
  }
  if (estimate->managed.value > 0) {
    findings.push_back(
        {"warning", "paged_optimizer", "/recipe/optimizer",
         std::to_string(estimate->managed.value) + " bytes of optimizer state are paged: they leave the accelerator where it is full.",
         "The host needs that much free RAM, and a step slows down by what is moved; the verdict counts on it."});
  }
  if (!is_measured_kind(resolved.model.architecture, resolved.recipe))
    resolved.assumptions.push_back(
        {"", "provisional",
         "intervals and fit probability: no run of this kind is among the measurements, so they have the spread of others", ""});
  return write_answer(resolved, *estimate, wanted_parts(request), request, catalogue, findings);
}

std::string catalogue(std::string_view text) {
  Findings findings;
  Json call;
  std::string kind, query, detail;
  if (!read_call(text, call, findings)) return write_errors(findings);
  read_text(call, "kind", true, kind, findings);
  read_text(call, "query", false, query, findings);
  read_text(call, "detail", false, detail, findings);
  if (has_error(findings)) return write_errors(findings);
  if (kind == "schema") return std::string("[").append(embedded::kRequestSchema).append("]");
  const auto known = kind_from_name(kind);
  if (!known) {
    unknown_kind(kind, {"models", "accelerators", "systems", "offers", "frameworks", "glossary", "rules", "schema"}, findings);
    return write_errors(findings);
  }
  Catalogue catalogue;
  catalogue.apply_overlay(take_overlay(call), findings);
  if (has_error(findings)) return write_errors(findings);
  return catalogue.list(*known, query, detail == "summary" ? Detail::summary : Detail::full)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string import(std::string_view text) {
  static const std::vector<std::string> kLater{"axolotl",    "llama-factory", "trl", "torchtune",     "deepspeed",
                                               "accelerate", "ms-swift",      "oom", "trainer-state", "smi-log"};
  Findings findings;
  Json call;
  std::string kind, content, name;
  if (!read_call(text, call, findings)) return write_errors(findings);
  read_text(call, "kind", true, kind, findings);
  read_text(call, "text", true, content, findings);
  read_text(call, "name", false, name, findings);
  if (has_error(findings)) return write_errors(findings);
  using Import = std::string (*)(const std::string& text, const std::string& name, Findings&);
  static const std::vector<std::pair<std::string, Import>> kReaders{{"hf-config", import_hf_config},
                                                                    {"safetensors-index", import_safetensors},
                                                                    {"safetensors-header", import_safetensors},
                                                                    {"gguf", import_gguf}};
  for (const auto& [known, read] : kReaders) {
    if (kind != known) continue;
    const std::string imported = read(content, name, findings);
    return imported.empty() ? write_errors(findings) : imported;
  }
  for (const auto& later : kLater) {
    if (kind != later) continue;
    findings.push_back({"error", "not_supported_yet", "/kind", kind + " cannot be read yet.",
                        "Supported now: hf-config, safetensors-index, safetensors-header, gguf."});
    return write_errors(findings);
  }
  unknown_kind(kind, {"hf-config", "safetensors-index", "safetensors-header", "gguf"}, findings);
  return write_errors(findings);
}

std::string measured() { return measured_runs(); }

std::string version() {
  Writer w;
  w.begin_object();
  write_versions(w);
  w.field("schema", "tunefit.request/1");
  w.end_object();
  return w.take();
}

}  // namespace tunefit::json

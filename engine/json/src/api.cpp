#include "tunefit/json/api.h"

#include "answer.h"
#include "embedded.h"
#include "import.h"
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
  if (!any_concerns(findings, "/model")) resolve_model(request, catalogue, out.model, findings);
  if (!any_concerns(findings, "/placement")) resolve_place(request, catalogue, out.place, out.assumptions, findings);
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
  const bool valid = validate(request_schema(), request_schema(), request, "", findings);
  if (const Json* overlay = request.is_object() ? member(request, "catalogue_overlay") : nullptr;
      overlay && overlay->is_object() && !any_concerns(findings, "/catalogue_overlay"))
    catalogue.apply_overlay(*overlay, findings);
  if (!valid) {
    if (request.is_object()) look_up(request, catalogue, findings);
    return write_errors(findings);
  }
  Resolved resolved;
  if (!resolve(request, catalogue, resolved, findings) || has_error(findings)) return write_errors(findings);

  const auto estimate = estimate_memory(resolved.model.architecture, resolved.recipe, resolved.place.read.accelerator);
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
  resolved.assumptions.push_back(
      {"", "provisional", "intervals and fit probability: one spread for all runs, not yet calibrated by class of run", ""});
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
    unknown_kind(kind, {"models", "accelerators", "systems", "offers", "frameworks", "schema"}, findings);
    return write_errors(findings);
  }
  Catalogue catalogue;
  if (const Json* overlay = member(call, "catalogue_overlay"); overlay && !overlay->is_null()) {
    const Json* schema = schema_at(request_schema(), "/catalogue_overlay");
    if (schema && validate(*schema, request_schema(), *overlay, "/catalogue_overlay", findings))
      catalogue.apply_overlay(*overlay, findings);
  }
  if (has_error(findings)) return write_errors(findings);
  return catalogue.list(*known, query, detail == "summary" ? Detail::summary : Detail::full)
      .dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string import(std::string_view text) {
  static const std::vector<std::string> kLater{
      "safetensors-index", "safetensors-header", "gguf",     "axolotl", "llama-factory", "trl",    "torchtune",
      "deepspeed",         "accelerate",         "ms-swift", "oom",     "trainer-state", "smi-log"};
  Findings findings;
  Json call;
  std::string kind, content, name;
  if (!read_call(text, call, findings)) return write_errors(findings);
  read_text(call, "kind", true, kind, findings);
  read_text(call, "text", true, content, findings);
  read_text(call, "name", false, name, findings);
  if (has_error(findings)) return write_errors(findings);
  if (kind == "hf-config") {
    const std::string imported = import_hf_config(content, name, findings);
    return imported.empty() ? write_errors(findings) : imported;
  }
  for (const auto& later : kLater) {
    if (kind != later) continue;
    findings.push_back(
        {"error", "not_supported_yet", "/kind", kind + " cannot be read yet.", "Supported now: hf-config (the model's config.json)."});
    return write_errors(findings);
  }
  unknown_kind(kind, {"hf-config"}, findings);
  return write_errors(findings);
}

std::string version() {
  Writer w;
  w.begin_object();
  write_versions(w);
  w.field("schema", "tunefit.request/1");
  w.end_object();
  return w.take();
}

}  // namespace tunefit::json

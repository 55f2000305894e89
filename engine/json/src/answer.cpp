#include "answer.h"

#include <algorithm>

#include "calibration.h"
#include "embedded.h"
#include "measured.h"
#include "tunefit/explain.h"
#include "tunefit/version.h"

namespace tunefit::json {

namespace {

// Items of a phase that are there, in the order of the enum; with the id of their explanation in the breakdown.
void write_items(Writer& w, const char* name, const ItemBytes& items, bool explain) {
  w.key(name);
  w.begin_array();
  for (int i = 0; i < kItems; ++i) {
    const std::int64_t bytes = items[static_cast<std::size_t>(i)];
    if (bytes == 0) continue;
    const auto item = static_cast<Item>(i);
    w.begin_object();
    w.field("item", item_name(item));
    w.field("bytes", bytes);
    if (explain) w.field("explain", explanation_id(item));
    w.end_object();
  }
  w.end_array();
}

void write_model(Writer& w, const ResolvedModel& model, const MemoryEstimate& m) {
  w.key("model");
  w.begin_object();
  w.field("id", model.id);
  if (!model.hf_id.empty()) w.field("hf_id", model.hf_id);
  if (!model.name.empty()) w.field("name", model.name);
  w.field("parameters", m.parameters);
  w.field("trainable_parameters", m.trainable_parameters);
  w.field("basis", model.basis);
  w.end_object();
}

void write_framework(Writer& w, const Resolved& resolved) {
  w.key("framework");
  w.begin_object();
  w.field("id", resolved.framework);
  w.field("versions", resolved.versions);
  w.key("habits");
  w.begin_array();
  for (const auto& habit : resolved.habits) {
    w.begin_object();
    w.field("habit", habit.name);
    w.field("value", habit.value);
    if (!habit.source.empty()) w.field("source", habit.source);
    w.end_object();
  }
  w.end_array();
  w.end_object();
}

void write_memory(Writer& w, const Resolved& resolved, const MemoryEstimate& m) {
  w.key("memory");
  w.begin_object();
  w.key("peak");
  w.begin_object();
  write_interval(w, "allocated", m.allocated);
  write_interval(w, "reserved", m.reserved);
  write_interval(w, "device", m.device);
  w.end_object();
  w.field("interval_basis", is_measured_kind(resolved.model.architecture, resolved.recipe) ? "calibrated" : "provisional");
  w.field("binding_phase", phase_name(m.binding_phase));
  w.key("timeline");
  w.begin_array();
  for (const PhasePeak& phase : m.timeline) {
    w.begin_object();
    w.field("phase", phase_name(phase.phase));
    w.field("bytes", phase.bytes.value);
    write_items(w, "items", phase.items, false);
    w.end_object();
  }
  w.end_array();
  const auto binding = std::find_if(m.timeline.begin(), m.timeline.end(), [&](const PhasePeak& p) { return p.phase == m.binding_phase; });
  write_items(w, "breakdown", binding == m.timeline.end() ? ItemBytes{} : binding->items, true);
  if (resolved.place.given) {
    const Accelerator& accelerator = resolved.place.read.accelerator;
    const Fit f = fit(m, accelerator, calibration());
    w.field("accelerator", accelerator.id);
    w.field("capacity_bytes", accelerator.capacity.value);
    w.field("capacity_basis", accelerator.capacity_reported ? "reported" : "assumed");
    w.field("headroom", f.headroom);
    w.field("fit_probability", f.probability);
    w.field("verdict", verdict_name(f.verdict));
  }
  w.end_object();
}

void write_assumptions(Writer& w, const std::vector<Assumption>& assumptions) {
  w.key("assumptions");
  w.begin_array();
  for (const Assumption& a : assumptions) {
    w.begin_object();
    w.field("pointer", a.pointer);
    w.field("value", a.value);
    w.field("because", a.because);
    if (!a.source.empty()) w.field("source", a.source);
    w.end_object();
  }
  w.end_array();
}

void write_explain(Writer& w, const Resolved& resolved, const MemoryEstimate& m) {
  w.key("explain");
  w.begin_object();
  for (const Explanation& e : explain_memory(resolved.model.architecture, resolved.recipe, resolved.place.read.accelerator, m)) {
    w.key(e.id);
    w.begin_object();
    w.field("formula", e.formula);
    w.key("inputs");
    w.begin_object();
    for (const auto& [name, value] : e.inputs) w.field(name, value);
    w.end_object();
    w.field("source", e.source);
    w.end_object();
  }
  w.end_object();
}

}  // namespace

Wanted wanted_parts(const Json& request) {
  const Json* stated = member(request, "want");
  if (!stated || !stated->is_array()) return {true, false, true, false};
  const auto wants = [&](const char* part) { return std::find(stated->begin(), stated->end(), part) != stated->end(); };
  return {wants("memory"), wants("fit"), wants("explain"), wants("nearest_measured")};
}

void write_interval(Writer& w, const char* name, const Interval& interval) {
  w.key(name);
  w.begin_object();
  w.field("expected", interval.expected);
  w.field("low", interval.low);
  w.field("high", interval.high);
  w.end_object();
}

void write_versions(Writer& w) {
  w.field("engine_version", kEngineVersion);
  w.key("catalogue");
  w.begin_object();
  w.field("version", embedded::kVersion);
  w.field("date", embedded::kDate);
  w.end_object();
}

std::string write_answer(const Resolved& resolved, const MemoryEstimate& m, const Wanted& wanted, const Json& request,
                         const Catalogue& catalogue, const Findings& warnings) {
  Writer w;
  w.begin_object();
  w.field("schema", "tunefit.answer/1");
  write_versions(w);
  write_model(w, resolved.model, m);
  write_framework(w, resolved);
  if (wanted.memory) write_memory(w, resolved, m);
  if (wanted.fit) write_fit(w, resolved, m, request, catalogue);
  if (wanted.nearest) write_nearest(w, resolved, catalogue);
  write_assumptions(w, resolved.assumptions);
  write_findings(w, warnings);
  if (wanted.explain) write_explain(w, resolved, m);
  w.end_object();
  return w.take();
}

void write_findings(Writer& w, const Findings& findings) {
  w.key("findings");
  w.begin_array();
  for (const Finding& f : findings) {
    w.begin_object();
    w.field("severity", f.severity);
    w.field("code", f.code);
    w.field("pointer", f.pointer);
    w.field("message", f.message);
    w.field("hint", f.hint);
    w.end_object();
  }
  w.end_array();
}

std::string write_errors(const Findings& findings) {
  const auto first = std::find_if(findings.begin(), findings.end(), [](const Finding& f) { return f.severity == "error"; });
  Writer w;
  w.begin_object();
  w.key("error");
  w.begin_object();
  if (first != findings.end()) {
    w.field("code", first->code);
    w.field("pointer", first->pointer);
    w.field("message", first->message);
    w.field("hint", first->hint);
  }
  w.end_object();
  write_findings(w, findings);
  w.end_object();
  return w.take();
}

}  // namespace tunefit::json

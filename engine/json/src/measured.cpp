#include "measured.h"

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>
#include <vector>

#include "answer.h"
#include "calibration.h"
#include "embedded.h"
#include "recipe_names.h"
#include "schema.h"
#include "tunefit/memory.h"

namespace tunefit::json {

namespace {

constexpr std::size_t kNearest = 5;

// What makes two runs alike.
struct Traits {
  std::string model, framework, method, accelerator, optimizer, loss, attention, checkpointing, scheme;
  double parameters = 0, batch = 1, length = 1, rank = 0;
};

struct Run {
  Json request;
  std::string id, source, family, quality, model, counter;
  double bytes = 0, besides = 0;  // of the device figure, what something else held
  bool oom = false;
  Traits traits;
};

double number_of(const Json* value) { return value && value->is_number() ? value->get<double>() : 0; }
std::string text_at(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value ? text_of(*value) : std::string();
}

std::string model_name(const Json& model) { return model.is_string() ? text_of(model) : text_at(model, "name"); }

// The cases state every setting.
Traits stated_traits(const Json& request, const std::string& model) {
  const Json& recipe = request["recipe"];
  Traits t;
  t.model = model;
  t.framework = text_at(recipe, "framework");
  t.method = text_at(recipe, "method");
  t.accelerator = text_at(request["placement"], "accelerator");
  const auto optimizer = from_name<Optimizer>(text_at(recipe, "optimizer"));
  t.optimizer = optimizer ? name_of(*optimizer) : "";
  t.loss = text_at(recipe, "loss_variant");
  t.attention = text_at(recipe, "attention");
  t.checkpointing = text_at(recipe, "gradient_checkpointing");
  if (const Json* quantization = member(recipe, "quantization")) t.scheme = text_at(*quantization, "scheme");
  t.batch = number_of(member(recipe, "per_device_train_batch_size"));
  t.length = number_of(member(recipe, "sequence_length"));
  if (const Json* lora = member(recipe, "lora")) t.rank = number_of(member(*lora, "r"));
  return t;
}

Traits traits_of(const Resolved& resolved) {
  const Recipe& r = resolved.recipe;
  Traits t;
  t.model = resolved.model.hf_id.empty() ? resolved.model.id : resolved.model.hf_id;
  t.framework = resolved.framework;
  t.method = r.lora && r.lora->kind != AdapterKind::lora ? name_of(r.lora->kind) : name_of(r.method);
  t.accelerator = resolved.place.accelerator;
  t.optimizer = name_of(r.optimizer);
  t.loss = name_of(r.loss);
  t.attention = name_of(r.attention);
  t.checkpointing = name_of(r.checkpointing);
  if (r.quantization) t.scheme = name_of(r.quantization->scheme);
  t.parameters = static_cast<double>(parameter_count(resolved.model.architecture));
  t.batch = static_cast<double>(r.batch);
  t.length = static_cast<double>(r.sequence_length);
  if (r.lora) t.rank = static_cast<double>(r.lora->r);
  return t;
}

// How far apart, and the pointers that differ. The weights only order runs: what decides memory most counts most.
double distance(const Traits& own, const Traits& other, std::vector<const char*>* differs) {
  double sum = 0;
  const auto tell = [&](bool is, const char* pointer, double weight) {
    if (!is) return;
    sum += weight;
    if (differs) differs->push_back(pointer);
  };
  const auto octaves = [](double a, double b) { return a > 0 && b > 0 ? std::fabs(std::log2(a / b)) : 1.0; };
  tell(own.model != other.model, "/model", 0.2 + octaves(own.parameters, other.parameters));
  tell(own.method != other.method, "/recipe/method", 3);
  tell(own.scheme != other.scheme, "/recipe/quantization/scheme", own.scheme.empty() || other.scheme.empty() ? 2 : 1);
  tell(own.checkpointing != other.checkpointing, "/recipe/gradient_checkpointing",
       own.checkpointing == "none" || other.checkpointing == "none" ? 2 : 0.3);
  tell(own.batch != other.batch, "/recipe/per_device_train_batch_size", 0.1 + 0.5 * octaves(own.batch, other.batch));
  tell(own.length != other.length, "/recipe/sequence_length", 0.1 + 0.5 * octaves(own.length, other.length));
  tell(own.framework != other.framework, "/recipe/framework", 0.6);
  tell(own.loss != other.loss, "/recipe/loss_variant", 0.4);
  tell(own.optimizer != other.optimizer, "/recipe/optimizer", 0.4);
  tell(own.attention != other.attention, "/recipe/attention", 0.2);
  tell(own.rank != other.rank && own.rank > 0 && other.rank > 0, "/recipe/lora/r", 0.1 * octaves(own.rank, other.rank));
  tell(own.accelerator != other.accelerator, "/placement/accelerator", 0.1);
  return sum;
}

Run run_of(const Json& c, const Json& all) {
  Run m;
  const Json& model = all["models"][c["model"].get<std::size_t>()];
  const Json& measured = c["measured"];
  m.request = c["request"];
  m.request["model"] = model;
  m.id = text_of(c["id"]);
  m.source = text_of(all["sources"][c["source"].get<std::size_t>()]);
  m.family = text_of(c["family"]);
  m.quality = text_of(c["quality"]);
  m.model = model_name(model);
  m.counter = text_of(measured["counter"]);
  m.oom = measured["oom"] == Json(true);
  m.bytes = number_of(member(measured, "bytes"));
  m.besides = number_of(member(measured, "baseline_bytes"));
  m.traits = stated_traits(m.request, m.model);
  return m;
}

// Parsed on first use; each model is read once.
const std::vector<Run>& runs() {
  static const auto list = [] {
    const Json all = Json::parse(embedded::kMeasured, nullptr, false);
    const Catalogue catalogue;
    std::vector<double> parameters;
    for (const Json& model : all["models"]) {
      ResolvedModel read;
      std::vector<Assumption> assumptions;
      Findings findings;
      const bool known = resolve_model({{"model", model}}, catalogue, read, assumptions, findings);
      parameters.push_back(known ? static_cast<double>(parameter_count(read.architecture)) : 0);
    }
    std::vector<Run> out;
    for (const Json& c : all["cases"]) {
      out.push_back(run_of(c, all));
      out.back().traits.parameters = parameters[c["model"].get<std::size_t>()];
    }
    return out;
  }();
  return list;
}

// Where the source does not tell which counter it read, the device's; where something else held memory too, the rest is the run's.
const Interval& predicted(const MemoryEstimate& m, const Run& run) {
  if (run.besides > 0 || run.counter == "reserved") return m.reserved;
  return run.counter == "allocated" ? m.allocated : m.device;
}

struct Sized {
  MemoryEstimate memory;
  Verdict verdict = Verdict::no;
};

std::optional<Sized> sized(const Run& run, const Catalogue& catalogue) {
  Resolved resolved;
  Findings findings;
  if (!resolve(run.request, catalogue, resolved, findings)) return std::nullopt;
  const Accelerator& device = resolved.place.read.accelerator;
  const auto m = estimate_memory(resolved.model.architecture, resolved.recipe, device, calibration());
  if (!m) return std::nullopt;
  return Sized{*m, fit(*m, device, calibration()).verdict};
}

void write_run(Writer& w, const Run& run, const MemoryEstimate& m) {
  w.field("id", run.id);
  w.field("source", run.source);
  w.field("counter", run.counter);
  if (!run.oom) w.field("measured", run.bytes - run.besides);
  write_interval(w, "predicted", predicted(m, run));
}

}  // namespace

void write_nearest(Writer& w, const Resolved& resolved, const Catalogue& catalogue) {
  const Traits own = traits_of(resolved);
  std::vector<std::pair<double, const Run*>> order;
  for (const Run& run : runs())
    if (!run.oom) order.emplace_back(distance(own, run.traits, nullptr) + (run.quality == "C" ? 1 : 0), &run);
  std::stable_sort(order.begin(), order.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  w.key("nearest_measured");
  w.begin_array();
  std::vector<const Run*> told;
  for (const auto& [far, run] : order) {
    if (told.size() == kNearest) break;
    const auto same = [&run = run](const Run* other) { return other->request == run->request && other->counter == run->counter; };
    if (std::any_of(told.begin(), told.end(), same)) continue;
    const auto ours = sized(*run, catalogue);
    if (!ours) continue;
    told.push_back(run);
    std::vector<const char*> differs;
    distance(own, run->traits, &differs);
    w.begin_object();
    write_run(w, *run, ours->memory);
    w.field("request", run->request);
    w.key("differs_in");
    w.begin_array();
    for (const char* pointer : differs) w.value(pointer);
    w.end_array();
    w.end_object();
  }
  w.end_array();
}

std::string measured_runs() {
  const Catalogue catalogue;
  Writer w;
  w.begin_array();
  for (const Run& run : runs()) {
    const auto ours = sized(run, catalogue);
    if (!ours) continue;
    w.begin_object();
    write_run(w, run, ours->memory);
    w.field("family", run.family);
    w.field("quality", run.quality);
    w.field("model", run.model);
    for (const char* key : {"framework", "method"}) w.field(key, run.request["recipe"][key]);
    w.field("oom", run.oom);
    w.field("verdict", verdict_name(ours->verdict));
    w.end_object();
  }
  w.end_array();
  return w.take();
}

}  // namespace tunefit::json

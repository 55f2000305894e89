// The recipe of a request: every field resolved and put into the engine's words.
#include <algorithm>
#include <cctype>

#include "contradictions.h"
#include "recipe_names.h"
#include "words.h"

namespace tunefit::json {

namespace {

class Reader {
 public:
  Reader(Settings& settings, Findings& findings) : s_(settings), findings_(findings) {}

  bool failed() const { return failed_; }

  template <class E>
  E choice(const std::string& pointer, E fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(name_of(fallback))), fallback;
    const auto read = from_name<E>(text_of(value));
    if (!read) unsupported(pointer, value);
    return read.value_or(fallback);
  }

  bool flag(const std::string& pointer, bool fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    return value.is_boolean() && value.get<bool>();
  }

  std::int64_t count(const std::string& pointer, std::int64_t fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    std::int64_t n = fallback;
    if (!whole_number(value, n) || n < 1) unsupported(pointer, value);
    return n;
  }

  double number(const std::string& pointer, double fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    return value.is_number() ? value.get<double>() : fallback;
  }

  std::vector<std::string> names(const std::string& pointer, std::vector<std::string> fallback) {
    const Json& value = s_.use(pointer);
    if (value.is_null()) return guessed(pointer, Json(fallback)), fallback;
    if (value.is_string()) return {text_of(value)};
    std::vector<std::string> out;
    if (value.is_array())
      for (const Json& name : value) out.push_back(text_of(name));
    return out;
  }

  Settings& settings() { return s_; }

 private:
  void guessed(const std::string& pointer, Json value) {
    s_.assume(pointer, std::move(value), "no rule is known for this framework; a usual value");
  }

  void unsupported(const std::string& pointer, const Json& value) {
    failed_ = true;
    findings_.push_back({"error", "not_supported_yet", pointer, "The framework's default here, " + shown(value) + ", cannot be sized yet.",
                         "State " + field_name(pointer) + " with a value that can be."});
  }

  Settings& s_;
  Findings& findings_;
  bool failed_ = false;
};

std::optional<Quantization> read_quantization(Reader& r) {
  if (r.settings().use("/recipe/quantization").is_null()) return std::nullopt;
  Quantization q;
  q.scheme = r.choice("/recipe/quantization/scheme", q.scheme);
  if (q.scheme == Scheme::int8) return q;
  q.double_quant = r.flag("/recipe/quantization/double_quant", q.double_quant);
  q.block_size = r.count("/recipe/quantization/block_size", q.block_size);
  return q;
}

Lora read_lora(Reader& r) {
  Lora lora;
  lora.dtype = r.choice("/recipe/lora/dtype", lora.dtype);
  lora.r = r.count("/recipe/lora/r", lora.r);
  lora.alpha = r.number("/recipe/lora/alpha", lora.alpha);
  lora.dropout = r.number("/recipe/lora/dropout", lora.dropout);
  lora.target_modules = r.names("/recipe/lora/target_modules", {"all-linear"});
  lora.modules_to_save = r.names("/recipe/lora/modules_to_save", {});
  return lora;
}

bool contains(const std::vector<std::string>& list, const char* word) { return std::find(list.begin(), list.end(), word) != list.end(); }

bool expandable(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find("expandable_segments:true") != std::string::npos;
}

Recipe read_recipe(Reader& r) {
  Settings& s = r.settings();
  Recipe recipe;
  recipe.method = r.choice("/recipe/method", recipe.method);
  recipe.quantization = read_quantization(r);
  const bool full = recipe.method == Method::full;
  if (!full) {
    recipe.lora = read_lora(r);
    recipe.method = recipe.quantization ? Method::qlora : Method::lora;
  }
  recipe.base_dtype = r.choice("/recipe/base_dtype", recipe.base_dtype);
  recipe.trainable_dtype = r.choice("/recipe/trainable_dtype", recipe.trainable_dtype);
  if (full) recipe.base_dtype = recipe.trainable_dtype;  // every weight is a trained one
  if (const Json& dtype = s.use("/recipe/gradient_dtype"); !dtype.is_null()) recipe.gradient_dtype = from_name<DType>(text_of(dtype));
  recipe.fp32_master_weights = s.use("/recipe/master_weights") == "fp32";
  recipe.mixed_precision = r.choice("/recipe/mixed_precision", recipe.mixed_precision);
  recipe.kbit_prep = recipe.quantization && s.use("/recipe/kbit_prep") == "peft_fp32";
  recipe.optimizer = r.choice("/recipe/optimizer", recipe.optimizer);
  recipe.optimizer_impl = r.choice("/recipe/optimizer_impl", recipe.optimizer_impl);
  recipe.optimizer_in_backward = r.flag("/recipe/optimizer_in_backward", false);
  recipe.batch = r.count("/recipe/per_device_train_batch_size", recipe.batch);
  recipe.gradient_accumulation = r.count("/recipe/gradient_accumulation_steps", recipe.gradient_accumulation);
  recipe.sequence_length = r.count("/recipe/sequence_length", recipe.sequence_length);
  recipe.packing = r.flag("/recipe/packing", false) || (s.stated("/recipe/padding_free") && r.flag("/recipe/padding_free", false));
  recipe.checkpointing = r.choice("/recipe/gradient_checkpointing", recipe.checkpointing);
  recipe.attention = r.choice("/recipe/attention", recipe.attention);
  recipe.attention_mask = r.flag("/recipe/attention_mask", false);
  s.use("/recipe/loss");
  recipe.loss = r.choice("/recipe/loss_variant", recipe.loss);
  recipe.compile = r.flag("/recipe/compile", false);
  const auto kernels = r.names("/recipe/kernels", {});
  recipe.liger = contains(kernels, "liger");
  recipe.unsloth = contains(kernels, "unsloth");
  recipe.expandable_segments = expandable(text_of(s.use("/recipe/allocator_conf")));
  return recipe;
}

void read_habits(Settings& s, Recipe& recipe, std::vector<UsedHabit>& used) {
  Habits& habits = recipe.habits;
  for (const auto& name : habit_names()) {
    const auto rule = s.habit(name);
    const bool set = rule && set_habit(habits, name, *rule->value);
    used.push_back({name, habit_value(habits, name), set ? rule->source : ""});
  }
  if (recipe.checkpointing == Checkpointing::none) return;
  if (const Json& reentrant = s.use("/recipe/use_reentrant"); reentrant.is_boolean()) habits.reentrant_checkpoint = reentrant.get<bool>();
}

// What is stated of versions; what cannot be read is left out and told.
Json read_versions(const Json* stated, const Framework& framework, const std::string& id, Findings& findings) {
  if (!stated) return Json::object();
  std::vector<std::string> left;
  Json given = Json::object(), versions = Json::object();
  if (stated->is_string()) {
    given = versions_from_text(text_of(*stated), id, left);
  } else if (stated->is_object()) {
    given = *stated;
  }
  for (auto it = given.begin(); it != given.end(); ++it) {
    if (it->is_null()) continue;
    const std::string version = text_of(*it);
    if ((it.key() == id || framework.names_package(it.key())) && !version.empty() && version[0] >= '0' && version[0] <= '9')
      versions[it.key()] = version;
    else
      left.push_back(it.key() + " " + version);
  }
  if (!left.empty()) {
    findings.push_back(
        {"warning", "not_understood", "/recipe/framework_version",
         "No version of a package that matters here could be read in " + shown(Json(in_words(left, "and"))) + "; it is left out.",
         "Write package and version, separated by commas: transformers 4.48.1, peft 0.13.2."});
  }
  return versions;
}

}  // namespace

bool resolve_recipe(const Json& request, const Catalogue& catalogue, const ResolvedModel& model, Resolved& out, Findings& findings) {
  const Json* stated = at_pointer(request, "/recipe/framework");
  out.framework = stated ? text_of(*stated) : "transformers";
  Framework framework(catalogue, out.framework);
  if (!framework.known()) {
    findings.push_back({"warning", "not_supported_yet", "/recipe/framework",
                        "The defaults and habits of " + out.framework + " are not known yet; those of transformers are used.",
                        "State the fields of recipe that matter."});
  }
  Json versions = read_versions(at_pointer(request, "/recipe/framework_version"), framework, out.framework, findings);
  const Json assumed = framework.set_versions(versions);
  Settings settings(request, framework, model.architecture.model_type);
  settings.use("/recipe/framework");
  if (!assumed.empty()) settings.assume("/recipe/framework_version", assumed, "newest versions known to this catalogue");
  settings.use("/recipe/objective");

  Reader reader(settings, findings);
  out.recipe = read_recipe(reader);
  read_habits(settings, out.recipe, out.habits);
  out.versions = framework.versions();
  const bool sound = check_recipe(settings, out.recipe, model, findings);
  for (const auto& assumption : settings.assumptions()) out.assumptions.push_back(assumption);
  return sound && !reader.failed();
}

}  // namespace tunefit::json

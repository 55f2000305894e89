// The recipe of a request: every field resolved and put into the engine's words.
#include <algorithm>
#include <cctype>

#include "contradictions.h"
#include "recipe_reader.h"
#include "tunefit/build.h"
#include "words.h"

namespace tunefit::json {

namespace {

std::optional<Quantization> read_quantization(Reader& r) {
  if (r.settings().use("/recipe/quantization").is_null()) return std::nullopt;
  Quantization q;
  q.scheme = r.choice("/recipe/quantization/scheme", q.scheme);
  if (q.scheme == Scheme::int8 || q.scheme == Scheme::fp8) return q;
  if (is_bitsandbytes(q.scheme)) q.double_quant = r.flag("/recipe/quantization/double_quant", q.double_quant);
  q.block_size = r.count("/recipe/quantization/block_size", q.block_size);
  return q;
}

bool contains(const std::vector<std::string>& list, const char* word) { return std::find(list.begin(), list.end(), word) != list.end(); }

bool expandable(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text.find("expandable_segments:true") != std::string::npos;
}

// An encoder has no next token: where no objective is stated it learns to classify; stated, contradictions.cpp judges it.
Task read_task(Settings& s, const Architecture& model) {
  if (!model.language_head && !s.stated("/recipe/objective")) {
    s.assume("/recipe/objective", "classification", "an encoder: two classes, the usual use of one");
    return Task::classification;
  }
  return s.use("/recipe/objective") == "classification" ? Task::classification : Task::language_model;
}

// Towers: how many positions images take, and what of them is trained.
void read_vision(Reader& r, const Architecture& model, Recipe& recipe) {
  if (!model.encoder || model.encoder->input == Encoder::Input::tokens) return;
  Settings& s = r.settings();
  if (model.encoder->fixed_positions == 0) {
    std::int64_t n = 0;
    if (whole_number(s.use("/recipe/vision/image_tokens_per_row"), n) && n >= 0) recipe.image_tokens = n;
  }
  recipe.tower = r.choice("/recipe/vision/train_tower", recipe.tower);
  recipe.train_projector = r.flag("/recipe/vision/train_projector", recipe.train_projector);
}

Recipe read_recipe(Reader& r, const Architecture& model) {
  Settings& s = r.settings();
  Recipe recipe;
  recipe.method = r.choice("/recipe/method", recipe.method);
  recipe.task = read_task(s, model);
  recipe.quantization = read_quantization(r);
  read_method(r, recipe);
  const bool full = recipe.method == Method::full;
  recipe.base_dtype = r.choice("/recipe/base_dtype", recipe.base_dtype);
  recipe.trainable_dtype = r.choice("/recipe/trainable_dtype", recipe.trainable_dtype);
  if (full) recipe.base_dtype = recipe.trainable_dtype;  // every weight is a trained one
  if (const Json& dtype = s.use("/recipe/gradient_dtype"); !dtype.is_null()) recipe.gradient_dtype = from_name<DType>(text_of(dtype));
  recipe.fp32_master_weights = s.use("/recipe/master_weights") == "fp32";
  recipe.mixed_precision = r.choice("/recipe/mixed_precision", recipe.mixed_precision);
  recipe.kbit_prep = recipe.quantization && s.use("/recipe/kbit_prep") == "peft_fp32";
  read_optimizer(r, recipe);
  recipe.batch = r.count("/recipe/per_device_train_batch_size", recipe.batch);
  recipe.gradient_accumulation = r.count("/recipe/gradient_accumulation_steps", recipe.gradient_accumulation);
  recipe.sequence_length = r.count("/recipe/sequence_length", recipe.sequence_length);
  if (recipe.method == Method::prompt) recipe.sequence_length += recipe.virtual_tokens;  // rows of the prompt come before those of the text
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
  read_vision(r, model, recipe);
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

// What stands besides the training step. An evaluation is sized where one is asked for.
void read_besides(Reader& r, Recipe& recipe) {
  Settings& s = r.settings();
  const Json* per_epoch = s.stated("/workload/evaluations_per_epoch");
  if (s.stated("/recipe/eval") || (per_epoch && per_epoch->is_number() && per_epoch->get<double>() > 0)) {
    Evaluation e;
    e.batch = r.count("/recipe/eval/per_device_eval_batch_size", e.batch);
    e.keeps_logits = r.flag("/recipe/eval/keep_logits", e.keeps_logits);
    e.generates = recipe.habits.evaluation_generates && recipe.task == Task::language_model;
    e.loss = recipe.habits.evaluation_loss.value_or(recipe.loss);
    if (e.loss == LossVariant::liger) {  // fused in training only: linkedin/Liger-Kernel@ead96b61 transformers/model/llama.py:115
      const auto whole = s.habit("loss_variant", [](const Json& value) { return agrees("full_logits", text_of(value)); });
      e.loss = from_name<LossVariant>(whole ? text_of(*whole->value) : usual_variant("full_logits")).value_or(e.loss);
    }
    recipe.evaluation = e;
  }
  const auto yes = [&](const char* pointer) {
    const Json* stated = s.stated(pointer);
    return stated && *stated == Json(true);
  };
  recipe.merges_adapter = recipe.lora && yes("/recipe/save/merge_adapter");
  recipe.loads_best_adapter = recipe.lora && yes("/recipe/save/load_best_model_at_end");
}

// Whether any of the target modules is in the model; of a model that could not be read nothing is missed.
bool any_target(const Architecture& a, const Recipe& r) {
  if (a.kinds.empty()) return true;
  const auto& targets = r.lora->target_modules;
  const auto named = [&](const std::string& name) { return std::find(targets.begin(), targets.end(), name) != targets.end(); };
  if (named("all-linear") || named("attention")) return true;
  const auto modules = adaptable_modules(a, r);
  return std::any_of(modules.begin(), modules.end(),
                     [&](const Module& m) { return named(m.name) || std::any_of(m.aliases.begin(), m.aliases.end(), named); });
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
  // A loss variant names the version of transformers that it is the code of.
  const Json* variant = at_pointer(request, "/recipe/loss_variant");
  const std::string_view implied = variant && variant->is_string() ? transformers_of_variant(text_of(*variant)) : std::string_view();
  const bool by_variant = !implied.empty() && !versions.contains("transformers") && framework.names_package("transformers");
  if (by_variant) versions["transformers"] = std::string(implied);
  Json assumed = framework.set_versions(versions);
  if (by_variant) assumed["transformers"] = versions["transformers"];
  Settings settings(request, framework, model.architecture.model_type);
  settings.use("/recipe/framework");
  if (!assumed.empty())
    settings.assume("/recipe/framework_version", assumed,
                    by_variant         ? "the stated loss_variant is this version's; the others are of the same time"
                    : versions.empty() ? "newest versions known to this catalogue"
                                       : "of the time of the stated versions");

  Reader reader(settings, findings);
  out.recipe = read_recipe(reader, model.architecture);
  read_habits(settings, out.recipe, out.habits);
  read_besides(reader, out.recipe);
  if (out.recipe.lora && !settings.stated("/recipe/lora/target_modules") && !any_target(model.architecture, out.recipe)) {
    out.recipe.lora->target_modules = {"all-linear"};
    settings.assume("/recipe/lora/target_modules", "all-linear",
                    "the default's modules are not in this class, which PEFT has no entry for: every linear");
  }
  read_lengths(settings, out.recipe);
  out.versions = framework.versions();
  const bool sound = check_recipe(settings, out.recipe, model, findings);
  for (const auto& assumption : settings.assumptions()) out.assumptions.push_back(assumption);
  return sound && !reader.failed();
}

}  // namespace tunefit::json

#include "contradictions.h"

#include <algorithm>

#include "recipe_names.h"
#include "tunefit/build.h"
#include "tunefit/evaluation.h"
#include "words.h"

namespace tunefit::json {

namespace {

class Checks {
 public:
  Checks(const Settings& s, const Recipe& r, const ResolvedModel& m, Findings& f) : s_(s), recipe_(r), model_(m), findings_(f) {}

  bool all() {
    quantization();
    dtypes();
    loss();
    optimizer();
    batch();
    model();
    length();
    targets();
    method();
    besides();
    unused_blocks();
    return !failed_;
  }

 private:
  std::string text(const char* pointer) const {
    const Json* value = s_.stated(pointer);
    return value ? text_of(*value) : "";
  }

  void error(const char* code, const char* pointer, std::string message, std::string hint) {
    failed_ = true;
    findings_.push_back({"error", code, pointer, std::move(message), std::move(hint)});
  }
  void ignored(const char* pointer, std::string message) {
    findings_.push_back({"warning", "ignored", pointer, std::move(message), "It can be left out."});
  }

  void quantization() {
    const Json* stated = s_.stated("/recipe/quantization");
    if (stated && (recipe_.method == Method::full || recipe_.method == Method::freeze)) {
      error("quantized_base_trained", "/recipe/quantization",
            "This method trains the model's own weights, and a quantised weight cannot be trained: 4 bit is only ever a frozen base.",
            "Use method qlora, or set quantization to null.");
    }
    if (text("/recipe/kbit_prep") == "peft_fp32" && !recipe_.quantization)
      ignored("/recipe/kbit_prep", "k-bit preparation applies to a quantised base only.");
    if (!recipe_.quantization || (recipe_.quantization->scheme != Scheme::nf4 && recipe_.quantization->scheme != Scheme::fp4)) return;
    const std::int64_t block = recipe_.quantization->block_size;
    if (block < 32 || block > 4096 || (block & (block - 1)) != 0) {
      error("no_such_block_size", "/recipe/quantization/block_size", "bitsandbytes has no blocks of " + std::to_string(block) + " weights.",
            "A power of two from 32 to 4096; 64 is usual.");
    }
  }

  void dtypes() {
    const auto trained = text("/recipe/trainable_dtype");
    const auto adapters = text("/recipe/lora/dtype");
    if (recipe_.lora && !trained.empty() && !adapters.empty() && trained != adapters) {
      error("contradiction", "/recipe/trainable_dtype",
            "trainable_dtype is " + trained + " and lora.dtype is " + adapters + ", but the weights being trained are the adapters.",
            "Give lora.dtype alone, or both the same.");
    }
    const auto base = text("/recipe/base_dtype");
    if (recipe_.method == Method::full && !base.empty() && base != name_of(recipe_.trainable_dtype))
      ignored("/recipe/base_dtype",
              "Every weight is trained, so all are held in trainable_dtype (" + std::string(name_of(recipe_.trainable_dtype)) + ").");
  }

  void loss() {
    const auto stated = text("/recipe/loss");
    const auto variant = text("/recipe/loss_variant");
    if (stated.empty() || variant.empty() || agrees(stated, variant)) return;
    error("contradiction", "/recipe/loss", "loss is " + stated + ", but " + variant + " is " + std::string(loss_of_variant(variant)) + ".",
          "Give loss_variant alone.");
  }

  void optimizer() {
    const auto impl = text("/recipe/optimizer_impl");
    const auto name = text("/recipe/optimizer");
    if (name == "adamw_torch_fused" && !impl.empty() && impl != "fused") {
      error("contradiction", "/recipe/optimizer_impl", "adamw_torch_fused runs the fused kernel, not " + impl + ".",
            "Give optimizer adamw_torch with optimizer_impl " + impl + ", or leave optimizer_impl out.");
    }
    const auto o = recipe_.optimizer;
    if (!impl.empty() && o != Optimizer::adamw && o != Optimizer::sgd && o != Optimizer::sgd_momentum)
      ignored("/recipe/optimizer_impl", "bitsandbytes' optimizers have one kernel of their own.");
    if (recipe_.optimizer_in_backward && recipe_.gradient_accumulation > 1) {
      error("contradiction", "/recipe/optimizer_in_backward",
            "With the optimizer in backward no gradient is kept, so none can be accumulated over " +
                std::to_string(recipe_.gradient_accumulation) + " micro-batches.",
            "Set gradient_accumulation_steps to 1.");
    }
  }

  void batch() {
    const Json* global = s_.stated("/recipe/global_batch_size");
    std::int64_t rows = 0;
    const std::int64_t product = recipe_.batch * recipe_.gradient_accumulation;
    if (!global || !whole_number(*global, rows) || rows == product) return;
    error("contradiction", "/recipe/global_batch_size",
          "One accelerator with batch " + std::to_string(recipe_.batch) + " and " + std::to_string(recipe_.gradient_accumulation) +
              " accumulation steps makes " + std::to_string(product) + " rows per step, not " + std::to_string(rows) + ".",
          "Leave gradient_accumulation_steps out, or make the product agree.");
  }

  void model() {
    const auto& a = model_.architecture;
    if (!a.language_head && recipe_.task == Task::language_model && text("/recipe/objective") != "pretrain")
      error("contradiction", "/recipe/objective", "This model is an encoder; it has no next token to learn.",
            "Give classification, or pretrain for masked words.");
    const bool tower = a.encoder && a.encoder->input != Encoder::Input::tokens;
    if (!tower && s_.stated("/recipe/vision")) ignored("/recipe/vision", "This model has no vision or audio tower.");
    if (recipe_.image_tokens > recipe_.sequence_length && !a.encoder->cross)
      error("contradiction", "/recipe/vision/image_tokens_per_row",
            std::to_string(recipe_.image_tokens) + " image tokens do not fit a row of " + std::to_string(recipe_.sequence_length) + ".",
            "Image tokens are part of sequence_length.");
    const bool fused = std::any_of(a.kinds.begin(), a.kinds.end(),
                                   [&](const Layer& l) { return l.experts && (l.experts->fused || recipe_.habits.fused_experts); });
    if (fused && recipe_.quantization)
      findings_.push_back(
          {"warning", "experts_not_quantized", "/recipe/quantization",
           std::string("In this version of transformers the experts of a layer are one tensor, which bitsandbytes leaves in 16 bit") +
               (recipe_.kbit_prep ? "; PEFT's k-bit preparation then makes them fp32." : "."),
           "State a transformers version below 5 if the class has a module for each expert, or take a framework that "
           "quantises them."});
    if (fused && recipe_.lora)
      findings_.push_back({"warning", "experts_not_adapted", "/recipe/lora/target_modules",
                           "The experts are one tensor here, so no adapter stands on them.", "The rest of the targets is sized."});
  }

  void length() {
    const auto& a = model_.architecture;
    const std::int64_t n = recipe_.sequence_length;
    const std::int64_t longest =
        a.max_position_embeddings > 0 ? std::min(a.learned_positions, a.max_position_embeddings) : a.learned_positions;
    if (longest > 0 && n > longest) {
      error("too_long_for_model", "/recipe/sequence_length",
            "The model has learned positions for " + std::to_string(longest) + " tokens, not " + std::to_string(n) + ".",
            "Give at most that.");
    } else if (a.max_position_embeddings > 0 && n > a.max_position_embeddings) {
      findings_.push_back(
          {"warning", "long_sequence", "/recipe/sequence_length",
           std::to_string(n) + " tokens are more than the " + std::to_string(a.max_position_embeddings) + " the model is configured for.",
           "The bytes are right; whether the model learns anything there is another matter."});
    }
  }

  void targets() {
    if (!recipe_.lora || model_.architecture.kinds.empty()) return;
    // What the graph calls its modules, and the names of parts of a fused one: the engine puts one adapter on the whole.
    std::vector<std::string> all, fused, usual;
    const auto in = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    for (const Module& module : adaptable_modules(model_.architecture, recipe_)) {
      if (!in(all, module.name)) all.push_back(module.name);
      auto& to = module.aliases.size() > 1 ? fused : usual;
      to.insert(to.end(), module.aliases.begin(), module.aliases.end());
    }
    std::vector<std::string> missing, renamed;
    for (const auto& target : recipe_.lora->target_modules) {
      if (target == "all-linear" || target == "attention" || target == "embed_tokens" || in(all, target)) continue;
      if (in(fused, target))
        renamed.push_back(shown(Json(target)));
      else if (!in(usual, target))
        missing.push_back(shown(Json(target)));
    }
    if (!renamed.empty() && !recipe_.habits.fused_qkv) {
      findings_.push_back({"warning", "fused_module", "/recipe/lora/target_modules",
                           "In this model " + in_words(renamed, "and") + (renamed.size() == 1 ? " is part" : " are parts") +
                               " of a fused module; one adapter on it is sized.",
                           "Name the module as the model does."});
    }
    if (in(recipe_.lora->target_modules, "embed_tokens")) {
      error("not_supported_yet", "/recipe/lora/target_modules", "Adapters on the embedding cannot be sized yet.",
            "Name embed_tokens in modules_to_save, or leave it out.");
    }
    std::vector<std::string> unsaved;
    for (const auto& name : recipe_.lora->modules_to_save)
      if (name != "embed_tokens" && !in(all, name)) unsaved.push_back(shown(Json(name)));
    if (!unsaved.empty()) {
      findings_.push_back({"warning", "unknown_module", "/recipe/lora/modules_to_save",
                           "Not in the model: " + in_words(unsaved, "and") + ".", "Usual ones are embed_tokens and lm_head."});
    }
    if (missing.empty()) return;
    const std::string hint = "Its modules are " + in_words(all, "and") + ".";
    if (missing.size() == recipe_.lora->target_modules.size()) {
      error("unknown_module", "/recipe/lora/target_modules",
            "None of the target modules is in the model: " + in_words(missing, "and") + ".", hint);
    } else {
      findings_.push_back(
          {"warning", "unknown_module", "/recipe/lora/target_modules", "Not in the model: " + in_words(missing, "and") + ".", hint});
    }
  }

  void method() {
    if (recipe_.method == Method::prefix && recipe_.recomputes())
      error("contradiction", "/recipe/gradient_checkpointing", "PEFT refuses gradient checkpointing with prefix tuning.",
            "Set gradient_checkpointing to none.");
    const auto& kinds = model_.architecture.kinds;
    if (recipe_.method == Method::prefix &&
        (!model_.architecture.causal || !std::all_of(kinds.begin(), kinds.end(), [](const Layer& l) { return l.attention.has_value(); })))
      error("contradiction", "/recipe/method",
            "Prefix tuning puts keys and values before those of every layer; this model has layers without.", "Use lora or prompt.");
    const bool weights = recipe_.lora && (recipe_.lora->kind == AdapterKind::loha || recipe_.lora->kind == AdapterKind::lokr);
    if (weights && recipe_.quantization)
      error("contradiction", "/recipe/quantization", "PEFT has no layer of this method for a quantised base.",
            "Set quantization to null, or use LoRA or DoRA.");
  }

  void warning(const char* code, const char* pointer, std::string message, std::string hint) {
    findings_.push_back({"warning", code, pointer, std::move(message), std::move(hint)});
  }

  void besides() {
    const Json* merge = s_.stated("/recipe/save/merge_adapter");
    const bool merges = merge && *merge == Json(true);
    if (merges && !recipe_.lora) ignored("/recipe/save/merge_adapter", "This method has no adapters.");
    if (merges && recipe_.lora && recipe_.quantization && !can_merge(recipe_.quantization->scheme))
      warning("cannot_merge", "/recipe/save/merge_adapter", "PEFT does not merge adapters into a base of this scheme.",
              "Merge into the base in 16 bit, or serve the adapter beside it.");
    if (recipe_.evaluation && recipe_.evaluation->keeps_logits)
      warning("logits_gathered", "/recipe/eval/keep_logits",
              "The logits of all evaluation steps stay on the accelerator, " + std::to_string(recipe_.sequence_length) + " x " +
                  std::to_string(model_.architecture.logits()) + " numbers for each row; only two batches of them are counted here.",
              "Set eval_accumulation_steps, or reduce them with preprocess_logits_for_metrics.");
  }

  void unused_blocks() {
    if (!recipe_.lora && s_.stated("/recipe/lora")) ignored("/recipe/lora", "This method has no adapters.");
    if (s_.stated("/recipe/freeze") && recipe_.method != Method::freeze) ignored("/recipe/freeze", "Only method freeze reads it.");
    if (s_.stated("/recipe/preference")) ignored("/recipe/preference", "This objective has no other model.");
    if (s_.stated("/recipe/rollout")) ignored("/recipe/rollout", "This objective generates nothing.");
  }

  const Settings& s_;
  const Recipe& recipe_;
  const ResolvedModel& model_;
  Findings& findings_;
  bool failed_ = false;
};

}  // namespace

bool check_recipe(const Settings& settings, const Recipe& recipe, const ResolvedModel& model, Findings& findings) {
  return Checks(settings, recipe, model, findings).all();
}

std::vector<std::string> unsupported_on(const Json& accelerator_entry, const Recipe& r) {
  std::vector<std::string> out;
  const Json* supports = member(accelerator_entry, "supports");
  const auto need = [&](const char* key, bool needed) {
    const Json* value = supports ? member(*supports, key) : nullptr;
    if (needed && value && value->is_boolean() && !value->get<bool>()) out.emplace_back(key);
  };
  const bool bf16 = r.mixed_precision == MixedPrecision::bf16 || r.base_dtype == DType::bf16 || r.trainable_dtype == DType::bf16;
  const bool bitsandbytes = r.quantization || r.optimizer == Optimizer::adamw_8bit || r.optimizer == Optimizer::paged_adamw_8bit ||
                            r.optimizer == Optimizer::paged_adamw_32bit;
  need("bf16", bf16);
  need("flash_attention_2", r.attention == AttentionImpl::flash_attention_2);
  need("flash_attention_3", r.attention == AttentionImpl::flash_attention_3);
  need("bitsandbytes", bitsandbytes);
  return out;
}

}  // namespace tunefit::json

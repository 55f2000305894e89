#include "contradictions.h"

#include <algorithm>

#include "recipe_names.h"
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
    length();
    targets();
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
    if (stated && recipe_.method == Method::full) {
      error("quantized_base_trained", "/recipe/quantization",
            "Full fine-tuning trains every weight, and a quantised weight cannot be trained: 4 bit is only ever a frozen base.",
            "Use method qlora, or set quantization to null.");
    }
    if (text("/recipe/kbit_prep") == "peft_fp32" && !recipe_.quantization)
      ignored("/recipe/kbit_prep", "k-bit preparation applies to a quantised base only.");
    if (!recipe_.quantization || recipe_.quantization->scheme == Scheme::int8) return;
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

  void length() {
    const auto& a = model_.architecture;
    const std::int64_t n = recipe_.sequence_length;
    if (a.learned_positions > 0 && n > a.learned_positions) {
      error("too_long_for_model", "/recipe/sequence_length",
            "The model has learned positions for " + std::to_string(a.learned_positions) + " tokens, not " + std::to_string(n) + ".",
            "Give at most that.");
    } else if (a.max_position_embeddings > 0 && n > a.max_position_embeddings) {
      findings_.push_back(
          {"warning", "long_sequence", "/recipe/sequence_length",
           std::to_string(n) + " tokens are more than the " + std::to_string(a.max_position_embeddings) + " the model is configured for.",
           "The bytes are right; whether the model learns anything there is another matter."});
    }
  }

  // Names of the modules that adapters may stand on, as the model's class has them.
  std::vector<std::string> modules() const {
    const ModuleNames& m = model_.architecture.modules;
    std::vector<std::string> names;
    const auto add = [&](const std::string& name) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    };
    for (const Layer& layer : model_.architecture.kinds) {
      if (layer.attention.fused_qkv || recipe_.habits.fused_qkv)
        add(m.qkv);
      else
        add(m.q), add(m.k), add(m.v);
      add(m.o);
      if (layer.mlp.gated && layer.mlp.fused_gate_up)
        add(m.gate_up);
      else if (layer.mlp.gated)
        add(m.gate), add(m.up);
      else
        add(m.up);
      add(m.down);
    }
    add("lm_head");
    return names;
  }

  // Names of parts of a fused module; the engine puts one adapter on the whole.
  std::vector<std::string> parts() const {
    const ModuleNames& m = model_.architecture.modules;
    std::vector<std::string> names;
    for (const Layer& layer : model_.architecture.kinds) {
      if (layer.attention.fused_qkv || recipe_.habits.fused_qkv) names.insert(names.end(), {m.q, m.k, m.v, "q_proj", "k_proj", "v_proj"});
      if (layer.mlp.gated && layer.mlp.fused_gate_up) names.insert(names.end(), {m.gate, m.up, "gate_proj", "up_proj"});
    }
    return names;
  }

  // The usual names of the model's linears, which stand for its own.
  bool usual(const std::string& name) const {
    for (const char* known : {"q_proj", "k_proj", "v_proj", "o_proj", "up_proj", "down_proj"})
      if (name == known) return true;
    const auto& kinds = model_.architecture.kinds;
    return name == "gate_proj" && std::any_of(kinds.begin(), kinds.end(), [](const Layer& l) { return l.mlp.gated; });
  }

  void targets() {
    if (!recipe_.lora || model_.architecture.kinds.empty()) return;
    const auto all = modules(), fused = parts();
    const auto in = [](const std::vector<std::string>& names, const std::string& name) {
      return std::find(names.begin(), names.end(), name) != names.end();
    };
    std::vector<std::string> missing, renamed;
    for (const auto& target : recipe_.lora->target_modules) {
      if (target == "all-linear" || target == "attention" || target == "embed_tokens" || in(all, target)) continue;
      if (in(fused, target))
        renamed.push_back(shown(Json(target)));
      else if (!usual(target))
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

  void unused_blocks() {
    if (recipe_.method == Method::full && s_.stated("/recipe/lora")) ignored("/recipe/lora", "Method full has no adapters.");
    if (s_.stated("/recipe/freeze")) ignored("/recipe/freeze", "Only method freeze reads it.");
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

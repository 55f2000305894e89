#include "hf_choose.h"

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "hf_config.h"
#include "words.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

std::string supported() { return "classes that can be read: " + in_words(hf_config_classes(), "and", hf_classes().size()); }

// The first thing in the file that no dense decoder has, in plain words, and its field.
struct Feature {
  std::string field, what;
};

std::optional<Feature> unsupported_feature(const Fields& f) {
  for (const char* name :
       {"vision_config", "audio_config", "thinker_config", "text_config", "llm_config", "language_config", "img_processor"})
    if (f.find(name)) return Feature{name, "a multimodal model"};
  for (const char* name : {"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}) {
    const auto* value = f.find(name);
    if (f.positive(name) || (value && value->is_array())) return Feature{name, "a mixture of experts"};
  }
  if (f.positive("kv_lora_rank")) return Feature{"kv_lora_rank", "a model with latent attention (MLA)"};
  if (f.find("block_configs")) return Feature{"block_configs", "a model with a different shape in each layer"};
  for (const char* name : {"ssm_cfg", "state_size", "ssm_state_size", "mamba_ssm_dtype", "linear_attn_config", "linear_num_key_heads",
                           "hybrid_override_pattern", "mamba_d_ssm", "conv_L_cache"})
    if (f.find(name)) return Feature{name, "a model with state-space or linear-attention layers"};
  for (const char* name : {"is_encoder_decoder", "add_cross_attention"}) {
    const auto* value = f.find(name);
    if (value && *value == json(true)) return Feature{name, "a model with an encoder"};
  }
  return std::nullopt;
}

// What is known of classes that cannot be read, where the file's fields do not tell.
const char* reason_by_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, const char*>, 7> kKnown{{
      {"MiMoForCausalLM", "it has a multi-token-prediction layer"},
      {"ApertusForCausalLM", "its activation, xIELU, holds parameters of its own"},
      {"BitNetForCausalLM", "it has norms inside attention and MLP"},
      {"MiniCPM3ForCausalLM", "it has latent attention (MLA)"},
      {"DeciLMForCausalLM", "its layers differ in shape"},
      {"DbrxForCausalLM", "it is a mixture of experts"},
      {"MambaForCausalLM", "it has state-space layers"},
  }};
  for (const auto& [known, why] : kKnown)
    if (name == known) return why;
  for (const char* ending : {"ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMaskedLM"})
    if (name.size() > std::string_view(ending).size() && name.ends_with(ending)) return "its head is not a language model's";
  if (name.ends_with("ForConditionalGeneration")) return "it is a multimodal or encoder-decoder model";
  return nullptr;
}

void refuse_class(Fields& f, const std::string& name, const char* field) {
  const auto feature = unsupported_feature(f);
  const char* reason = feature ? nullptr : reason_by_name(name);
  std::string message = quoted(std::string_view(name)) + " cannot be read yet";
  if (feature) message += ": it is " + feature->what + " (" + feature->field + ")";
  if (reason) message += std::string(": ") + reason;
  message += '.';

  std::string hint = supported();
  if (const auto* text = f.find("text_config"); text && text->is_object()) {
    const auto type = text->find("model_type");
    if (type != text->end() && type->is_string() && class_of_model_type(type->get_ref<const std::string&>()))
      hint = "to size its decoder alone, give the content of text_config as the config.json; " + hint;
  } else if (!feature && !reason) {
    const std::string close = nearest(name, hf_config_classes());
    hint = (close.empty() ? "if it is one of these classes under another name, write that one into architectures" : "perhaps " + close) +
           "; " + hint;
  }
  f.error("unsupported_class", field, message, hint);
}

// The row by name, whatever else is in the file.
Chosen by_name(Fields& f) {
  const auto* list = f.find("architectures");
  const auto* type_value = f.find("model_type");
  const std::string type = f.text("model_type", "");
  if (list && (!list->is_array() || list->empty() || !(*list)[0].is_string())) {
    f.error("wrong_type", "architectures", "architectures is " + (list->is_array() ? "a list without a class name" : quoted(*list)) + ".",
            "a list with the class, for example [\"LlamaForCausalLM\"]");
    return {};
  }
  if (!list) {
    if (!type_value || *type_value == json("")) {
      f.error("missing_field", "architectures", "Neither architectures nor model_type says which class this is.", supported());
      return {};
    }
    const auto* facts = class_of_model_type(type);
    if (!facts && !type.empty()) refuse_class(f, type, "model_type");
    if (facts)
      f.warn("assumed_default", "architectures", std::string("architectures is absent; read as ") + facts->name + " by model_type.",
             facts->name);
    return {facts};
  }
  const auto& name = (*list)[0].get_ref<const std::string&>();
  if (const auto* facts = class_named(name)) return {facts};
  constexpr std::string_view kCausal = "ForCausalLM";
  for (const auto& c : hf_classes()) {
    const std::string_view full = c.name;
    if (!full.ends_with(kCausal) || name != std::string(full.substr(0, full.size() - kCausal.size())) + "Model") continue;
    f.warn("no_lm_head", "architectures", name + " has no language-model head; sized with its embedding as head.", c.name);
    return {&c, true};
  }
  refuse_class(f, name, "architectures");
  return {};
}

}  // namespace

Chosen choose_class(Fields& f) {
  const Chosen chosen = by_name(f);
  if (!chosen.facts) return {};
  const auto feature = unsupported_feature(f);
  if (!feature) return chosen;
  f.error("unsupported_class", feature->field,
          std::string(chosen.facts->name) + " with " + feature->field + " is " + feature->what + ", which cannot be read yet.",
          supported());
  return {};
}

}  // namespace tunefit::json

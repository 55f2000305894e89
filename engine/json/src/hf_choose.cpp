#include "hf_choose.h"

#include <array>
#include <string>
#include <string_view>

#include "hf_config.h"
#include "hf_generic.h"
#include "words.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

std::string supported() { return "classes that can be read: " + in_words(hf_config_classes(), "and", hf_classes().size()); }

// An unknown class: the generic row, else an error.
Chosen unknown(Fields& f, const std::string& name, const char* field) {
  const std::string close = nearest(name, hf_config_classes());
  const std::string perhaps = close.empty() ? "" : "perhaps " + close + "; ";
  if (const auto* row = generic_class(f, name, field, perhaps)) return {row, false, name};
  f.error(
      "unsupported_class", field,
      quoted(std::string_view(name)) + " is not a class that can be read, and it cannot be sized roughly either: " + why_not_generic(f) +
          ".",
      (close.empty() ? "if it is one of these classes under another name, write that one into architectures; " : perhaps) + supported());
  return {};
}

bool strip(std::string& name, std::string_view ending) {
  if (name.size() <= ending.size() || !name.ends_with(ending)) return false;
  name.erase(name.size() - ending.size());
  return true;
}

// LlamaModel, LlamaForSequenceClassification, BertForMaskedLM: the body of a known class with no head, or another one.
Chosen other_head(Fields& f, const std::string& name) {
  for (std::string_view ending : {"Model", "ForSequenceClassification", "ForTokenClassification", "ForQuestionAnswering", "ForMaskedLM",
                                  "ForPreTraining", "ForMaskedLMModel", "ForCausalLM"}) {
    std::string body = name;
    if (!strip(body, ending)) continue;
    strip(body, "Text");  // Gemma3TextModel
    for (std::string_view usual : {"ForCausalLM", "LMHeadModel", "Model", "ForConditionalGeneration"}) {
      const auto* facts = class_named(body + std::string(usual));
      if (!facts) continue;
      f.warn("no_lm_head", "architectures",
             facts->encoder ? name + " is sized as " + facts->name + ": without the head of its task."
                            : name + " has no language-model head; sized with its embedding as head.",
             facts->name);
      return {facts, facts->encoder == nullptr, ""};
    }
  }
  return {};
}

}  // namespace

Chosen choose_class(Fields& f) {
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
    if (!facts && !type.empty()) return unknown(f, type, "model_type");
    if (facts)
      f.warn("assumed_default", "architectures", std::string("architectures is absent; read as ") + facts->name + " by model_type.",
             facts->name);
    return {facts, false, ""};
  }
  const auto& name = (*list)[0].get_ref<const std::string&>();
  if (const auto* facts = class_named(name)) return {facts, false, ""};
  if (const auto other = other_head(f, name); other.facts) return other;
  return unknown(f, name, "architectures");
}

}  // namespace tunefit::json

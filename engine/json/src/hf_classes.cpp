#include "hf_classes.h"

#include <algorithm>

namespace tunefit::json {

const std::vector<const ClassFacts*>& hf_classes() {
  static const std::vector<const ClassFacts*> all = [] {
    std::vector<const ClassFacts*> rows;
    for (const auto family :
         {dense_classes(), expert_classes(), latent_classes(), hybrid_classes(), multimodal_classes(), encoder_classes()})
      for (const auto& row : family) rows.push_back(&row);
    return rows;
  }();
  return all;
}

const ClassFacts* class_named(std::string_view name) {
  const auto it = std::find_if(hf_classes().begin(), hf_classes().end(), [&](const ClassFacts* c) { return name == c->name; });
  return it == hf_classes().end() ? nullptr : *it;
}

const ClassFacts* class_of_model_type(std::string_view model_type) {
  const auto it = std::find_if(hf_classes().begin(), hf_classes().end(), [&](const ClassFacts* c) { return model_type == c->model_type; });
  return it == hf_classes().end() ? nullptr : *it;
}

}  // namespace tunefit::json

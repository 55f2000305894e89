#include <array>

#include "recipe_names.h"
#include "resolve.h"

namespace tunefit::json {

namespace {

// How a member of Habits is read from and written as JSON.
struct Row {
  const char* name;
  bool (*set)(Habits&, const Json&);
  Json (*get)(const Habits&);
};

template <class T>
inline constexpr bool kOptional = false;
template <class T>
inline constexpr bool kOptional<std::optional<T>> = true;

constexpr const char* kAsInTraining = "as_in_training";  // no value of its own

template <auto Member>
constexpr Row row(const char* name) {
  return {name,
          [](Habits& habits, const Json& value) {
            auto& to = habits.*Member;
            using Value = std::remove_reference_t<decltype(to)>;
            if constexpr (std::is_same_v<Value, bool>) {
              if (value.is_boolean()) to = value.get<bool>();
              return value.is_boolean();
            } else if constexpr (kOptional<Value>) {
              to = from_name<typename Value::value_type>(text_of(value));
              return to.has_value() || text_of(value) == kAsInTraining;
            } else {
              const auto read = from_name<Value>(text_of(value));
              if (read) to = *read;
              return read.has_value();
            }
          },
          [](const Habits& habits) {
            const auto& from = habits.*Member;
            using Value = std::remove_cvref_t<decltype(from)>;
            if constexpr (std::is_same_v<Value, bool>) {
              return Json(from);
            } else if constexpr (kOptional<Value>) {
              return from ? Json(name_of(*from)) : Json(kAsInTraining);
            } else {
              return Json(name_of(from));
            }
          }};
}

constexpr std::array kRows{
    row<&Habits::adapter_style>("adapter_style"),
    row<&Habits::norm>("norm"),
    row<&Habits::repeat_kv>("repeat_kv"),
    row<&Habits::unties_head>("unties_head"),
    row<&Habits::previous_outputs_held>("previous_outputs_held"),
    row<&Habits::kv_cache_in_training>("kv_cache_in_training"),
    row<&Habits::kv_cache_in_evaluation>("kv_cache_in_evaluation"),
    row<&Habits::evaluation_generates>("evaluation_generates"),
    row<&Habits::evaluation_loss>("evaluation_loss"),
    row<&Habits::merges_on_host>("merges_on_host"),
    row<&Habits::loss_metrics_copy_logits>("loss_metrics_copy_logits"),
    row<&Habits::lora_pad_keeps_source>("lora_pad_keeps_source"),
    row<&Habits::rotary_per_layer>("rotary_per_layer"),
    row<&Habits::rotary_dtype>("rotary_dtype"),
    row<&Habits::rows_vary>("rows_vary"),
    row<&Habits::holds_outputs>("holds_outputs"),
    row<&Habits::outputs_to_fp32>("outputs_to_fp32"),
    row<&Habits::input_require_grads>("input_require_grads"),
    row<&Habits::rotary_tables_per_layer>("rotary_tables_per_layer"),
    row<&Habits::rotary_tables_dtype>("rotary_tables_dtype"),
    row<&Habits::norm_weight_in_fp32>("norm_weight_in_fp32"),
    row<&Habits::bnb_keeps_input>("bnb_keeps_input"),
    row<&Habits::bnb_quantizes_from_fp16>("bnb_quantizes_from_fp16"),
    row<&Habits::bnb_computes_in_input_dtype>("bnb_computes_in_input_dtype"),
    row<&Habits::kbit_heads_16bit>("kbit_heads_16bit"),
    row<&Habits::lora_result_clone>("lora_result_clone"),
    row<&Habits::loss_projects_in_chunks>("loss_projects_in_chunks"),
    row<&Habits::chunk_upcasts_head>("chunk_upcasts_head"),
    row<&Habits::optimizer_embedding_32bit>("optimizer_embedding_32bit"),
    row<&Habits::fused_experts>("fused_experts"),
    row<&Habits::fused_qkv>("fused_qkv"),
    row<&Habits::quantizes_adapted_only>("quantizes_adapted_only"),
    row<&Habits::dora_keeps_weight>("dora_keeps_weight"),
    row<&Habits::quantizes_lm_head>("quantizes_lm_head"),
    row<&Habits::reentrant_checkpoint>("reentrant_checkpoint"),
    row<&Habits::gradient_bucket_copy>("gradient_bucket_copy"),
};

}  // namespace

bool set_habit(Habits& habits, std::string_view name, const Json& value) {
  for (const Row& r : kRows)
    if (name == r.name) return r.set(habits, value);
  return false;
}

std::vector<std::string> habit_names() {
  std::vector<std::string> names;
  for (const Row& r : kRows) names.emplace_back(r.name);
  return names;
}

Json habit_value(const Habits& habits, std::string_view name) {
  for (const Row& r : kRows)
    if (name == r.name) return r.get(habits);
  return {};
}

}  // namespace tunefit::json

// What follows from other fields of a request, whatever the framework.
#include <string>

#include "recipe_names.h"
#include "settings.h"
#include "words.h"

namespace tunefit::json {

namespace {

using Result = std::optional<Derived>;

constexpr std::string_view kQuantization = "/recipe/quantization";

bool trains_all(Settings& s) {
  const char* kin = kin_of_method(s.text("/recipe/method"));
  return kin && std::string_view(kin) == "full";
}

bool adapters(Settings& s) {
  const auto& method = s.text("/recipe/method");
  const char* kin = kin_of_method(method);
  return kin && (std::string_view(kin) == "lora" || std::string_view(kin) == "qlora");
}

Result method(Settings& s) {
  if (s.stated(kQuantization)) return Derived{"qlora", "a quantised base is given, and only adapters can be trained on one"};
  if (s.mentions_null(kQuantization) && s.stated("/recipe/lora"))
    return Derived{"lora", "adapters are given and the base is not quantised"};
  return {};
}

Result quantization(Settings& s) {
  const std::string method = s.text("/recipe/method");
  if (method != "qlora" && method != "qdora") return Derived{nullptr, ""};
  return Derived{{{"scheme", "nf4"}, {"double_quant", true}, {"block_size", 64}},
                 "qlora holds the frozen base in nf4 with double quantisation unless told otherwise"};
}

// A field of an assumed (or absent) quantization comes with it; of a stated one it is open.
Result quantization_field(Settings& s, std::string_view pointer) {
  if (s.stated(kQuantization)) return {};
  const Json* field = member(s.get(std::string(kQuantization)), std::string(pointer.substr(kQuantization.size() + 1)).c_str());
  return Derived{field ? *field : Json(), ""};
}

Result trainable_dtype(Settings& s) {
  if (adapters(s)) {
    const Json& dtype = s.get("/recipe/lora/dtype");
    if (dtype.is_string()) return Derived{dtype, ""};
  } else if (const Json* base = s.stated("/recipe/base_dtype"); base && trains_all(s)) {
    return Derived{*base, "every weight is trained in the type in which it is held"};
  }
  return {};
}

Result base_dtype(Settings& s) {
  const Json* trained = s.stated("/recipe/trainable_dtype");
  if (trained && trains_all(s)) return Derived{*trained, ""};
  return {};
}

Result lora_dtype(Settings& s) {
  const Json* trained = s.stated("/recipe/trainable_dtype");
  return trained ? Result(Derived{*trained, ""}) : Result();
}

Result loss(Settings& s) {
  const Json* variant = s.stated("/recipe/loss_variant");
  return variant ? Result(Derived{std::string(loss_of_variant(text_of(*variant))), ""}) : Result();
}

Result optimizer_impl(Settings& s) {
  const auto& optimizer = s.text("/recipe/optimizer");
  const bool torch = optimizer == "adamw_torch" || optimizer == "sgd" || optimizer == "sgd_momentum";
  return torch ? Result() : Result(Derived{"fused", ""});  // adamw_torch_fused by name; bitsandbytes has one kernel a tensor
}

// global_batch_size / the other of batch and accumulation, where that is a whole number. One accelerator.
Result share_of_global_batch(Settings& s, const char* other) {
  const Json* global = s.stated("/recipe/global_batch_size");
  std::int64_t rows = 0, by = 0;
  if (!global || !whole_number(*global, rows) || !whole_number(s.get(other), by) || by < 1 || rows % by != 0) return {};
  return Derived{rows / by, "follows from global_batch_size on one accelerator"};
}

}  // namespace

std::optional<Derived> derive_before_framework(Settings& s, std::string_view pointer) {
  if (pointer == "/recipe/method") return method(s);
  if (pointer == kQuantization) return quantization(s);
  if (pointer.substr(0, kQuantization.size()) == kQuantization) return quantization_field(s, pointer);
  if (pointer == "/recipe/trainable_dtype") return trainable_dtype(s);
  if (pointer == "/recipe/base_dtype") return base_dtype(s);
  if (pointer == "/recipe/lora/dtype") return lora_dtype(s);
  if (pointer == "/recipe/loss") return loss(s);
  if (pointer == "/recipe/optimizer_impl") return optimizer_impl(s);
  if (pointer == "/recipe/gradient_accumulation_steps") return share_of_global_batch(s, "/recipe/per_device_train_batch_size");
  if (pointer == "/recipe/per_device_train_batch_size" && s.stated("/recipe/gradient_accumulation_steps"))
    return share_of_global_batch(s, "/recipe/gradient_accumulation_steps");
  if (pointer == "/recipe/kbit_prep" && s.get(std::string(kQuantization)).is_null()) return Derived{"none", ""};
  return {};
}

std::optional<Derived> derive_after_framework(Settings& s, std::string_view pointer) {
  if (pointer == "/recipe/loss_variant") {
    const auto variant = usual_variant(s.text("/recipe/loss"));
    if (!variant.empty()) return Derived{std::string(variant), "the usual code for this kind of loss"};
  }
  if (pointer == "/recipe/loss") {
    const auto kind = loss_of_variant(s.text("/recipe/loss_variant"));
    if (!kind.empty()) return Derived{std::string(kind), ""};
  }
  if (pointer == "/recipe/lora/dtype") {
    const Json& trained = s.get("/recipe/trainable_dtype");
    if (trained.is_string()) return Derived{trained, "as the other trained weights"};
  }
  if (pointer == "/recipe/eval/per_device_eval_batch_size") return Derived{s.get("/recipe/per_device_train_batch_size"), "as in training"};
  return {};
}

}  // namespace tunefit::json

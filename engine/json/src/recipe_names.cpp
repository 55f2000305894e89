#include "recipe_names.h"

#include <array>

namespace tunefit::json {

namespace {

constexpr Word<Method> kMethods[] = {
    {"full", Method::full},   {"freeze", Method::freeze}, {"lora", Method::lora},     {"qlora", Method::qlora},   {"dora", Method::lora},
    {"qdora", Method::qlora}, {"adalora", Method::lora},  {"vera", Method::lora},     {"loha", Method::lora},     {"lokr", Method::lora},
    {"oft", Method::lora},    {"ia3", Method::lora},      {"prompt", Method::prompt}, {"prefix", Method::prefix}, {"galore", Method::full},
    {"apollo", Method::full}, {"lisa", Method::freeze},   {"badam", Method::freeze},  {"lomo", Method::full}};
constexpr Word<AdapterKind> kAdapters[] = {{"lora", AdapterKind::lora},       {"dora", AdapterKind::dora}, {"qdora", AdapterKind::dora},
                                           {"adalora", AdapterKind::adalora}, {"vera", AdapterKind::vera}, {"loha", AdapterKind::loha},
                                           {"lokr", AdapterKind::lokr},       {"oft", AdapterKind::oft},   {"ia3", AdapterKind::ia3}};
constexpr Word<DType> kDTypes[] = {{"fp32", DType::fp32}, {"bf16", DType::bf16}, {"fp16", DType::fp16}};
constexpr Word<Scheme> kSchemes[] = {{"nf4", Scheme::nf4},     {"fp4", Scheme::fp4},   {"int8", Scheme::int8}, {"gptq4", Scheme::gptq4},
                                     {"gptq8", Scheme::gptq8}, {"awq4", Scheme::awq4}, {"hqq4", Scheme::hqq4}, {"hqq2", Scheme::hqq2},
                                     {"aqlm2", Scheme::aqlm2}, {"fp8", Scheme::fp8}};
constexpr Word<MixedPrecision> kMixed[] = {{"no", MixedPrecision::no}, {"bf16", MixedPrecision::bf16}, {"fp16", MixedPrecision::fp16}};
constexpr Word<Checkpointing> kCheckpointing[] = {
    {"none", Checkpointing::none}, {"full", Checkpointing::full}, {"unsloth", Checkpointing::unsloth}, {"offload", Checkpointing::offload}};
constexpr Word<RotaryDtype> kRotaryDtypes[] = {{"hidden", RotaryDtype::hidden}, {"fp32", RotaryDtype::fp32}};
constexpr Word<TowerTraining> kTowers[] = {{"frozen", TowerTraining::frozen}, {"lora", TowerTraining::lora}, {"full", TowerTraining::full}};
constexpr Word<AttentionImpl> kAttention[] = {{"eager", AttentionImpl::eager},
                                              {"sdpa", AttentionImpl::sdpa},
                                              {"flash_attention_2", AttentionImpl::flash_attention_2},
                                              {"flash_attention_3", AttentionImpl::flash_attention_3}};
constexpr Word<OptimizerImpl> kImpl[] = {
    {"for_loop", OptimizerImpl::for_loop}, {"foreach", OptimizerImpl::foreach}, {"fused", OptimizerImpl::fused}};
constexpr Word<Optimizer> kOptimizers[] = {{"adamw_torch", Optimizer::adamw},
                                           {"adamw_torch_fused", Optimizer::adamw},
                                           {"adamw_8bit", Optimizer::adamw_8bit},
                                           {"paged_adamw_8bit", Optimizer::paged_adamw_8bit},
                                           {"paged_adamw_32bit", Optimizer::paged_adamw_32bit},
                                           {"sgd", Optimizer::sgd},
                                           {"sgd_momentum", Optimizer::sgd_momentum},
                                           {"adamw_apex", Optimizer::adamw_apex},
                                           {"adamw_anyprecision", Optimizer::adamw_anyprecision},
                                           {"adamw_deepspeed_cpu", Optimizer::adamw_deepspeed_cpu},
                                           {"adafactor", Optimizer::adafactor},
                                           {"lion", Optimizer::lion},
                                           {"lion_8bit", Optimizer::lion_8bit},
                                           {"muon", Optimizer::muon},
                                           {"galore_adamw", Optimizer::galore_adamw},
                                           {"galore_adamw_8bit", Optimizer::galore_adamw_8bit},
                                           {"apollo", Optimizer::apollo},
                                           {"lomo", Optimizer::lomo},
                                           {"adalomo", Optimizer::adalomo},
                                           {"badam", Optimizer::adamw},
                                           {"ademamix", Optimizer::ademamix},
                                           {"came", Optimizer::came}};
constexpr Word<AdapterStyle> kAdapterStyles[] = {{"peft", AdapterStyle::peft}, {"plain", AdapterStyle::plain}};
constexpr Word<NormImpl> kNorms[] = {
    {"hf_rmsnorm", NormImpl::hf_rmsnorm}, {"litgpt_2023", NormImpl::litgpt_2023}, {"native", NormImpl::native}};
constexpr Word<RotaryTables> kRotaryTables[] = {{"load", RotaryTables::load}, {"fp32", RotaryTables::fp32}};
constexpr Word<RepeatKv> kRepeatKv[] = {{"never", RepeatKv::never}, {"always", RepeatKv::always}, {"with_mask", RepeatKv::with_mask}};

struct Variant {
  const char* name;
  LossVariant value;
  const char* loss;
  const char* also = "";          // the other form of the same code
  const char* transformers = "";  // the version whose code it is
};

constexpr Variant kVariants[] = {
    {"hf_from_4_50", LossVariant::hf_from_4_50, "full_logits"},
    {"hf_until_4_44", LossVariant::hf_until_4_44, "full_logits", "", "4.44.0"},
    {"hf_4_45", LossVariant::hf_4_45, "full_logits", "", "4.45.0"},
    {"hf_4_47", LossVariant::hf_4_47, "full_logits", "", "4.48.0"},
    {"no_upcast", LossVariant::no_upcast, "full_logits"},
    {"torchtune_full", LossVariant::torchtune_full, "full_logits"},
    {"fms_foak_8", LossVariant::fms_foak_8, "full_logits"},
    {"fms_foak_10", LossVariant::fms_foak_10, "full_logits"},
    {"trl_chunked", LossVariant::trl_chunked, "chunked"},
    {"torchtune_chunked", LossVariant::torchtune_chunked, "chunked"},
    {"litgpt_chunked_128", LossVariant::litgpt_chunked_128, "chunked"},
    {"liger", LossVariant::liger, "fused"},
    {"cut_cross_entropy", LossVariant::cut_cross_entropy, "fused"},
    {"unsloth", LossVariant::unsloth, "full_logits", "fused"},
};

constexpr auto kLossWords = [] {
  std::array<Word<LossVariant>, std::size(kVariants)> words{};
  for (std::size_t i = 0; i < std::size(kVariants); ++i) words[i] = {kVariants[i].name, kVariants[i].value};
  return words;
}();

const Variant* variant_named(std::string_view name) {
  for (const auto& v : kVariants)
    if (name == v.name) return &v;
  return nullptr;
}

}  // namespace

template <>
std::span<const Word<Method>> words<Method>() {
  return kMethods;
}
template <>
std::span<const Word<AdapterKind>> words<AdapterKind>() {
  return kAdapters;
}
template <>
std::span<const Word<DType>> words<DType>() {
  return kDTypes;
}
template <>
std::span<const Word<Scheme>> words<Scheme>() {
  return kSchemes;
}
template <>
std::span<const Word<MixedPrecision>> words<MixedPrecision>() {
  return kMixed;
}
template <>
std::span<const Word<Checkpointing>> words<Checkpointing>() {
  return kCheckpointing;
}
template <>
std::span<const Word<AttentionImpl>> words<AttentionImpl>() {
  return kAttention;
}
template <>
std::span<const Word<OptimizerImpl>> words<OptimizerImpl>() {
  return kImpl;
}
template <>
std::span<const Word<Optimizer>> words<Optimizer>() {
  return kOptimizers;
}
template <>
std::span<const Word<TowerTraining>> words<TowerTraining>() {
  return kTowers;
}
template <>
std::span<const Word<AdapterStyle>> words<AdapterStyle>() {
  return kAdapterStyles;
}
template <>
std::span<const Word<NormImpl>> words<NormImpl>() {
  return kNorms;
}
template <>
std::span<const Word<RotaryTables>> words<RotaryTables>() {
  return kRotaryTables;
}
template <>
std::span<const Word<RotaryDtype>> words<RotaryDtype>() {
  return kRotaryDtypes;
}
template <>
std::span<const Word<RepeatKv>> words<RepeatKv>() {
  return kRepeatKv;
}
template <>
std::span<const Word<LossVariant>> words<LossVariant>() {
  return kLossWords;
}

bool agrees(std::string_view loss, std::string_view loss_variant) {
  const Variant* v = variant_named(loss_variant);
  return !v || loss == v->loss || loss == v->also;
}

std::string_view loss_of_variant(std::string_view loss_variant) {
  const Variant* v = variant_named(loss_variant);
  return v ? v->loss : "";
}

const char* kin_of_method(std::string_view method) {
  const auto known = from_name<Method>(method);
  return known ? name_of(*known) : nullptr;
}

std::string_view transformers_of_variant(std::string_view loss_variant) {
  const Variant* v = variant_named(loss_variant);
  return v ? v->transformers : "";
}

std::string_view usual_variant(std::string_view loss) {
  for (const auto& v : kVariants)
    if (loss == v.loss) return v.name;
  return {};
}

}  // namespace tunefit::json

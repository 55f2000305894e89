// Decoders with experts and the usual attention.
#include <algorithm>

#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;
using Shared = ExpertFacts::Shared;

constexpr Flag kAttentionBias{"attention_bias", false};
constexpr Flag kUseBias{"use_bias", false};

constexpr ExpertFacts kAsWideAsMlp{.width = "intermediate_size"};
constexpr ExpertFacts kPlain{};
constexpr ExpertFacts kQwen2{.shared = Shared::by_width, .shared_gate = true};
constexpr ExpertFacts kGptOss{.width = "intermediate_size", .router_bias = true, .expert_bias = true};
constexpr ExpertFacts kMiniMax{.width = "intermediate_size", .score_correction = true};
constexpr ExpertFacts kMiniMaxM3{.shared = Shared::by_width, .score_correction = true};
constexpr ExpertFacts kByNumber{.shared = Shared::by_number};
constexpr ExpertFacts kCorrected{.shared = Shared::by_number, .score_correction = true};
constexpr ExpertFacts kErnie{.shared = Shared::by_number, .score_correction = true, .first_dense = 1};
constexpr ExpertFacts kGlm4{.shared = Shared::by_number, .score_correction = true, .first_dense = 1};
constexpr ExpertFacts kLlama4{.width = "intermediate_size", .shared = Shared::as_wide};
constexpr ExpertFacts kGraniteShared{.width = "intermediate_size", .shared = Shared::by_width};

// gpt-oss: clamped SwiGLU, a learned sink a head, and experts with biases.
void finish_gpt_oss(Fields&, Draft& d) {
  d.activation = "swiglu_oai";
  d.members["attention_sinks"] = true;
}

// MiniMax-M2: qk_norm_type per_layer is one weight over all heads.
void finish_minimax_m2(Fields& f, Draft& d) {
  if (!f.boolean("use_qk_norm", true)) d.qk_norm = "none";
  if (d.members.contains("moe") && !f.boolean("use_routing_bias", true)) d.members["moe"].erase("score_correction_bias");
}

// MiniMax-M3: intermediate_size is an expert's, dense_intermediate_size that of the dense layers.
void prepare_minimax_m3(Fields& f, Draft& d) { d.intermediate = f.required_integer("dense_intermediate_size", kIntermediate).value_or(0); }

void finish_minimax_m3(Fields& f, Draft& d) {
  d.activation = "swiglu_oai";
  if (f.find("sparse_attention_config"))
    f.warn("left_out", "sparse_attention_config", "The small index projections of block-sparse attention are left out of the count.",
           "a model without sparse_attention_config");
}

// DBRX keeps attention and experts one level down.
void prepare_dbrx(Fields& f, Draft& d) {
  const auto* ffn = f.object("ffn_config");
  const auto* attention = f.object("attn_config");
  if (attention) d.kv_heads = f.below("attn_config", *attention).integer("kv_n_heads", kHeads).value_or(1);
  if (!ffn) return;
  auto e = f.below("ffn_config", *ffn);
  d.intermediate = e.required_integer("ffn_hidden_size", kIntermediate).value_or(0);
  if (!e.find("moe_num_experts"))
    e.error("missing_field", "moe_num_experts", "The number of experts is missing.", "a whole number, for example 16");
}

void finish_dbrx(Fields& f, Draft& d) {
  const auto* ffn = f.object("ffn_config");
  if (!ffn) return f.error("missing_field", "ffn_config", "ffn_config is missing.", "an object with ffn_hidden_size and moe_num_experts");
  auto e = f.below("ffn_config", *ffn);
  read_experts(e, d, {.width = "ffn_hidden_size"});
}

// Experts are as wide as moe_intermediate_size says, else as the MLP.
void finish_hunyuan(Fields& f, Draft& d) {
  if (!f.boolean("use_qk_norm", true)) d.qk_norm = "none";
  ExpertFacts facts{.width = f.find("moe_intermediate_size") ? "moe_intermediate_size" : "intermediate_size"};
  facts.shared = f.find("num_shared_expert") ? Shared::by_number : Shared::as_wide;
  read_experts(f, d, facts);
}

void finish_bailing(Fields& f, Draft& d) {
  if (f.boolean("use_qkv_bias", false)) d.bias_qkv = true;
  if (f.boolean("use_qk_norm", false)) d.qk_norm = "per_head";
  if (d.members.contains("moe") && f.boolean("moe_router_enable_expert_bias", false)) d.members["moe"]["score_correction_bias"] = true;
}

// MiMo-V2: hybrid_layer_pattern has a 1 for each layer with a window; those have their own key and value heads, and sinks.
void finish_mimo_v2(Fields& f, Draft& d) {
  const auto pattern = f.integers("hybrid_layer_pattern", {0, 1});
  if (pattern.size() != static_cast<std::size_t>(d.layers))
    return f.error("inconsistent", "hybrid_layer_pattern", "hybrid_layer_pattern does not have an entry for each layer.",
                   "one a layer: 0 full attention, 1 sliding window");
  const auto sliding = std::count(pattern.begin(), pattern.end(), 1);
  const auto full_v = f.integer("v_head_dim", kHeadDim).value_or(d.head_dim);
  auto full = layer_group(d.layers - sliding, "full"), windowed = layer_group(sliding, "sliding");
  full["v_head_dim"] = full_v;
  windowed["v_head_dim"] = f.integer("swa_v_head_dim", kHeadDim).value_or(full_v);
  if (const auto kv = f.integer("swa_num_key_value_heads", kHeads); kv && *kv != d.kv_heads) windowed["num_kv_heads"] = *kv;
  if (const auto width = f.integer("swa_head_dim", kHeadDim); width && *width != d.head_dim) windowed["head_dim"] = *width;
  if (f.boolean("add_swa_attention_sink_bias", false)) windowed["sinks"] = true;
  if (f.boolean("add_full_attention_sink_bias", false)) full["sinks"] = true;
  set_groups(d, "attention_groups", {full, windowed});
  if (const auto window = f.integer({"sliding_window", "sliding_window_size"}, kPositions)) d.members["sliding_window"] = *window;
  d.members["layer_pattern"] = std::to_string(sliding) + " sliding, " + std::to_string(d.layers - sliding) + " full";
}

// clang-format off
constexpr ClassFacts kClasses[] = {
    {.name = "MixtralForCausalLM", .model_type = "mixtral", .kv_heads = 8, .window = {0, kAllLayers}, .experts = &kAsWideAsMlp},
    {.name = "Qwen2MoeForCausalLM", .model_type = "qwen2_moe", .bias_qkv = {"qkv_bias", true}, .kv_heads = 16,
     .window = {4096, kAsStated}, .experts = &kQwen2},
    {.name = "Qwen3MoeForCausalLM", .model_type = "qwen3_moe", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .qk_norm = "per_head", .kv_heads = 4, .window = {4096, kAsStated}, .experts = &kPlain},
    {.name = "OlmoeForCausalLM", .model_type = "olmoe", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .qk_norm = "full",
     .experts = &kAsWideAsMlp},
    {.name = "GraniteMoeForCausalLM", .model_type = "granitemoe", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .experts = &kAsWideAsMlp},
    {.name = "GraniteMoeSharedForCausalLM", .model_type = "granitemoeshared", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .experts = &kGraniteShared},
    {.name = "PhimoeForCausalLM", .model_type = "phimoe", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .norm = "layernorm",
     .kv_heads = 8, .window = {0, kAllLayers}, .lm_head_bias = {"lm_head_bias", false}, .experts = &kAsWideAsMlp},
    // Name of the class in the repositories of Phi-3.5-MoE.
    {.name = "PhiMoEForCausalLM", .model_type = "phimoe", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .norm = "layernorm",
     .kv_heads = 8, .window = {0, kAllLayers}, .lm_head_bias = {"lm_head_bias", false}, .experts = &kAsWideAsMlp},
    {.name = "DbrxForCausalLM", .model_type = "dbrx", .activation_field = nullptr, .norm = "layernorm_nobias",
     .prepare = prepare_dbrx, .finish = finish_dbrx},
    {.name = "GptOssForCausalLM", .model_type = "gpt_oss", .bias_qkv = {"attention_bias", true}, .bias_o = {"attention_bias", true},
     .head_dim = 64, .kv_heads = 8, .window = {128, 2}, .experts = &kGptOss, .finish = finish_gpt_oss},
    {.name = "Llama4ForCausalLM", .model_type = "llama4_text", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .head_dim = 128,
     .kv_heads = 8, .experts = &kLlama4, .own_layers = true, .finish = finish_llama4},
    {.name = "MiniMaxM2ForCausalLM", .model_type = "minimax_m2", .qk_norm = "full", .head_dim = 128, .kv_heads = 8,
     .experts = &kMiniMax, .finish = finish_minimax_m2},
    {.name = "MiniMaxM3ForCausalLM", .model_type = "minimax_m3", .activation_field = nullptr, .qk_norm = "per_head", .head_dim = 128,
     .kv_heads = 4, .experts = &kMiniMaxM3, .prepare = prepare_minimax_m3, .finish = finish_minimax_m3},
    {.name = "Ernie4_5_MoeForCausalLM", .model_type = "ernie4_5_moe", .bias_qkv = kUseBias, .bias_o = kUseBias, .mlp_bias = kUseBias,
     .tied = true, .kv_heads = 4, .experts = &kErnie},
    {.name = "Dots1ForCausalLM", .model_type = "dots1", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .qk_norm = "per_head",
     .window = {0, kAsStated}, .experts = &kCorrected},
    {.name = "HunYuanMoEV1ForCausalLM", .model_type = "hunyuan_v1_moe", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .qk_norm = "per_head", .finish = finish_hunyuan},
    {.name = "BailingMoeForCausalLM", .model_type = "bailing_moe", .bias_qkv = kUseBias, .bias_o = kUseBias, .mlp_bias = kUseBias,
     .experts = &kByNumber, .finish = finish_bailing},
    {.name = "BailingMoeV2ForCausalLM", .model_type = "bailing_moe_v2", .bias_qkv = kUseBias, .bias_o = kUseBias, .mlp_bias = kUseBias,
     .experts = &kByNumber, .finish = finish_bailing},
    {.name = "Glm4MoeForCausalLM", .model_type = "glm4_moe", .bias_qkv = kAttentionBias, .qk_norm = "per_head",
     .qk_norm_field = "use_qk_norm", .kv_heads = 8, .experts = &kGlm4},
    {.name = "DeepseekForCausalLM", .model_type = "deepseek", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .experts = &kByNumber},
    {.name = "MiMoV2FlashForCausalLM", .model_type = "mimo_v2_flash", .bias_qkv = kAttentionBias, .experts = &kCorrected,
     .own_layers = true, .finish = finish_mimo_v2},
};
// clang-format on

}  // namespace

std::span<const ClassFacts> expert_classes() { return kClasses; }

}  // namespace tunefit::json

#include "hf_classes.h"
#include "hf_decilm.h"
#include "hf_parts.h"

namespace tunefit::json {

namespace {

constexpr Flag kYes{nullptr, true};
constexpr Flag kAttentionBias{"attention_bias", false};
constexpr Flag kMlpBias{"mlp_bias", false};
constexpr Flag kBias{"bias", false};
constexpr Flag kUseBias{"use_bias", false};

// Falcon: one key and value head unless the newer decoder or multi_query: false says otherwise; the older sequential models
// (falcon-rw) have biases and ALiBi.
void finish_falcon(Fields& f, Draft& d) {
  const bool newer = f.boolean("new_decoder_architecture", false);
  if (!newer) d.kv_heads = f.boolean("multi_query", true) ? 1 : d.heads;
  const bool parallel = f.boolean("parallel_attn", true);
  const auto stated = f.integer("num_ln_in_parallel_attn", {1, 2});
  d.norms = parallel ? static_cast<int>(stated.value_or(newer ? 2 : 1)) : 2;
  d.parallel_residual_stated = true, d.parallel_residual = parallel;
  if (f.boolean("alibi", false)) d.position = "alibi";
}

void finish_gpt_bigcode(Fields& f, Draft& d) { d.kv_heads = f.boolean("multi_query", true) ? 1 : d.heads; }

void finish_chatglm(Fields& f, Draft& d) {
  if (!f.boolean("multi_query_attention", false)) d.kv_heads = d.heads;
  if (!f.boolean("rmsnorm", true)) d.norm = "layernorm";
  if (f.boolean("add_bias_linear", false)) d.bias_qkv = true;
  if (!f.boolean("post_layer_norm", true))
    f.error("unsupported_feature", "post_layer_norm", "post_layer_norm is false: no final norm.", "true");
}

// The 13B models have code of their own: ALiBi, and model_max_length for max_position_embeddings.
void finish_baichuan(Fields& f, Draft& d) {
  if (f.find("max_position_embeddings") || !f.find("model_max_length")) return;
  d.positions = f.integer("model_max_length", kPositions).value_or(0);
  d.position = "alibi";
}

// Qwen 1: intermediate_size counts gate and up projection together.
void finish_qwen(Fields& f, Draft& d) {
  if (d.intermediate % 2 != 0) f.error("inconsistent", "intermediate_size", "intermediate_size is odd.", "twice the width of the MLP");
  d.intermediate /= 2;
  const bool bias = !f.boolean("no_bias", true);
  d.bias_o = d.mlp_bias = bias;
}

void finish_gpt_neox(Fields& f, Draft& d) {
  d.parallel_residual_stated = true;
  d.parallel_residual = f.boolean("use_parallel_residual", true);
}

// With a parallel residual StableLM has no norm of its own before the MLP.
void finish_stablelm(Fields& f, Draft& d) {
  d.parallel_residual_stated = true;
  d.parallel_residual = f.boolean("use_parallel_residual", false);
  if (d.parallel_residual) d.norms = 1;
}

void finish_phi(Fields& f, Draft&) {
  if (f.boolean("qk_layernorm", false))
    f.error("unsupported_feature", "qk_layernorm", "qk_layernorm is true: layer norms on queries and keys are not read yet.", "false");
}

void finish_opt(Fields& f, Draft& d) {
  const auto width = f.integer("word_embed_proj_dim", kHidden);
  if (width && d.hidden > 0 && *width != d.hidden)
    f.error("unsupported_feature", "word_embed_proj_dim", "The embedding is narrower than the layers (opt-350m), which is not read yet.",
            "the same as hidden_size, " + std::to_string(d.hidden));
  if (!f.boolean("do_layer_norm_before", true))
    f.error("unsupported_feature", "do_layer_norm_before", "Norms after the residual (opt-350m) are not read yet.", "true");
  if (!f.boolean("layer_norm_elementwise_affine", true)) d.norm = "nonparametric";
}

// MPT keeps its attention settings one level down and its MLP width as a ratio.
void finish_mpt(Fields& f, Draft& d) {
  d.intermediate = f.integer("expansion_ratio", {1, 64}).value_or(4) * d.hidden;
  const auto* attention = f.find("attn_config");
  if (!attention) return;
  if (!attention->is_object()) return f.error("wrong_type", "attn_config", "attn_config is " + quoted(*attention) + ".", "an object");
  auto a = f.below("attn_config", *attention);
  if (const auto kv = a.integer("kv_n_heads", kHeads)) d.kv_heads = *kv;
  if (a.text("attn_type", "multihead_attention") == "multiquery_attention") d.kv_heads = 1;
  if (a.boolean("qk_ln", false)) d.qk_norm = "full";
}

// SmolLM3 leaves out rotary positions in every fourth layer.
void finish_smollm3(Fields& f, Draft& d) {
  if (f.boolean("use_sliding_window", false))
    f.error("unsupported_feature", "use_sliding_window", "Sliding windows are not read for this class yet.", "false");
  const auto every = f.integer("no_rope_layer_interval", kLayers).value_or(4);
  const auto* list = f.find("no_rope_layers");
  const bool usable = list && list->is_array() && list->size() >= static_cast<std::size_t>(d.layers);
  if (list && !usable) f.error("wrong_type", "no_rope_layers", "no_rope_layers is " + quoted(*list) + ".", "a list of one 0 or 1 a layer");
  if (d.kinds.empty()) d.kinds.assign(static_cast<std::size_t>(d.layers), LayerKind::full);
  for (std::size_t i = 0; i < d.kinds.size(); ++i) {
    const bool rope = usable ? (*list)[i] != nlohmann::json(0) : (static_cast<std::int64_t>(i) + 1) % every != 0;
    if (!rope && d.kinds[i] == LayerKind::full) d.kinds[i] = LayerKind::full_nope;
  }
}

// xIELU has two scalars a layer.
void finish_apertus(Fields&, Draft& d) { add_parameters(d, "xIELU alpha_p, alpha_n per layer", 2 * d.layers); }

// BitNet has a norm before each output projection, of attention and of the MLP.
void finish_bitnet(Fields&, Draft& d) {
  add_parameters(d, "attn_sub_norm h + ffn_sub_norm i per layer", d.layers * (d.heads * d.head_dim + d.intermediate));
}

// Sources: transformers' configuration and modelling classes, for the rest the model repository's own code (facts as of 2026).
// kv_heads, head_dim and window are the class's defaults for a field that is absent.
// clang-format off
constexpr ClassFacts kClasses[] = {
    {.name = "LlamaForCausalLM", .model_type = "llama", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .mlp_bias = kMlpBias, .sparse = {4096, 11008, 32, 32, 32000, 2048}},
    {.name = "MistralForCausalLM", .model_type = "mistral", .kv_heads = 8, .window = {4096, kAllLayers}, .sparse = {4096, 14336, 32, 32, 32000, 131072}},
    {.name = "Ministral3ForCausalLM", .model_type = "ministral3", .head_dim = 128, .kv_heads = 8, .window = {0, kAllLayers}, .sparse = {4096, 14336, 34, 32, 131072, 262144}},
    {.name = "Qwen2ForCausalLM", .model_type = "qwen2", .bias_qkv = kYes, .kv_heads = 32, .window = {4096, kAsStated}, .sparse = {4096, 22016, 32, 32, 151936, 32768}},
    {.name = "Qwen3ForCausalLM", .model_type = "qwen3", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .qk_norm = "per_head",
     .head_dim = 128, .kv_heads = 32, .window = {4096, kAsStated}, .sparse = {4096, 22016, 32, 32, 151936, 32768}},
    {.name = "GemmaForCausalLM", .model_type = "gemma", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .activation_field = "hidden_activation", .activation = "gelu_pytorch_tanh", .tied = true, .head_dim = 256, .kv_heads = 16, .sparse = {3072, 24576, 28, 16, 256000, 8192}},
    {.name = "Gemma2ForCausalLM", .model_type = "gemma2", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .activation_field = "hidden_activation", .activation = "gelu_pytorch_tanh", .norms = 4, .tied = true, .head_dim = 256, .kv_heads = 4,
     .window = {4096, 2}, .sparse = {2304, 9216, 26, 8, 256000, 8192}},
    {.name = "Gemma3ForCausalLM", .model_type = "gemma3_text", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .activation_field = "hidden_activation", .activation = "gelu_pytorch_tanh", .norms = 4, .qk_norm = "per_head", .tied = true,
     .head_dim = 256, .kv_heads = 4, .window = {4096, 6}, .sparse = {2304, 9216, 26, 8, 262208, 131072}},
    {.name = "PhiForCausalLM", .model_type = "phi", .bias_qkv = kYes, .bias_o = kYes, .mlp_bias = kYes, .activation = "gelu_new",
     .gated = false, .norm = "layernorm", .norms = 1, .intermediate_factor = 4, .lm_head_bias = {nullptr, true}, .finish = finish_phi},
    {.name = "Phi3ForCausalLM", .model_type = "phi3", .window = {0, kAllLayers}},
    {.name = "SmolLM3ForCausalLM", .model_type = "smollm3", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .mlp_bias = kMlpBias,
     .tied = true, .kv_heads = 4, .finish = finish_smollm3},
    {.name = "OlmoForCausalLM", .model_type = "olmo", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .norm = "nonparametric"},
    {.name = "Olmo2ForCausalLM", .model_type = "olmo2", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .qk_norm = "full"},
    {.name = "Olmo3ForCausalLM", .model_type = "olmo3", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .qk_norm = "full",
     .window = {4096, 4}},
    {.name = "GraniteForCausalLM", .model_type = "granite", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .mlp_bias = kMlpBias},
    {.name = "CohereForCausalLM", .model_type = "cohere", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .norm = "layernorm_nobias",
     .norms = 1, .qk_norm = "full", .qk_norm_field = "use_qk_norm", .tied = true},
    {.name = "Cohere2ForCausalLM", .model_type = "cohere2", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .norm = "layernorm_nobias", .norms = 1, .tied = true, .window = {4096, 4, false}},
    {.name = "StableLmForCausalLM", .model_type = "stablelm", .bias_qkv = {"use_qkv_bias", false}, .norm = "layernorm", .qk_norm = "full",
     .qk_norm_field = "qk_layernorm", .kv_heads = 32, .finish = finish_stablelm},
    {.name = "Starcoder2ForCausalLM", .model_type = "starcoder2", .bias_qkv = {"use_bias", true}, .bias_o = {"use_bias", true},
     .mlp_bias = {"use_bias", true}, .activation = "gelu_pytorch_tanh", .gated = false, .norm = "layernorm", .tied = true, .kv_heads = 2,
     .window = {0, kAllLayers}},
    {.name = "GPTNeoXForCausalLM", .model_type = "gpt_neox", .bias_qkv = {"attention_bias", true}, .bias_o = {"attention_bias", true},
     .mlp_bias = kYes, .activation = "gelu", .gated = false, .norm = "layernorm", .finish = finish_gpt_neox},
    {.name = "GPTJForCausalLM", .model_type = "gptj", .mlp_bias = kYes, .activation_field = "activation_function", .activation = "gelu_new",
     .gated = false, .norm = "layernorm", .norms = 1, .intermediate_factor = 4, .lm_head_bias = {nullptr, true}},
    {.name = "GPT2LMHeadModel", .model_type = "gpt2", .bias_qkv = kYes, .bias_o = kYes, .mlp_bias = kYes,
     .activation_field = "activation_function", .activation = "gelu_new", .gated = false, .norm = "layernorm", .tied = true,
     .intermediate_factor = 4, .position = "learned"},
    {.name = "GPTBigCodeForCausalLM", .model_type = "gpt_bigcode", .bias_qkv = kYes, .bias_o = kYes, .mlp_bias = kYes,
     .activation_field = "activation_function", .activation = "gelu_pytorch_tanh", .gated = false, .norm = "layernorm", .tied = true,
     .intermediate_factor = 4, .position = "learned", .finish = finish_gpt_bigcode},
    {.name = "OPTForCausalLM", .model_type = "opt", .bias_qkv = {"enable_bias", true}, .bias_o = {"enable_bias", true},
     .mlp_bias = {"enable_bias", true}, .activation_field = "activation_function", .activation = "relu", .gated = false,
     .norm = "layernorm", .tied = true, .position = "learned", .position_rows_extra = 2, .finish = finish_opt},
    {.name = "BloomForCausalLM", .model_type = "bloom", .bias_qkv = kYes, .bias_o = kYes, .mlp_bias = kYes, .activation_field = nullptr,
     .activation = "gelu", .gated = false, .norm = "layernorm", .tied = true, .intermediate_factor = 4, .position = "alibi",
     .embedding_norm = "layernorm"},
    {.name = "MptForCausalLM", .model_type = "mpt", .activation_field = nullptr, .activation = "gelu", .gated = false,
     .norm = "layernorm_nobias", .tied = true, .intermediate_factor = 4, .position = "alibi", .finish = finish_mpt},
    {.name = "MPTForCausalLM", .model_type = "mpt", .activation_field = nullptr, .activation = "gelu", .gated = false,
     .norm = "layernorm_nobias", .tied = true, .intermediate_factor = 4, .position = "alibi", .finish = finish_mpt},
    {.name = "FalconForCausalLM", .model_type = "falcon", .bias_qkv = kBias, .bias_o = kBias, .mlp_bias = kBias,
     .activation_field = "activation", .activation = "gelu", .gated = false, .norm = "layernorm", .norms = 1, .tied = true,
     .intermediate_factor = 4, .finish = finish_falcon},
    {.name = "GlmForCausalLM", .model_type = "glm", .bias_qkv = {"attention_bias", false}, .head_dim = 128, .kv_heads = 2},
    {.name = "Glm4ForCausalLM", .model_type = "glm4", .bias_qkv = {"attention_bias", true}, .norms = 4, .head_dim = 128, .kv_heads = 2},
    {.name = "ChatGLMModel", .model_type = "chatglm", .bias_qkv = {"add_qkv_bias", false}, .bias_o = {"add_bias_linear", false},
     .mlp_bias = {"add_bias_linear", false}, .activation_field = nullptr, .finish = finish_chatglm},
    {.name = "Ernie4_5ForCausalLM", .model_type = "ernie4_5", .bias_qkv = kUseBias, .bias_o = kUseBias, .mlp_bias = kUseBias, .tied = true,
     .head_dim = 128, .kv_heads = 2},
    {.name = "HunYuanDenseV1ForCausalLM", .model_type = "hunyuan_v1_dense", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .qk_norm = "per_head"},
    {.name = "SeedOssForCausalLM", .model_type = "seed_oss", .bias_qkv = {"attention_bias", true}, .bias_o = {"attention_out_bias", false},
     .mlp_bias = kMlpBias, .head_dim = 128, .kv_heads = 8},
    {.name = "ArceeForCausalLM", .model_type = "arcee", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .mlp_bias = kMlpBias,
     .activation = "relu2", .gated = false},
    {.name = "NemotronForCausalLM", .model_type = "nemotron", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .mlp_bias = kMlpBias,
     .activation = "relu2", .gated = false, .norm = "layernorm"},
    {.name = "ExaoneForCausalLM", .model_type = "exaone", .activation_field = "activation_function", .tied = true},
    {.name = "Exaone4ForCausalLM", .model_type = "exaone4", .qk_norm = "per_head", .kv_heads = 32, .window = {4096, 4, false}},
    {.name = "BaichuanForCausalLM", .model_type = "baichuan", .finish = finish_baichuan},
    {.name = "InternLMForCausalLM", .model_type = "internlm", .bias_qkv = {"bias", true}, .bias_o = {"bias", true}},
    {.name = "InternLM2ForCausalLM", .model_type = "internlm2", .bias_qkv = kBias, .bias_o = kBias},
    {.name = "InternLM3ForCausalLM", .model_type = "internlm3", .bias_qkv = {"qkv_bias", false}, .bias_o = kBias, .mlp_bias = kBias},
    {.name = "MiniCPMForCausalLM", .model_type = "minicpm", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .tied = true},
    {.name = "OrionForCausalLM", .model_type = "orion", .norm = "layernorm"},
    {.name = "QWenLMHeadModel", .model_type = "qwen", .bias_qkv = kYes, .activation_field = nullptr, .head_dim = 128,
     .finish = finish_qwen},
    {.name = "MiMoForCausalLM", .model_type = "mimo", .bias_qkv = {"attention_bias", true}, .head_dim = 128, .kv_heads = 32,
     .window = {0, kAsStated}},
    {.name = "ApertusForCausalLM", .model_type = "apertus", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .mlp_bias = kMlpBias,
     .activation = "xielu", .gated = false, .qk_norm = "per_head", .finish = finish_apertus},
    {.name = "BitNetForCausalLM", .model_type = "bitnet", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias, .activation = "relu2",
     .finish = finish_bitnet},
    {.name = "DeciLMForCausalLM", .model_type = "nemotron-nas", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .mlp_bias = kMlpBias, .prepare = prepare_decilm, .finish = finish_decilm},
};
// clang-format on

}  // namespace

std::span<const ClassFacts> dense_classes() { return kClasses; }

}  // namespace tunefit::json

// Decoders with a vision or audio tower. The row of the decoder says the rest.
#include "hf_classes_gemma.h"
#include "hf_towers.h"

namespace tunefit::json {

namespace {

constexpr Flag kAttentionBias{"attention_bias", false};

constexpr NestedFacts kLlava{.decoder = "LlamaForCausalLM", .towers = llava_tower, .tower_by_default = true, .either_ties = true};
constexpr NestedFacts kLlavaNext{.decoder = "LlamaForCausalLM", .towers = llava_tower, .tower_by_default = true};
constexpr NestedFacts kOneVision{.decoder = "Qwen2ForCausalLM", .towers = llava_tower, .tower_by_default = true, .either_ties = true};
constexpr NestedFacts kGemma3{.decoder = "Gemma3ForCausalLM", .towers = gemma3_tower};
constexpr NestedFacts kGemma3n{.decoder = "Gemma3nForCausalLM", .towers = gemma3n_tower};
constexpr NestedFacts kGemma4{.decoder = "Gemma4ForCausalLM", .towers = gemma4_tower};
constexpr NestedFacts kPaliGemma{.decoder = "GemmaForCausalLM", .towers = paligemma_tower};
constexpr NestedFacts kMistral3{.decoder = "MistralForCausalLM", .towers = mistral3_tower};
constexpr NestedFacts kIdefics3{.decoder = "LlamaForCausalLM", .towers = idefics3_tower};
constexpr NestedFacts kInternVl{.decoder = "Qwen2ForCausalLM", .towers = internvl_tower};
constexpr NestedFacts kInternVlChat{.field = "llm_config", .decoder = "LlamaForCausalLM", .towers = internvl_tower};
constexpr NestedFacts kQwen2Vl{.decoder = "Qwen2ForCausalLM", .towers = qwen2_tower};
constexpr NestedFacts kQwen25Vl{.decoder = "Qwen2ForCausalLM", .towers = qwen25_tower};
constexpr NestedFacts kQwen3Vl{.decoder = "Qwen3ForCausalLM", .towers = qwen3_tower};
constexpr NestedFacts kQwen3VlMoe{.decoder = "Qwen3MoeForCausalLM", .towers = qwen3_tower};
constexpr NestedFacts kQwen35{.decoder = "Qwen3_5ForCausalLM", .towers = qwen3_tower};
constexpr NestedFacts kQwen35Moe{.decoder = "Qwen3_5MoeForCausalLM", .towers = qwen3_tower};
constexpr NestedFacts kLlama4{.decoder = "Llama4ForCausalLM", .towers = llama4_tower};
constexpr NestedFacts kMllama{.decoder = "LlamaForCausalLM", .towers = mllama_tower};
constexpr NestedFacts kKimi{.decoder = "DeepseekV3ForCausalLM", .towers = kimi_tower};
constexpr NestedFacts kPhi3V{.decoder = "Phi3ForCausalLM", .towers = phi3v_tower};
constexpr NestedFacts kVoxtral{.decoder = "LlamaForCausalLM", .towers = voxtral_tower};

// clang-format off
constexpr ClassFacts kClasses[] = {
    {.name = "LlavaForConditionalGeneration", .model_type = "llava", .nested = &kLlava},
    {.name = "LlavaNextForConditionalGeneration", .model_type = "llava_next", .nested = &kLlavaNext},
    {.name = "LlavaOnevisionForConditionalGeneration", .model_type = "llava_onevision", .nested = &kOneVision},
    {.name = "Gemma3ForConditionalGeneration", .model_type = "gemma3", .nested = &kGemma3},
    {.name = "Gemma3nForConditionalGeneration", .model_type = "gemma3n", .nested = &kGemma3n},
    {.name = "Gemma4ForConditionalGeneration", .model_type = "gemma4", .nested = &kGemma4},
    {.name = "PaliGemmaForConditionalGeneration", .model_type = "paligemma", .nested = &kPaliGemma},
    {.name = "Mistral3ForConditionalGeneration", .model_type = "mistral3", .nested = &kMistral3},
    {.name = "Idefics3ForConditionalGeneration", .model_type = "idefics3", .nested = &kIdefics3},
    {.name = "SmolVLMForConditionalGeneration", .model_type = "smolvlm", .nested = &kIdefics3},
    {.name = "InternVLForConditionalGeneration", .model_type = "internvl", .nested = &kInternVl},
    {.name = "InternVLChatModel", .model_type = "internvl_chat", .nested = &kInternVlChat},
    {.name = "Qwen2VLForConditionalGeneration", .model_type = "qwen2_vl", .nested = &kQwen2Vl},
    {.name = "Qwen2_5_VLForConditionalGeneration", .model_type = "qwen2_5_vl", .nested = &kQwen25Vl},
    {.name = "Qwen3VLForConditionalGeneration", .model_type = "qwen3_vl", .nested = &kQwen3Vl},
    {.name = "Qwen3VLMoeForConditionalGeneration", .model_type = "qwen3_vl_moe", .nested = &kQwen3VlMoe},
    {.name = "Qwen3_5ForConditionalGeneration", .model_type = "qwen3_5", .nested = &kQwen35},
    {.name = "Qwen3_5MoeForConditionalGeneration", .model_type = "qwen3_5_moe", .nested = &kQwen35Moe},
    {.name = "Llama4ForConditionalGeneration", .model_type = "llama4", .nested = &kLlama4},
    {.name = "MllamaForConditionalGeneration", .model_type = "mllama", .nested = &kMllama},
    {.name = "KimiVLForConditionalGeneration", .model_type = "kimi_vl", .nested = &kKimi},
    {.name = "KimiK25ForConditionalGeneration", .model_type = "kimi_k25", .nested = &kKimi},
    {.name = "Phi3VForCausalLM", .model_type = "phi3_v", .nested = &kPhi3V},
    {.name = "VoxtralForConditionalGeneration", .model_type = "voxtral", .nested = &kVoxtral},
    // Their decoders alone.
    {.name = "Gemma3nForCausalLM", .model_type = "gemma3n_text", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .activation_field = "hidden_activation", .activation = "gelu_pytorch_tanh", .norms = 4, .qk_norm = "per_head", .tied = true,
     .head_dim = 256, .kv_heads = 2, .window = {512, 5}, .sparse = {2048, 16384, 35, 8, 262400, 32768}, .prepare = prepare_gemma3n,
     .finish = finish_gemma3n},
    {.name = "Gemma4ForCausalLM", .model_type = "gemma4_text", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .activation_field = "hidden_activation", .activation = "gelu_pytorch_tanh", .norms = 4, .qk_norm = "per_head", .tied = true,
     .head_dim = 256, .kv_heads = 4, .window = {512, 6}, .sparse = {2304, 9216, 30, 8, 262144, 131072}, .finish = finish_gemma4},
};
// clang-format on

}  // namespace

std::span<const ClassFacts> multimodal_classes() { return kClasses; }

}  // namespace tunefit::json

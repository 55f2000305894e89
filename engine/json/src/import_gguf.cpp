#include "import_gguf.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "hf_fields.h"
#include "words.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

// general.architecture of llama.cpp (src/llama-arch.cpp) and the class whose weights it holds.
struct Known {
  const char* architecture;
  const char* name;
};

constexpr std::array kKnown{Known{"llama", "LlamaForCausalLM"},
                            Known{"mistral", "MistralForCausalLM"},
                            Known{"mistral3", "Ministral3ForCausalLM"},
                            Known{"qwen2", "Qwen2ForCausalLM"},
                            Known{"qwen2moe", "Qwen2MoeForCausalLM"},
                            Known{"qwen3", "Qwen3ForCausalLM"},
                            Known{"qwen3moe", "Qwen3MoeForCausalLM"},
                            Known{"gemma", "GemmaForCausalLM"},
                            Known{"gemma2", "Gemma2ForCausalLM"},
                            Known{"gemma3", "Gemma3ForCausalLM"},
                            Known{"phi2", "PhiForCausalLM"},
                            Known{"phi3", "Phi3ForCausalLM"},
                            Known{"phimoe", "PhimoeForCausalLM"},
                            Known{"starcoder2", "Starcoder2ForCausalLM"},
                            Known{"stablelm", "StableLmForCausalLM"},
                            Known{"falcon", "FalconForCausalLM"},
                            Known{"gptneox", "GPTNeoXForCausalLM"},
                            Known{"gpt2", "GPT2LMHeadModel"},
                            Known{"bloom", "BloomForCausalLM"},
                            Known{"olmo2", "Olmo2ForCausalLM"},
                            Known{"olmoe", "OlmoeForCausalLM"},
                            Known{"command-r", "CohereForCausalLM"},
                            Known{"cohere2", "Cohere2ForCausalLM"},
                            Known{"granite", "GraniteForCausalLM"},
                            Known{"granitemoe", "GraniteMoeForCausalLM"},
                            Known{"deepseek", "DeepseekForCausalLM"},
                            Known{"deepseek2", "DeepseekV2ForCausalLM"},
                            Known{"glm4", "Glm4ForCausalLM"},
                            Known{"glm4moe", "Glm4MoeForCausalLM"},
                            Known{"gpt-oss", "GptOssForCausalLM"},
                            Known{"internlm2", "InternLM2ForCausalLM"},
                            Known{"minicpm", "MiniCPMForCausalLM"},
                            Known{"minicpm3", "MiniCPM3ForCausalLM"},
                            Known{"orion", "OrionForCausalLM"},
                            Known{"exaone", "ExaoneForCausalLM"},
                            Known{"exaone4", "Exaone4ForCausalLM"},
                            Known{"nemotron", "NemotronForCausalLM"},
                            Known{"smollm3", "SmolLM3ForCausalLM"},
                            Known{"seed_oss", "SeedOssForCausalLM"},
                            Known{"ernie4_5", "Ernie4_5ForCausalLM"},
                            Known{"hunyuan-dense", "HunYuanDenseV1ForCausalLM"},
                            Known{"dots1", "Dots1ForCausalLM"},
                            Known{"arcee", "ArceeForCausalLM"}};

class Metadata {
 public:
  Metadata(const json& metadata, std::string architecture) : metadata_(metadata), prefix_(std::move(architecture) + ".") {}

  const json* find(const std::string& key) const {
    const auto it = metadata_.find(prefix_ + key);
    return it == metadata_.end() || it->is_null() ? nullptr : &*it;
  }
  // Copies a value under its name in config.json; of a list (one a layer) the largest.
  void copy(const char* key, json& config, const char* field) const {
    const auto* value = find(key);
    if (!value) return;
    config[field] = value->is_array() && !value->empty() ? *std::max_element(value->begin(), value->end()) : *value;
  }

 private:
  const json& metadata_;
  std::string prefix_;
};

const TensorGroup* named(const std::vector<TensorGroup>& tensors, std::string_view name) {
  const auto it = std::find_if(tensors.begin(), tensors.end(), [&](const TensorGroup& t) { return t.name == name; });
  return it == tensors.end() ? nullptr : &*it;
}

bool any_ends_with(const std::vector<TensorGroup>& tensors, std::string_view ending) {
  return std::any_of(tensors.begin(), tensors.end(), [&](const TensorGroup& t) { return t.name.ends_with(ending); });
}

// Latent attention: llama.cpp keeps the key's length with and without positions.
void latent(const Metadata& m, json& config) {
  const auto* rank = m.find("attention.kv_lora_rank");
  if (!rank) return;
  config["kv_lora_rank"] = *rank;
  config["q_lora_rank"] = nullptr;
  if (const auto* q = m.find("attention.q_lora_rank"); q && *q != json(0)) config["q_lora_rank"] = *q;
  const auto* key = m.find("attention.key_length_mla");
  if (!key) key = m.find("attention.key_length");
  const auto* rope = m.find("rope.dimension_count");
  std::int64_t whole = 0, turned = 0;
  if (key && rope && whole_number(*key, whole) && whole_number(*rope, turned) && whole > turned) {
    config["qk_rope_head_dim"] = turned;
    config["qk_nope_head_dim"] = whole - turned;
  }
  const auto* value = m.find("attention.value_length_mla");
  if (!value) value = m.find("attention.value_length");
  if (value) config["v_head_dim"] = *value;
  config.erase("head_dim");
}

void experts(const Metadata& m, json& config) {
  const auto* count = m.find("expert_count");
  if (!count || *count == json(0)) return;
  for (const char* field : {"num_experts", "num_local_experts", "n_routed_experts"}) config[field] = *count;
  m.copy("expert_used_count", config, "num_experts_per_tok");
  config["moe_intermediate_size"] = config.value("intermediate_size", json());
  m.copy("expert_feed_forward_length", config, "moe_intermediate_size");
  m.copy("expert_shared_feed_forward_length", config, "shared_expert_intermediate_size");
  m.copy("expert_shared_count", config, "n_shared_experts");
  m.copy("leading_dense_block_count", config, "first_k_dense_replace");
}

}  // namespace

bool config_from_gguf(const json& gguf, json& config, std::vector<TensorGroup>& tensors, Findings& findings) {
  const auto metadata = gguf.is_object() ? gguf.find("metadata") : gguf.end();
  if (!gguf.is_object() || metadata == gguf.end() || !metadata->is_object()) {
    findings.push_back({"error", "missing_field", "/metadata", "This is no GGUF header: metadata is missing.",
                        "{\"metadata\": {...}, \"tensors\": [...]}, as the page reads it from the file"});
    return false;
  }
  const auto architecture = metadata->find("general.architecture");
  if (architecture == metadata->end() || !architecture->is_string()) {
    findings.push_back({"error", "missing_field", "/metadata/general.architecture", "The file does not name its architecture.",
                        "a text, for example \"llama\""});
    return false;
  }
  const auto& name = architecture->get_ref<const std::string&>();
  if (const auto given = gguf.find("tensors"); given != gguf.end() && !read_tensors({{"tensors", *given}}, tensors, findings)) return false;
  for (auto& t : tensors) std::reverse(t.shape.begin(), t.shape.end());

  const Metadata m(*metadata, name);
  const auto* known = std::find_if(kKnown.begin(), kKnown.end(), [&](const Known& k) { return name == k.architecture; });
  std::string type = known != kKnown.end() ? known->name : name;
  if (name == "llama" && m.find("expert_count") && *m.find("expert_count") != json(0)) type = "MixtralForCausalLM";
  config = {{"architectures", {type}}, {"torch_dtype", "bfloat16"}};
  m.copy("embedding_length", config, "hidden_size");
  m.copy("block_count", config, "num_hidden_layers");
  m.copy("feed_forward_length", config, "intermediate_size");
  m.copy("attention.head_count", config, "num_attention_heads");
  m.copy("attention.head_count_kv", config, "num_key_value_heads");
  m.copy("attention.key_length", config, "head_dim");
  m.copy("context_length", config, "max_position_embeddings");
  m.copy("vocab_size", config, "vocab_size");
  m.copy("attention.sliding_window", config, "sliding_window");
  if (type == "MixtralForCausalLM") config.erase("moe_intermediate_size");
  experts(m, config);
  latent(m, config);
  const auto* embedding = named(tensors, "token_embd.weight");
  if (embedding && embedding->shape.size() == 2) {
    config["vocab_size"] = embedding->shape[0];
    config["tie_word_embeddings"] = named(tensors, "output.weight") == nullptr;
  } else if (const auto tokens = metadata->find("tokenizer.ggml.tokens"); tokens != metadata->end() && !config.contains("vocab_size")) {
    config["vocab_size"] = tokens->is_array() ? json(tokens->size()) : tokens->is_object() ? tokens->value("length", json()) : json();
  }
  if (any_ends_with(tensors, "attn_q.bias") || any_ends_with(tensors, "attn_qkv.bias"))
    for (const char* field : {"attention_bias", "use_qkv_bias", "qkv_bias"}) config[field] = true;
  findings.push_back({"warning", "gguf_not_trainable", "",
                      "A GGUF file is for inference; the usual frameworks train the safetensors it was made from.",
                      "train the original model (its Hugging Face repository), then convert the result to GGUF; sized as that model"});
  return true;
}

}  // namespace tunefit::json

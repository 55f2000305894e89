// Decoders with latent attention: DeepSeek-V2 and later, Kimi, GLM-4.7 Flash and GLM-5, MiniCPM3.
#include <algorithm>

#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;
using Shared = ExpertFacts::Shared;

constexpr Flag kAttentionBias{"attention_bias", false};
constexpr ExpertFacts kV2{.shared = Shared::by_number};
constexpr ExpertFacts kV3{.shared = Shared::by_number, .score_correction = true, .first_dense = 3};
constexpr ExpertFacts kGlmLite{.shared = Shared::by_number, .score_correction = true, .first_dense = 1};
constexpr ExpertFacts kKimiLinear{.shared = Shared::by_number, .score_correction = true};
constexpr ExpertFacts kV4{.shared = Shared::by_number, .score_correction = true};

constexpr Range kRank{1, 1 << 20}, kPart{0, 8192};

// Heads of latent attention are as wide as both parts of a key; every head has its own key and value.
void prepare_latent(Fields& f, Draft& d) {
  d.heads = f.integer("num_attention_heads", kHeads).value_or(0);
  d.kv_heads = d.heads;
  d.head_dim = f.integer("qk_nope_head_dim", kPart).value_or(0) + f.integer("qk_rope_head_dim", kPart).value_or(0);
}

void finish_latent(Fields& f, Draft& d) { read_latent(f, d); }

// DeepSeek-V3.2 and GLM-5: an indexer chooses the positions; in GLM-5.2 only some layers have one of their own.
void finish_indexed(Fields& f, Draft& d) {
  read_latent(f, d);
  const auto indexer = read_indexer(f);
  if (indexer.is_null()) return;
  const auto types = layer_words(f, "indexer_types", d.layers, {"full", "shared"});
  const auto own = std::count(types.begin(), types.end(), "full");
  if (types.empty() || own == d.layers) {
    d.members["mla"]["indexer"] = indexer;
    return;
  }
  d.members["indexer"] = indexer;
  auto with = layer_group(own, "mla");
  with["indexer"] = indexer;
  set_groups(d, "attention_groups", {with, layer_group(d.layers - own, "mla")});
}

// Kimi Linear: layers of Kimi delta attention and of latent attention, numbered from 1.
void finish_kimi_linear(Fields& f, Draft& d) {
  read_latent(f, d);
  if (f.boolean("mla_use_nope", false)) d.position = "none";
  const auto* linear = f.object("linear_attn_config");
  if (!linear)
    return f.error("missing_field", "linear_attn_config", "linear_attn_config is missing.",
                   "an object with kda_layers and full_attn_layers");
  auto l = f.below("linear_attn_config", *linear);
  const auto kda = static_cast<std::int64_t>(l.integers("kda_layers", kLayers).size());
  const auto heads = l.required_integer("num_heads", kHeads).value_or(0);
  const auto width = l.required_integer("head_dim", kHeadDim).value_or(0);
  const auto kernel = l.integer("short_conv_kernel_size", {1, 64}).value_or(4);
  if (kda > d.layers) {
    l.error("inconsistent", "kda_layers", "There are more kda_layers than layers.", "numbers of layers, from 1");
    return;
  }
  if (kda == 0 || heads == 0 || width == 0) return;
  if (l.boolean("use_full_rank_gate", false))
    l.warn("left_out", "use_full_rank_gate", "The full-rank gate of this file's linear attention is counted as a low-rank one.", "false");
  d.members["linear_attention"] = {{"kind", "kda"},         {"num_key_heads", heads},  {"num_value_heads", heads},
                                   {"key_head_dim", width}, {"value_head_dim", width}, {"conv_kernel", kernel}};
  const std::int64_t inner = heads * width;
  auto delta = layer_group(kda, "fixed");
  // Query, key, value, output; short convolutions; decay and output gate of rank `width`; beta; A_log, dt_bias and norm.
  delta["params_per_layer"] =
      4 * d.hidden * inner + 3 * inner * kernel + 2 * (d.hidden * width + width * inner) + d.hidden * heads + heads + inner + width;
  delta["formula"] = "KDA: q,k,v,o projections, 3 short convs, low-rank gates";
  set_groups(d, "attention_groups", {layer_group(d.layers - kda, "mla"), delta});
}

// DeepSeek-V4: one key and value head, low-rank query and grouped output projection.
void prepare_v4(Fields& f, Draft& d) {
  d.intermediate = f.required_integer("moe_intermediate_size", kIntermediate).value_or(0);
  d.kv_heads = f.integer("num_key_value_heads", kHeads).value_or(1);
}

void finish_v4(Fields& f, Draft& d) {
  const auto q = f.required_integer("q_lora_rank", kRank).value_or(0), o = f.required_integer("o_lora_rank", kRank).value_or(0);
  const auto groups = f.required_integer("o_groups", kHeads).value_or(0);
  const auto width = d.heads * d.head_dim;
  d.members["q_lora_rank"] = q, d.members["o_lora_rank"] = o, d.members["o_groups"] = groups;
  if (const auto window = f.integer("sliding_window", kPositions)) d.members["sliding_window"] = *window;
  auto layers = layer_group(d.layers, "fixed");
  layers["params_per_layer"] = d.hidden * q + q + q * width + d.hidden * d.head_dim + d.head_dim + width * o + groups * o * d.hidden;
  layers["formula"] = "h*q_lora + q_lora + q_lora*nh*hd + h*hd + hd + nh*hd*o_lora + o_groups*o_lora*h";
  set_groups(d, "attention_groups", {layers});
  f.warn("left_out", "compress_ratios", "Compressor, indexer and hyper-connection weights are left out of the count (below 2 %).",
         "the safetensors headers beside the config.json give the exact count");
}

// clang-format off
constexpr ClassFacts kClasses[] = {
    {.name = "DeepseekV2ForCausalLM", .model_type = "deepseek_v2", .bias_o = kAttentionBias, .experts = &kV2,
     .prepare = prepare_latent, .finish = finish_latent},
    {.name = "DeepseekV3ForCausalLM", .model_type = "deepseek_v3", .bias_o = kAttentionBias, .experts = &kV3,
     .prepare = prepare_latent, .finish = finish_latent},
    {.name = "KimiK2ForCausalLM", .model_type = "kimi_k2", .bias_o = kAttentionBias, .experts = &kV3,
     .prepare = prepare_latent, .finish = finish_latent},
    {.name = "DeepseekV32ForCausalLM", .model_type = "deepseek_v32", .bias_o = kAttentionBias, .experts = &kV3,
     .prepare = prepare_latent, .finish = finish_indexed},
    {.name = "DeepseekV4ForCausalLM", .model_type = "deepseek_v4", .experts = &kV4, .prepare = prepare_v4, .finish = finish_v4},
    {.name = "GlmMoeDsaForCausalLM", .model_type = "glm_moe_dsa", .bias_o = kAttentionBias, .experts = &kV3,
     .prepare = prepare_latent, .finish = finish_indexed},
    {.name = "Glm4MoeLiteForCausalLM", .model_type = "glm4_moe_lite", .bias_o = kAttentionBias, .experts = &kGlmLite,
     .prepare = prepare_latent, .finish = finish_latent},
    {.name = "MiniCPM3ForCausalLM", .model_type = "minicpm3", .bias_o = kAttentionBias, .tied = true, .prepare = prepare_latent,
     .finish = finish_latent},
    {.name = "KimiLinearForCausalLM", .model_type = "kimi_linear", .experts = &kKimiLinear, .prepare = prepare_latent,
     .finish = finish_kimi_linear},
};
// clang-format on

}  // namespace

void read_latent(Fields& f, Draft& d) {
  json mla = json::object();
  if (const auto rank = f.integer("q_lora_rank", kRank)) mla["q_lora_rank"] = *rank;
  mla["kv_lora_rank"] = f.required_integer("kv_lora_rank", kRank).value_or(0);
  mla["qk_nope_head_dim"] = f.required_integer("qk_nope_head_dim", kPart).value_or(0);
  mla["qk_rope_head_dim"] = f.required_integer("qk_rope_head_dim", kPart).value_or(0);
  // MiniCPM3's configuration leaves it to hidden_size / heads.
  const auto v = f.integer("v_head_dim", kHeadDim);
  mla["v_head_dim"] = v ? *v : d.heads > 0 && d.hidden % d.heads == 0 ? d.hidden / d.heads : 0;
  if (mla["v_head_dim"] == json(0)) f.error("missing_field", "v_head_dim", "v_head_dim is missing.", "a whole number, for example 128");
  d.members["mla"] = std::move(mla);
}

json read_indexer(Fields& f) {
  if (!f.find("index_n_heads")) return nullptr;
  json indexer = {{"n_heads", f.integer("index_n_heads", kHeads).value_or(0)},
                  {"head_dim", f.required_integer("index_head_dim", kHeadDim).value_or(0)}};
  if (const auto topk = f.integer("index_topk", kPositions)) indexer["topk"] = *topk;
  return indexer;
}

std::span<const ClassFacts> latent_classes() { return kClasses; }

}  // namespace tunefit::json

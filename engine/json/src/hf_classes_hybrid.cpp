// Decoders with state-space, linear-attention or convolution layers.
#include <algorithm>
#include <cmath>

#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;
using Shared = ExpertFacts::Shared;

constexpr Flag kAttentionBias{"attention_bias", false};
constexpr Flag kMlpBias{"mlp_bias", false};
constexpr Range kKernel{1, 64}, kState{1, 4096}, kGroups{1, 1024}, kExpand{1, 64};

constexpr ExpertFacts kQwen3Next{.shared = Shared::by_width, .shared_gate = true};
constexpr ExpertFacts kGraniteHybrid{.width = "intermediate_size", .shared = Shared::by_width};
constexpr ExpertFacts kNemotronH{.shared = Shared::by_width, .score_correction = true};
constexpr ExpertFacts kLfm2Moe{.score_correction = true};

// "auto" or absent: nullopt.
std::optional<std::int64_t> number_or_auto(Fields& f, const char* name, Range range) {
  const auto* value = f.find(name);
  return value && *value == json("auto") ? std::nullopt : f.integer(name, range);
}

// Mamba-2 under the names that Granite and Falcon-H1 share; inner: heads times head_dim.
json read_mamba2(Fields& f, std::int64_t inner, bool gated_norm) {
  const auto heads = f.required_integer("mamba_n_heads", kHeads).value_or(1);
  const auto stated = number_or_auto(f, "mamba_d_head", kHeadDim);
  if (inner % heads != 0 || (stated && *stated * heads != inner))
    f.error("inconsistent", "mamba_n_heads",
            std::to_string(heads) + " state-space heads do not make up the inner width " + std::to_string(inner) + ".",
            "heads times mamba_d_head is the inner width");
  json ssm = {{"kind", "mamba2"},
              {"num_heads", heads},
              {"head_dim", inner / heads},
              {"n_groups", f.integer("mamba_n_groups", kGroups).value_or(1)},
              {"state_size", f.integer("mamba_d_state", kState).value_or(256)},
              {"conv_kernel", f.integer("mamba_d_conv", kKernel).value_or(4)},
              {"conv_bias", f.boolean("mamba_conv_bias", true)},
              {"gated_norm", gated_norm}};
  if (f.boolean("mamba_proj_bias", false)) ssm["proj_bias"] = true;
  return ssm;
}

// Granite 4: attention or Mamba-2 by layer_types; experts beside a shared MLP, or that alone.
void finish_granite_hybrid(Fields& f, Draft& d) {
  if (f.text("position_embedding_type", "") != "rope") d.position = "none";
  read_experts(f, d, kGraniteHybrid);
  const char* field = f.find("layer_types") ? "layer_types" : "layers_block_type";
  const auto types = layer_words(f, field, d.layers, {"mamba", "attention", "full_attention"});
  const auto mamba = types.empty() && !f.find(field) ? d.layers : std::count(types.begin(), types.end(), "mamba");
  if (mamba == 0) return;
  d.kind = "hybrid-ssm";
  d.members["ssm"] = read_mamba2(f, f.integer("mamba_expand", kExpand).value_or(2) * d.hidden, true);
  set_groups(d, "attention_groups", {layer_group(d.layers - mamba, "full"), layer_group(mamba, "mamba2")});
}

// Falcon-H1: attention and Mamba-2 side by side in every layer.
void finish_falcon_h1(Fields& f, Draft& d) {
  d.kind = "hybrid-ssm";
  const auto inner =
      f.find("mamba_d_ssm") ? f.integer("mamba_d_ssm", kIntermediate) : f.integer("mamba_expand", kExpand).value_or(2) * d.hidden;
  d.members["ssm"] = read_mamba2(f, inner.value_or(1), f.boolean("mamba_rms_norm", false));
  set_groups(d, "attention_groups", {layer_group(d.layers, "parallel_attention_mamba2")});
}

json mamba1(Fields& f, const char* expand, const char* state, const char* kernel, const char* rank, const char* bias, std::int64_t hidden,
            std::int64_t inner) {
  const auto given = number_or_auto(f, rank, kHidden);
  json ssm = {{"kind", "mamba1"},
              {"d_inner", inner > 0 ? inner : f.integer(expand, kExpand).value_or(2) * hidden},
              {"dt_rank", given.value_or((hidden + 15) / 16)},
              {"state_size", f.integer(state, kState).value_or(16)},
              {"conv_kernel", f.integer(kernel, kKernel).value_or(4)}};
  if (!f.boolean(bias, true)) ssm["conv_bias"] = false;
  return ssm;
}

// Mamba: no attention, no MLP. One head of one channel stands for none, as in the catalogue.
void prepare_mamba(Fields& f, Draft& d) {
  d.hidden = f.required_integer({"hidden_size", "d_model"}, kHidden).value_or(0);
  d.heads = d.kv_heads = d.head_dim = 1;
  const auto* config = f.find("ssm_cfg");
  if (config && config->is_object() && config->value("layer", json()) == json("Mamba2"))
    f.error("unsupported_feature", "ssm_cfg", "Pure Mamba-2 models are not read yet.", "a Mamba model (mamba1)");
  d.intermediate = f.integer("intermediate_size", kIntermediate).value_or(f.integer("expand", kExpand).value_or(2) * d.hidden);
  if (d.intermediate == 0) d.intermediate = 1;
}

void finish_mamba(Fields& f, Draft& d) {
  d.kind = "hybrid-ssm";
  d.position = "none";
  d.members["ssm"] = mamba1(f, "expand", "state_size", "conv_kernel", "time_step_rank", "use_conv_bias", d.hidden, d.intermediate);
  if (f.boolean("use_bias", false)) d.members["ssm"]["proj_bias"] = true;
  set_groups(d, "attention_groups", {layer_group(d.layers, "mamba1")});
  set_groups(d, "mlp_groups", {layer_group(d.layers, "none")});
}

// Jamba: every attn_layer_period-th layer attends, every expert_layer_period-th has experts.
void finish_jamba(Fields& f, Draft& d) {
  const auto period = f.integer("attn_layer_period", kLayers).value_or(8), offset = f.integer("attn_layer_offset", {0, 2000}).value_or(4);
  const auto every = f.integer("expert_layer_period", kLayers).value_or(2), from = f.integer("expert_layer_offset", {0, 2000}).value_or(1);
  std::int64_t attention = 0, experts = 0;
  for (std::int64_t i = 0; i < d.layers; ++i) attention += i % period == offset ? 1 : 0, experts += i % every == from ? 1 : 0;
  d.members["ssm"] = mamba1(f, "mamba_expand", "mamba_d_state", "mamba_d_conv", "mamba_dt_rank", "mamba_conv_bias", d.hidden, 0);
  d.members["ssm"]["inner_norms"] = true;
  if (f.boolean("mamba_proj_bias", false)) d.members["ssm"]["proj_bias"] = true;
  set_groups(d, "attention_groups", {layer_group(attention, "full"), layer_group(d.layers - attention, "mamba1")});
  if (read_experts(f, d, {.width = "intermediate_size"})) {
    d.members["moe"].erase("moe_layers");
    set_groups(d, "mlp_groups", {layer_group(d.layers - experts, "dense"), layer_group(experts, "moe")});
  }
  d.members["layer_pattern"] = "1 attention per " + std::to_string(period) + " layers; MoE every " + std::to_string(every) + ". layer";
  d.kind = "hybrid-ssm";
  d.position = "none";
}

// Nemotron-H: one part a layer, named by a letter or a word: M Mamba-2, * attention, - MLP, E experts.
std::string nemotron_pattern(Fields& f) {
  if (const auto* list = f.find("layers_block_type"); list && list->is_array()) {
    std::string pattern;
    for (const auto& word : layer_words(f, "layers_block_type", 0, {"mamba", "attention", "mlp", "moe"}))
      pattern += word == "mamba" ? 'M' : word == "attention" ? '*' : word == "mlp" ? '-' : 'E';
    return pattern;
  }
  auto pattern = f.text("hybrid_override_pattern", "");
  if (pattern.find_first_not_of("M*-E") != std::string::npos || pattern.size() > static_cast<std::size_t>(kLayers.high)) {
    f.error("unsupported_feature", "hybrid_override_pattern", "hybrid_override_pattern has a letter that is not known.",
            "one letter a layer: M Mamba-2, * attention, - MLP, E experts");
    pattern.clear();
  }
  return pattern;
}

void prepare_nemotron_h(Fields& f, Draft& d) {
  const auto pattern = nemotron_pattern(f);
  if (pattern.empty() && !f.failed())
    f.error("missing_field", "hybrid_override_pattern", "The order of the layers is missing.",
            "hybrid_override_pattern, for example \"M-M*-\", or layers_block_type");
  d.layers = std::max<std::int64_t>(1, static_cast<std::int64_t>(pattern.size()));
  d.head_dim = f.integer({"head_dim", "attention_head_dim"}, kHeadDim).value_or(128);
  d.members["layer_pattern"] = pattern;
  if (!f.find("intermediate_size")) d.intermediate = f.integer("moe_intermediate_size", kIntermediate).value_or(0);
}

void finish_nemotron_h(Fields& f, Draft& d) {
  const auto pattern = d.members["layer_pattern"].get<std::string>();
  const auto count = [&](char letter) { return static_cast<std::int64_t>(std::count(pattern.begin(), pattern.end(), letter)); };
  const auto mamba = count('M'), attention = count('*'), mlp = count('-'), experts = count('E');
  if (experts > 0) {
    if (!read_experts(f, d, kNemotronH))
      return f.error("missing_field", "n_routed_experts", "Layers have experts but n_routed_experts is missing.", "a whole number");
    d.members["moe"].erase("first_dense_layers");
    if (const auto latent = f.integer("moe_latent_size", kIntermediate)) d.members["moe"]["latent_size"] = *latent;
  }
  d.kind = "hybrid-ssm";
  d.position = "none";
  d.members["ssm"] = {{"kind", "mamba2"},
                      {"num_heads", f.required_integer("mamba_num_heads", kHeads).value_or(1)},
                      {"head_dim", f.required_integer("mamba_head_dim", kHeadDim).value_or(1)},
                      {"n_groups", f.integer({"n_groups", "mamba_n_groups"}, kGroups).value_or(8)},
                      {"state_size", f.integer({"ssm_state_size", "mamba_d_state"}, kState).value_or(128)},
                      {"conv_kernel", f.integer({"conv_kernel", "mamba_d_conv"}, kKernel).value_or(4)},
                      {"conv_bias", f.boolean("use_conv_bias", true)},
                      {"gated_norm", true}};
  if (f.boolean("mamba_proj_bias", false) || f.boolean("use_bias", false)) d.members["ssm"]["proj_bias"] = true;
  set_groups(d, "attention_groups", {layer_group(mamba, "mamba2"), layer_group(attention, "full"), layer_group(mlp + experts, "none")});
  set_groups(d, "mlp_groups", {layer_group(mamba + attention, "none"), layer_group(mlp, "dense"), layer_group(experts, "moe")});
}

// LFM2: layers of attention and of a short gated convolution; the MLP's width is adjusted.
void lfm2_layers(Fields& f, Draft& d) {
  const auto types = layer_words(f, "layer_types", d.layers, {"conv", "full_attention"});
  std::int64_t attention = std::count(types.begin(), types.end(), "full_attention");
  if (types.empty())
    attention = f.find("full_attn_idxs") ? static_cast<std::int64_t>(f.integers("full_attn_idxs", {0, 2000}).size()) : d.layers;
  if (attention > d.layers)
    return f.error("inconsistent", "full_attn_idxs", "full_attn_idxs names more layers than there are.", "numbers of layers, from 0");
  auto conv = layer_group(d.layers - attention, "short_conv");
  conv["conv_kernel"] = f.integer("conv_L_cache", kKernel).value_or(3);
  set_groups(d, "attention_groups", {layer_group(attention, "full"), conv});
  d.tied = f.boolean("tie_embedding", d.tied);
  if (f.boolean("conv_bias", false))
    f.warn("left_out", "conv_bias", "Biases of the short convolutions are left out of the count.", "false");
}

void prepare_lfm2(Fields& f, Draft& d) {
  d.intermediate = f.required_integer({"block_ff_dim", "intermediate_size"}, kIntermediate).value_or(0);
  if (!f.boolean("block_auto_adjust_ff_dim", true) || d.intermediate == 0) return;
  const auto* factor = f.find("block_ffn_dim_multiplier");
  const bool usable = factor && factor->is_number() && factor->get<double>() > 0 && factor->get<double>() < 64;
  const auto multiple = f.integer("block_multiple_of", {1, 1 << 16}).value_or(256);
  d.intermediate = static_cast<std::int64_t>((usable ? factor->get<double>() : 1.0) * static_cast<double>(2 * d.intermediate / 3));
  d.intermediate = (d.intermediate + multiple - 1) / multiple * multiple;
}

void finish_lfm2(Fields& f, Draft& d) {
  lfm2_layers(f, d);
  d.kind = "hybrid-ssm";
}

void finish_lfm2_moe(Fields& f, Draft& d) {
  lfm2_layers(f, d);
  if (d.members.contains("moe") && !f.boolean("use_expert_bias", true)) d.members["moe"].erase("score_correction_bias");
}

void prepare_qwen3_next(Fields& f, Draft& d) {
  if (!f.find("intermediate_size")) d.intermediate = f.integer("moe_intermediate_size", kIntermediate).value_or(0);
}

// clang-format off
constexpr ClassFacts kClasses[] = {
    {.name = "Qwen3NextForCausalLM", .model_type = "qwen3_next", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .qk_norm = "per_head", .head_dim = 256, .kv_heads = 2, .experts = &kQwen3Next, .own_layers = true,
     .prepare = prepare_qwen3_next, .finish = read_gated_deltanet},
    {.name = "Qwen3_5ForCausalLM", .model_type = "qwen3_5_text", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .qk_norm = "per_head", .head_dim = 256, .kv_heads = 4, .own_layers = true, .finish = read_gated_deltanet},
    {.name = "Qwen3_5MoeForCausalLM", .model_type = "qwen3_5_moe_text", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .qk_norm = "per_head", .head_dim = 256, .kv_heads = 2, .experts = &kQwen3Next, .own_layers = true,
     .prepare = prepare_qwen3_next, .finish = read_gated_deltanet},
    {.name = "GraniteMoeHybridForCausalLM", .model_type = "granitemoehybrid", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .intermediate = "shared_intermediate_size", .own_layers = true, .finish = finish_granite_hybrid},
    {.name = "FalconH1ForCausalLM", .model_type = "falcon_h1", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .mlp_bias = kMlpBias, .kv_heads = 8, .own_layers = true, .finish = finish_falcon_h1},
    {.name = "MambaForCausalLM", .model_type = "mamba", .norms = 1, .tied = true, .own_layers = true, .prepare = prepare_mamba,
     .finish = finish_mamba},
    {.name = "FalconMambaForCausalLM", .model_type = "falcon_mamba", .norms = 1, .tied = true, .own_layers = true,
     .prepare = prepare_mamba, .finish = finish_mamba},
    {.name = "JambaForCausalLM", .model_type = "jamba", .kv_heads = 8, .own_layers = true, .finish = finish_jamba},
    {.name = "NemotronHForCausalLM", .model_type = "nemotron_h", .bias_qkv = kAttentionBias, .bias_o = kAttentionBias,
     .mlp_bias = kMlpBias, .activation_field = "mlp_hidden_act", .activation = "relu2", .gated = false, .norms = 1, .kv_heads = 8,
     .own_layers = true, .prepare = prepare_nemotron_h, .finish = finish_nemotron_h},
    {.name = "Lfm2ForCausalLM", .model_type = "lfm2", .activation_field = nullptr, .qk_norm = "per_head", .tied = true, .kv_heads = 8,
     .own_layers = true, .prepare = prepare_lfm2, .finish = finish_lfm2},
    {.name = "Lfm2MoeForCausalLM", .model_type = "lfm2_moe", .activation_field = nullptr, .qk_norm = "per_head", .tied = true,
     .kv_heads = 8, .experts = &kLfm2Moe, .own_layers = true, .finish = finish_lfm2_moe},
};
// clang-format on

}  // namespace

void read_gated_deltanet(Fields& f, Draft& d) {
  const auto* list = f.find("layer_types");
  const auto types = layer_words(f, "layer_types", d.layers, {"linear_attention", "full_attention"});
  const auto every = f.integer("full_attention_interval", kLayers).value_or(4);
  if (list && types.empty()) return;
  std::int64_t linear = 0;
  for (std::int64_t i = 0; i < d.layers; ++i) {
    const bool is_linear = types.empty() ? (i + 1) % every != 0 : types[static_cast<std::size_t>(i)] == "linear_attention";
    d.kinds.push_back(is_linear ? LayerKind::gated_deltanet : LayerKind::full);
    linear += is_linear ? 1 : 0;
  }
  d.members["attention_output_gate"] = f.boolean("attn_output_gate", true);
  d.members["linear_attention"] = {{"kind", "gated-deltanet"},
                                   {"num_key_heads", f.integer("linear_num_key_heads", kHeads).value_or(16)},
                                   {"num_value_heads", f.integer("linear_num_value_heads", kHeads).value_or(32)},
                                   {"key_head_dim", f.integer("linear_key_head_dim", kHeadDim).value_or(128)},
                                   {"value_head_dim", f.integer("linear_value_head_dim", kHeadDim).value_or(128)},
                                   {"conv_kernel", f.integer("linear_conv_kernel_dim", kKernel).value_or(4)}};
  set_groups(d, "attention_groups", {layer_group(d.layers - linear, "full"), layer_group(linear, "gated_deltanet")});
}

std::span<const ClassFacts> hybrid_classes() { return kClasses; }

}  // namespace tunefit::json

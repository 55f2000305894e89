// Text decoders of Llama 4, Gemma 3n and Gemma 4, and the towers of Gemma 3n.
#include <algorithm>

#include "hf_classes_gemma.h"
#include "hf_towers.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr Range kSmall{0, 1 << 16};

}  // namespace

void finish_llama4(Fields& f, Draft& d) {
  d.qk_norm = f.boolean("use_qk_norm", true) ? "l2_weightless" : "none";
  const auto every = f.integer("no_rope_layer_interval", kLayers).value_or(4);
  const auto rope = f.integers("no_rope_layers", {0, 1});
  const auto types = layer_words(f, "layer_types", d.layers, {"chunked_attention", "full_attention"});
  for (std::int64_t i = 0; i < d.layers; ++i) {
    const auto at = static_cast<std::size_t>(i);
    const bool chunked = at < types.size() ? types[at] == "chunked_attention" : at < rope.size() ? rope[at] == 1 : (i + 1) % every != 0;
    d.kinds.push_back(chunked ? LayerKind::chunked : LayerKind::full_nope);
  }
  if (!d.members.contains("moe")) return;
  const auto step = f.integer("interleave_moe_layer_step", kLayers).value_or(1);
  const auto listed = f.integers("moe_layers", {0, kLayers.high});
  LayerFlags experts;
  for (std::int64_t i = 0; i < d.layers; ++i)
    experts.push_back(listed.empty() ? (i + 1) % step == 0 : std::find(listed.begin(), listed.end(), i) != listed.end());
  const auto dense = f.integer("intermediate_size_mlp", kIntermediate).value_or(16384);
  set_expert_layers(d, experts, dense);
}

// Full layers of Gemma 4 have wider heads, may have fewer key and value heads and one projection for both; experts stand beside
// the MLP; the small ones have an embedding a layer.
void finish_gemma4(Fields& f, Draft& d) {
  auto kinds = d.kinds;
  if (kinds.empty()) kinds.assign(static_cast<std::size_t>(d.layers), LayerKind::full);
  const auto sliding = std::count(kinds.begin(), kinds.end(), LayerKind::sliding);
  auto full = layer_group(d.layers - sliding, "full");
  const bool k_eq_v = f.boolean("attention_k_eq_v", false);
  full["head_dim"] = f.integer("global_head_dim", kHeadDim).value_or(512);
  full["num_kv_heads"] = k_eq_v ? f.integer("num_global_key_value_heads", kHeads).value_or(d.kv_heads) : d.kv_heads;
  if (k_eq_v) full["k_eq_v"] = true;
  set_groups(d, "attention_groups", {layer_group(sliding, "sliding"), full});

  const auto shared = f.integer("num_kv_shared_layers", {0, kLayers.high}).value_or(0);
  const bool wide = f.boolean("use_double_wide_mlp", false) && shared > 0;
  auto plain = layer_group(wide ? std::max<std::int64_t>(0, d.layers - shared) : d.layers, "dense");
  auto doubled = layer_group(d.layers - plain["layers"].get<std::int64_t>(), "dense");
  doubled["intermediate_size"] = 2 * d.intermediate;
  json experts = layer_group(0, "moe");
  if (f.boolean("enable_moe_block", false) && read_experts(f, d, {})) {
    experts["layers"] = d.layers;
    d.norms = 7;
    add_parameters(d, "router scale h + per-expert scale E per layer",
                   d.layers * (d.hidden + d.members["moe"]["num_experts"].get<std::int64_t>()));
  }
  set_groups(d, "mlp_groups", {plain, doubled, experts});

  add_parameters(d, "layer_scalar per layer", d.layers);
  const auto width = f.integer("hidden_size_per_layer_input", kSmall).value_or(256);
  const auto rows = f.integer("vocab_size_per_layer_input", kVocab).value_or(262144);
  if (width == 0) return;
  add_parameters(d, "per-layer input embedding V*L*" + std::to_string(width), rows * d.layers * width);
  add_parameters(d, "per_layer_model_projection", d.hidden * d.layers * width);
  add_parameters(d, "per_layer_projection_norm", width);
  add_parameters(d, "per-layer gate + projection + norm", d.layers * (2 * d.hidden * width + d.hidden));
}

// Gemma 3n may give its MLP's width a layer; only one width for all is read.
void prepare_gemma3n(Fields& f, Draft& d) {
  if (const auto* width = f.find("intermediate_size"); width && width->is_array())
    d.intermediate = same_integer(f, "intermediate_size", kIntermediate).value_or(1);
}

void finish_gemma3n(Fields& f, Draft& d) {
  if (d.kinds.empty() && !f.find("layer_types"))
    for (std::int64_t i = 0; i < d.layers; ++i) d.kinds.push_back((i + 1) % 5 == 0 ? LayerKind::full : LayerKind::sliding);
  const auto h = d.hidden, n = f.integer("altup_num_inputs", {1, 64}).value_or(4),
             rank = f.integer("laurel_rank", {1, 1 << 14}).value_or(64);
  const auto width = f.integer("hidden_size_per_layer_input", {1, 1 << 16}).value_or(256);
  const auto rows = f.integer("vocab_size_per_layer_input", kVocab).value_or(262144);
  add_parameters(d, "per-layer input embedding V*L*" + std::to_string(width), rows * d.layers * width);
  add_parameters(d, "per_layer_model_projection and norm", h * d.layers * width + width);
  add_parameters(d, "per-layer gate + projection + norm", d.layers * (2 * h * width + h));
  add_parameters(d, "AltUp projections", 2 * (n - 1) * h * h);
  add_parameters(d, "AltUp per layer", d.layers * (h + n * n + n * n * n + n * h + h));
  add_parameters(d, "LAuReL per layer", d.layers * (2 * h * rank + h));
}

// MobileNet-v5 is named without dimensions: 294,126,912 parameters, the same remainder of the published totals of E2B
// (5,439,438,272) and E4B (7,849,978,192). The conformer follows modeling_gemma3n.py.
void gemma3n_tower(Fields& root, Fields&, Draft& d) {
  if (const auto* config = root.object("vision_config")) {
    auto v = root.below("vision_config", *config);
    const auto width = v.integer("hidden_size", kHidden).value_or(2048), rows = v.integer("vocab_size", kVocab).value_or(128);
    if (const auto name = v.text("architecture", "mobilenetv5_300m_enc"); name != "mobilenetv5_300m_enc")
      v.error("unsupported_feature", "architecture", "The vision tower " + quoted(std::string_view(name)) + " is not known.",
              "mobilenetv5_300m_enc");
    add_parameters(d, "vision tower (MobileNet-v5); count solved from two published totals", 294126912);
    add_parameters(d, "vision embedder", rows * width + 2 * width + width * d.hidden);
  }
  const auto* config = root.object("audio_config");
  if (!config) return;
  auto a = root.below("audio_config", *config);
  const auto h = a.integer("hidden_size", kHidden).value_or(1536), layers = a.integer("conf_num_hidden_layers", kLayers).value_or(12);
  const auto heads = a.integer("conf_num_attention_heads", kHeads).value_or(8),
             kernel = a.integer("conf_conv_kernel_size", {1, 64}).value_or(5);
  const auto rows = a.integer("vocab_size", kVocab).value_or(128);
  const auto feed_forward = 2 * h + 8 * h * h, attention = 2 * h + 5 * h * h + h / heads, convolution = 2 * h + 3 * h * h + kernel * h;
  const auto subsampling = 128 * 9 + 128 + 128 * 32 * 9 + 32 + 1024 * h;
  add_parameters(d, "audio tower (conformer)", layers * (2 * feed_forward + attention + convolution + h) + subsampling);
  add_parameters(d, "audio embedder", rows * h + 2 * h + h * d.hidden);
}

}  // namespace tunefit::json

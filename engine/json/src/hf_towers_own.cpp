// Towers of one family each: Qwen-VL, Llama, Kimi, Gemma 3n and 4, Phi-3 vision, Voxtral.
#include <algorithm>

#include "hf_towers.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr Range kPatch{1, 256}, kFew{1, 64}, kPositionRows{1, 1 << 20};

Fields tower_of(Fields& root, const char* name) {
  static const json kEmpty = json::object();
  const auto* config = root.object(name);
  if (!config) root.error("missing_field", name, std::string(name) + " is missing.", "an object, as transformers writes it");
  return root.below(name, config ? *config : kEmpty);
}

// What the three generations of Qwen-VL share; width of the tower and of its MLP by their own names.
json qwen_tower(Fields& v, const char* type, std::int64_t hidden, std::int64_t intermediate, std::int64_t text) {
  return {{"type", type},
          {"hidden_size", hidden},
          {"intermediate_size", intermediate},
          {"num_layers", v.integer("depth", kLayers).value_or(32)},
          {"num_heads", v.integer("num_heads", kHeads).value_or(16)},
          {"patch_size", v.integer({"patch_size", "spatial_patch_size"}, kPatch).value_or(14)},
          {"temporal_patch_size", v.integer("temporal_patch_size", kFew).value_or(2)},
          {"spatial_merge_size", v.integer("spatial_merge_size", kFew).value_or(2)},
          {"text_hidden_size", text}};
}

std::int64_t linear(std::int64_t in, std::int64_t out, bool bias = true) { return in * out + (bias ? out : 0); }

}  // namespace

// embed_dim is the tower's width, hidden_size that of the text.
void qwen2_tower(Fields& root, Fields&, Draft& d) {
  auto v = tower_of(root, "vision_config");
  const auto width = v.integer("embed_dim", kHidden).value_or(1280);
  const auto* ratio = v.find("mlp_ratio");
  const auto times = ratio && ratio->is_number() && *ratio > 0 && *ratio < 64 ? ratio->get<double>() : 4.0;
  d.members["vision"] = qwen_tower(v, "qwen2-vit", width, static_cast<std::int64_t>(times * static_cast<double>(width)), d.hidden);
}

void qwen25_tower(Fields& root, Fields&, Draft& d) {
  auto v = tower_of(root, "vision_config");
  const auto width = v.integer("hidden_size", kHidden).value_or(1280), inner = v.integer("intermediate_size", kIntermediate).value_or(3420);
  d.members["vision"] = qwen_tower(v, "qwen2.5-vit", width, inner, d.hidden);
}

void qwen3_tower(Fields& root, Fields&, Draft& d) {
  auto v = tower_of(root, "vision_config");
  const auto width = v.integer("hidden_size", kHidden).value_or(1152), inner = v.integer("intermediate_size", kIntermediate).value_or(4304);
  auto vision = qwen_tower(v, "qwen3-vit", width, inner, v.integer("out_hidden_size", kHidden).value_or(d.hidden));
  if (!v.find("depth")) vision["num_layers"] = 27;
  if (!v.find("patch_size")) vision["patch_size"] = 16;
  vision["num_positions"] = v.integer("num_position_embeddings", kPositionRows).value_or(2304);
  vision["deepstack_mergers"] = v.integers("deepstack_visual_indexes", {0, kLayers.high}).size();
  d.members["vision"] = std::move(vision);
}

// Cross-attention layers stand among num_hidden_layers; the input embedding has 8 rows more.
void mllama_tower(Fields& root, Fields& text, Draft& d) {
  auto v = tower_of(root, "vision_config");
  auto t = read_tower(v, {1280, 5120, 32, 16, 448, 14});
  const auto* list = text.find("cross_attention_layers");
  const auto cross = list ? static_cast<std::int64_t>(text.integers("cross_attention_layers", {0, kLayers.high}).size()) : 8;
  if (cross > d.layers)
    return text.error("inconsistent", "cross_attention_layers", "There are more cross-attention layers than layers.", "numbers of layers");
  auto group = layer_group(cross, "cross");
  group["qk_norm"] = "per_head", group["extra_per_layer"] = 2;
  set_groups(d, "attention_groups", {layer_group(d.layers - cross, "full"), group});
  d.members["layer_pattern"] = std::to_string(cross) + " cross-attention layers";
  const auto side = t.image / t.patch;
  d.members["vision"] = {
      {"type", "mllama-vit"},
      {"hidden_size", t.hidden},
      {"intermediate_size", t.intermediate},
      {"num_layers", t.layers},
      {"num_global_layers", v.integer("num_global_layers", kLayers).value_or(8)},
      {"num_heads", t.heads},
      {"patch_size", t.patch},
      {"image_size", t.image},
      {"num_positions", side * side + 1},
      {"max_num_tiles", v.integer("max_num_tiles", kFew).value_or(4)},
      {"projector", {{"type", "linear"}, {"in", v.integer("vision_output_dim", kHidden).value_or(7680)}, {"out", d.hidden}}}};
  add_parameters(d, "8 extra input-embedding rows", 8 * d.hidden);
}

// Llama 4: ViT with biases, class embedding, and a pixel-shuffle MLP without.
void llama4_tower(Fields& root, Fields&, Draft& d) {
  auto v = tower_of(root, "vision_config");
  const auto t = read_tower(v, {768, 5632, 34, 16, 448, 14});
  const auto side = t.image / t.patch, positions = side * side + 1, h = t.hidden, i = t.intermediate;
  const auto* ratio = v.find("pixel_shuffle_ratio");
  const auto shuffle = ratio && ratio->is_number() && *ratio > 0.1 && *ratio <= 1 ? ratio->get<double>() : 0.5;
  const auto in = v.integer("projector_input_dim", kHidden).value_or(4096), out = v.integer("projector_output_dim", kHidden).value_or(4096);
  const auto shuffled = static_cast<std::int64_t>(static_cast<double>(h) / (shuffle * shuffle));
  const auto params = linear(3 * t.patch * t.patch, h, false) + h + positions * h + 4 * h +
                      t.layers * (4 * linear(h, h) + linear(h, i) + linear(i, h) + 4 * h) + linear(shuffled, in, false) +
                      linear(in, out, false);
  d.members["vision"] = {
      {"type", "fixed"},
      {"params", params},
      {"hidden_size", h},
      {"intermediate_size", i},
      {"num_layers", t.layers},
      {"num_heads", t.heads},
      {"patch_size", t.patch},
      {"image_size", t.image},
      {"num_positions", positions},
      {"projector", {{"type", "linear-nobias"}, {"in", v.integer("vision_output_dim", kHidden).value_or(out)}, {"out", d.hidden}}}};
}

// MoonViT of Kimi-VL and Kimi K2.5 (there with the prefix vt_).
void kimi_tower(Fields& root, Fields&, Draft& d) {
  auto v = tower_of(root, "vision_config");
  const auto h = v.integer({"vt_hidden_size", "hidden_size"}, kHidden).value_or(1152);
  const auto i = v.integer({"vt_intermediate_size", "intermediate_size"}, kIntermediate).value_or(4304);
  const auto layers = v.integer({"vt_num_hidden_layers", "num_hidden_layers"}, kLayers).value_or(27);
  const auto heads = v.integer({"vt_num_attention_heads", "num_attention_heads"}, kHeads).value_or(16);
  const auto patch = v.integer("patch_size", kPatch).value_or(14);
  const auto positions = v.integer("init_pos_emb_height", {1, 4096}).value_or(64) * v.integer("init_pos_emb_width", {1, 4096}).value_or(64);
  const auto params =
      linear(3 * patch * patch, h) + positions * h + layers * (4 * linear(h, h) + linear(h, i) + linear(i, h) + 4 * h) + 2 * h;
  const auto merged = 4 * h;
  d.members["vision"] = {{"type", "fixed"},
                         {"params", params},
                         {"hidden_size", h},
                         {"intermediate_size", i},
                         {"num_layers", layers},
                         {"num_heads", heads},
                         {"patch_size", patch},
                         {"num_positions", positions},
                         {"projector", {{"type", "fixed"}, {"params", 2 * h + linear(merged, merged) + linear(merged, d.hidden)}}}};
}

// Gemma 4: gated MLP, four norms a layer and norms on queries and keys, two tables of positions.
void gemma4_tower(Fields& root, Fields&, Draft& d) {
  if (const auto* config = root.object("vision_config")) {
    auto v = root.below("vision_config", *config);
    const auto t = read_tower(v, {768, 3072, 16, 12, 1024, 16});
    const auto width = v.integer("head_dim", kHeadDim).value_or(64),
               rows = 2 * v.integer("position_embedding_size", kPositionRows).value_or(10240);
    const auto h = t.hidden, inner = t.heads * width;
    const auto layer = 4 * h * inner + 3 * h * t.intermediate + 4 * h + 2 * width;
    d.members["vision"] = {{"type", "fixed"},
                           {"params", 3 * t.patch * t.patch * h + rows * h + t.layers * layer},
                           {"hidden_size", h},
                           {"intermediate_size", t.intermediate},
                           {"num_layers", t.layers},
                           {"num_heads", t.heads},
                           {"patch_size", t.patch},
                           {"num_positions", rows},
                           {"projector", {{"type", "linear-nobias"}, {"in", h}, {"out", d.hidden}}}};
  }
  const auto* config = root.object("audio_config");
  if (!config) return;
  auto a = root.below("audio_config", *config);
  const auto width = a.integer("hidden_size", kHidden).value_or(1024), layers = a.integer("num_hidden_layers", kLayers).value_or(12);
  const auto out = a.integer("output_proj_dims", kHidden).value_or(1536);
  if (width != 1024 || layers != 12)
    a.warn("left_out", "hidden_size", "Only the audio tower of Gemma 4 E2B and E4B is known; it is taken as that one.",
           "hidden_size 1024, num_hidden_layers 12");
  // Solved from the published totals of Gemma 4 E2B and E4B, which agree on it.
  add_parameters(d, "audio tower (conformer); count solved from two published totals", 304824608);
  add_parameters(d, "audio projection " + std::to_string(out) + " x h", out * d.hidden);
}

// Phi-3 vision names its tower, CLIP ViT-L/14 at 336 pixels, without dimensions; four patches make one token.
void phi3v_tower(Fields& root, Fields&, Draft& d) {
  const auto* config = root.object("img_processor");
  if (!config) config = root.object("vision_config");
  const auto width = config ? root.below("img_processor", *config).integer("image_dim_out", kHidden).value_or(1024) : 1024;
  if (width != 1024)
    root.error("unsupported_feature", "img_processor/image_dim_out", "Only CLIP ViT-L/14-336 is known as tower of this class.", "1024");
  d.members["vision"] = {{"type", "clip"},    {"hidden_size", 1024},  {"intermediate_size", 4096},
                         {"num_layers", 24},  {"num_heads", 16},      {"patch_size", 14},
                         {"image_size", 336}, {"num_positions", 577}, {"projector", {{"type", "mlp2"}, {"in", 4096}, {"out", d.hidden}}}};
  add_parameters(d, "glb_GN, sub_GN separators", 8192);
}

// Voxtral: the encoder of Whisper, four frames to a token, two linears without bias.
void voxtral_tower(Fields& root, Fields&, Draft& d) {
  auto a = tower_of(root, "audio_config");
  const auto h = a.integer({"hidden_size", "d_model"}, kHidden).value_or(1280);
  const auto i = a.integer({"intermediate_size", "encoder_ffn_dim"}, kIntermediate).value_or(5120);
  const auto layers = a.integer({"num_hidden_layers", "encoder_layers"}, kLayers).value_or(32);
  const auto heads = a.integer({"num_attention_heads", "encoder_attention_heads"}, kHeads).value_or(20);
  const auto mels = a.integer("num_mel_bins", {1, 4096}).value_or(128),
             positions = a.integer("max_source_positions", kPositionRows).value_or(1500);
  d.members["audio"] = {{"type", "whisper-encoder"}, {"hidden_size", h},     {"num_layers", layers},      {"num_heads", heads},
                        {"intermediate_size", i},    {"num_mel_bins", mels}, {"max_positions", positions}};
  const auto encoder =
      linear(mels * 3, h) + linear(h * 3, h) + positions * h + layers * (4 * h * h + 3 * h + linear(h, i) + linear(i, h) + 4 * h) + 2 * h;
  add_parameters(d, "audio encoder (Whisper large-v3 encoder)", encoder);
  add_parameters(d, "projector " + std::to_string(i) + "*h + h*h", i * d.hidden + d.hidden * d.hidden);
}

}  // namespace tunefit::json

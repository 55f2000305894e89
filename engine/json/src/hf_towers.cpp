// Towers that several families share. Counts: catalog/lib/count.mjs and the engine, checked against published totals.
#include "hf_towers.h"

#include <algorithm>
#include <string_view>

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr Range kImage{1, 1 << 14}, kPatch{1, 256};
constexpr Tower kClip{768, 3072, 12, 12, 224, 32}, kSiglip{768, 3072, 12, 12, 224, 16}, kPixtral{1024, 4096, 24, 16, 1024, 16};
constexpr Tower kClipLarge{1024, 4096, 24, 16, 336, 14}, kIdefics{1152, 3072, 12, 16, 224, 32}, kInternVit{1024, 4096, 24, 16, 448, 14};
constexpr Tower kOneVision{1152, 4304, 26, 16, 384, 14};
constexpr Tower kInternVitOld{3200, 12800, 48, 25, 224, 14};

// A square image or patch may stand as [448, 448].
std::int64_t side(Fields& f, const char* name, Range range, std::int64_t otherwise) {
  const auto* value = f.find(name);
  if (value && value->is_object()) {  // SmolVLM: {"longest_edge": 1536} for preprocessing
    f.error("wrong_type", name, std::string(name) + " is an object.", "a number of pixels");
    return otherwise;
  }
  return same_integer(f, name, range).value_or(otherwise);
}

std::int64_t grid(const Tower& t) { return (t.image / t.patch) * (t.image / t.patch); }

json entry(const char* type, const Tower& t, std::int64_t positions) {
  json v = {{"type", type},           {"hidden_size", t.hidden}, {"intermediate_size", t.intermediate},
            {"num_layers", t.layers}, {"num_heads", t.heads},    {"patch_size", t.patch},
            {"image_size", t.image}};
  if (positions > 0) v["num_positions"] = positions;
  return v;
}

json projector(const char* type, std::int64_t in, std::int64_t out) { return {{"type", type}, {"in", in}, {"out", out}}; }

// The tower's own fields; an empty object where the file has none (then all are the class's defaults).
template <class Read>
void with_config(Fields& root, const char* name, Read read) {
  static const json kEmpty = json::object();
  const auto* config = root.object(name);
  auto v = root.below(name, config ? *config : kEmpty);
  read(v);
}

json clip_like(Fields& v, const char* otherwise) {
  const auto type = v.text("model_type", otherwise);
  if (type == "clip_vision_model" || type == "clip") {
    const auto t = read_tower(v, kClip);
    return entry("clip", t, grid(t) + 1);
  }
  if (type == "siglip_vision_model" || type == "siglip") {
    const auto t = read_tower(v, kSiglip);
    return entry("siglip", t, grid(t));
  }
  if (type == "pixtral") return entry("pixtral", read_tower(v, kPixtral), 0);
  v.error("unsupported_feature", "model_type", "The vision tower " + quoted(std::string_view(type)) + " is not known.",
          "clip_vision_model, siglip_vision_model or pixtral");
  return nullptr;
}

}  // namespace

Tower read_tower(Fields& f, const Tower& otherwise) {
  Tower t;
  t.hidden = f.integer("hidden_size", kHidden).value_or(otherwise.hidden);
  t.intermediate = f.integer("intermediate_size", kIntermediate).value_or(otherwise.intermediate);
  t.layers = f.integer({"num_hidden_layers", "depth"}, kLayers).value_or(otherwise.layers);
  t.heads = f.integer({"num_attention_heads", "attention_heads", "num_heads"}, kHeads).value_or(otherwise.heads);
  t.image = side(f, "image_size", kImage, otherwise.image);
  t.patch = side(f, "patch_size", kPatch, otherwise.patch);
  if (t.patch > t.image) f.error("inconsistent", "patch_size", "A patch is larger than the image.", "pixels, for example 14");
  if (t.hidden % t.heads != 0)
    f.error("inconsistent", "num_attention_heads",
            "The tower's width " + std::to_string(t.hidden) + " is not a multiple of its " + std::to_string(t.heads) + " heads.",
            "a number of heads that divides it");
  return t;
}

void llava_tower(Fields& root, Fields&, Draft& d) {
  const auto type = root.text("model_type", "llava");
  with_config(root, "vision_config", [&](Fields& v) {
    const bool one = type == "llava_onevision";
    // Without a vision_config LLaVA has CLIP ViT-L/14 at 336 pixels.
    auto vision = root.find("vision_config") ? clip_like(v, one ? "siglip_vision_model" : "clip_vision_model")
                  : one                      ? entry("siglip", kOneVision, grid(kOneVision))
                                             : entry("clip", kClipLarge, grid(kClipLarge) + 1);
    if (vision.is_null()) return;
    const bool bias = root.boolean("multimodal_projector_bias", true);
    vision["projector"] = projector(bias ? "mlp2" : "mlp2-nobias", vision["hidden_size"].get<std::int64_t>(), d.hidden);
    d.members["vision"] = std::move(vision);
    if (type != "llava") add_parameters(d, "image_newline", d.hidden);
  });
}

void gemma3_tower(Fields& root, Fields&, Draft& d) {
  with_config(root, "vision_config", [&](Fields& v) {
    const auto t = read_tower(v, kSiglip);
    d.members["vision"] = entry("siglip", t, grid(t));
    d.members["vision"]["projector"] = projector("gemma3", t.hidden, d.hidden);
  });
}

void paligemma_tower(Fields& root, Fields&, Draft& d) {
  with_config(root, "vision_config", [&](Fields& v) {
    const auto t = read_tower(v, kSiglip);
    d.members["vision"] = entry("siglip", t, grid(t));
    d.members["vision"]["projector"] = projector("linear", t.hidden, d.hidden);
  });
}

void mistral3_tower(Fields& root, Fields&, Draft& d) {
  with_config(root, "vision_config", [&](Fields& v) {
    d.members["vision"] = entry("pixtral", read_tower(v, kPixtral), 0);
    d.members["vision"]["projector"] = projector("mistral3", d.members["vision"]["hidden_size"].get<std::int64_t>(), d.hidden);
  });
  if (root.integer("spatial_merge_size", {1, 8}).value_or(2) != 2)
    root.error("unsupported_feature", "spatial_merge_size", "Only a patch merger of 2 x 2 is read.", "2");
}

void idefics3_tower(Fields& root, Fields&, Draft& d) {
  const auto scale = root.integer("scale_factor", {1, 16}).value_or(2);
  with_config(root, "vision_config", [&](Fields& v) {
    const auto t = read_tower(v, kIdefics);
    d.members["vision"] = entry("siglip", t, grid(t));
    d.members["vision"]["projector"] = projector("linear-nobias", t.hidden * scale * scale, d.hidden);
  });
}

// Pixel shuffle by 2 puts four patches into one token.
void internvl_tower(Fields& root, Fields&, Draft& d) {
  with_config(root, "vision_config", [&](Fields& v) {
    const auto t = read_tower(v, v.text("model_type", "") == "intern_vit_6b" && !v.find("hidden_size") ? kInternVitOld : kInternVit);
    if (v.boolean("qk_normalization", false) || v.boolean("use_qk_norm", false))
      v.warn("left_out", "", "Norms on the tower's queries and keys are left out of the count.", "false");
    d.members["vision"] = entry("intern-vit", t, grid(t) + 1);
    d.members["vision"]["projector"] = projector("internvl", 4 * t.hidden, d.hidden);
  });
}

}  // namespace tunefit::json

// Which tensors are weights, buffers, scales or packed weights, by the names that checkpoints use.
#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <optional>

#include "hf_fields.h"
#include "tensors.h"
#include "words.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr std::int64_t kMostLayers = 2000;

// Values that are no parameters: rotary frequencies, position numbers, attention masks (GPT-2, GPT-NeoX: four dimensions).
constexpr std::array kBuffers{
    "inv_freq", "position_ids", "masked_bias", "num_batches_tracked", "rotary_emb.cos_cached", "rotary_emb.sin_cached"};
// Scales, zero points and the like beside quantised weights.
constexpr std::array kAuxiliary{"_scale_inv",
                                ".weight_scale",
                                ".weight_scale_2",
                                ".input_scale",
                                ".input_global_scale",
                                ".weight_global_scale",
                                ".absmax",
                                ".quant_map",
                                ".nested_absmax",
                                ".nested_quant_map",
                                ".qzeros",
                                ".scales",
                                ".g_idx",
                                ".SCB",
                                ".weight_zero_point",
                                ".weight_shape",
                                ".k_scale",
                                ".v_scale",
                                ".weight_format",
                                "_scales"};
constexpr std::array kTowers{"vision_tower", "vision_model", "visual.",     "vision_embed",  "multi_modal_projector",
                             "mm_projector", "mlp1.",        "connector.",  "image_newline", "audio_tower",
                             "audio_model",  "embed_vision", "embed_audio", "img_processor"};

template <class List>
bool ends_with_any(std::string_view name, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

template <class List>
bool contains_any(std::string_view name, const List& list) {
  return std::any_of(list.begin(), list.end(), [&](std::string_view part) { return name.find(part) != std::string_view::npos; });
}

bool is_buffer(const TensorGroup& t) {
  if (ends_with_any(t.name, kBuffers)) return true;
  const bool mask = t.name.ends_with("attn.bias") || t.name.ends_with("attention.bias") || t.name.ends_with("attn.masked_bias");
  return mask && t.shape.size() == 4;
}

bool is_auxiliary(const TensorGroup& t) {
  return ends_with_any(t.name, kAuxiliary) || t.name.find(".quant_state.") != std::string::npos ||
         (t.name.ends_with("_scales") && t.dtype == "U8");
}

std::int64_t elements(const TensorGroup& t) {
  std::int64_t n = t.count;
  for (const auto dimension : t.shape) n *= dimension;
  return n;
}

std::optional<std::int64_t> layer_of(std::string_view name) {
  for (std::string_view word : {".layers.", ".h.", ".blocks.", ".block.", "blk.", "layers.", "h."}) {
    const auto at = name.find(word);
    if (at == std::string_view::npos || ((word == "layers." || word == "h." || word == "blk.") && at != 0)) continue;
    auto rest = name.substr(at + word.size());
    std::int64_t n = 0;
    std::size_t digits = 0;
    while (digits < rest.size() && digits < 6 && std::isdigit(static_cast<unsigned char>(rest[digits])))
      n = n * 10 + (rest[digits++] - '0');
    if (digits > 0 && n < kMostLayers) return n;
  }
  return std::nullopt;
}

// How weights are packed. values: weights in one element; 0: not known.
struct Packing {
  std::string scheme;
  std::int64_t bits = 0, values = 1;
};

using ByName = std::map<std::string, const TensorGroup*, std::less<>>;

const TensorGroup* beside(const ByName& all, std::string_view base, const char* suffix) {
  const auto it = all.find(std::string(base) + suffix);
  return it == all.end() ? nullptr : it->second;
}

std::optional<Packing> packing_of(const TensorGroup& t, const ByName& all) {
  const auto base = [&](std::string_view suffix) { return std::string_view(t.name).substr(0, t.name.size() - suffix.size()); };
  if (t.name.ends_with(".qweight") && dtype_bytes(t.dtype) == 4) {
    const auto* zeros = beside(all, base(".qweight"), ".qzeros");
    const auto* scales = beside(all, base(".qweight"), ".scales");
    Packing p{beside(all, base(".qweight"), ".g_idx") ? "gptq" : "awq", 0, 0};
    if (!zeros || !scales || zeros->shape.size() != 2 || scales->shape.size() != 2 || scales->shape[1] < 1) return p;
    p.bits = 32 * zeros->shape[1] / scales->shape[1];
    if (p.scheme == "awq" && t.shape.size() == 2 && t.shape[1] != zeros->shape[1]) p.scheme = "gptq";
    if (p.bits >= 1 && p.bits <= 8) p.values = 32 / p.bits;
    return p;
  }
  if (t.name.ends_with("_blocks") && t.dtype == "U8") return Packing{"mxfp4", 4, 2};
  if (t.name.ends_with(".weight_packed")) return Packing{"compressed-tensors", 4, t.dtype == "U8" ? 2 : 8};
  if (t.name.ends_with(".weight")) {
    const auto* scale = beside(all, t.name, "_scale");
    if (t.dtype == "U8" && beside(all, t.name, ".absmax")) return Packing{"bitsandbytes_4bit", 4, 2};
    if (t.dtype == "U8" && scale) return Packing{"nvfp4", 4, 2};
    if (t.dtype == "I8" && beside(all, base(".weight"), ".SCB")) return Packing{"bitsandbytes_8bit", 8, 1};
    if (t.dtype.starts_with("F8")) return Packing{"fp8", 8, 1};
    if (t.dtype == "U32" && beside(all, base(".weight"), ".scales")) return Packing{"mlx", 0, 0};
    if (t.dtype == "I8") return Packing{"int8", 8, 1};
  }
  return std::nullopt;
}

bool is_head(std::string_view name) {
  return name == "lm_head.weight" || name.ends_with(".lm_head.weight") || name == "output.weight" || name == "embed_out.weight";
}

bool is_embedding(std::string_view name) {
  return name.ends_with("embed_tokens.weight") || name.ends_with("wte.weight") || name.ends_with("word_embeddings.weight") ||
         name.ends_with("tok_embeddings.weight") || name == "token_embd.weight" || name.ends_with("embed_in.weight") ||
         name.ends_with("backbone.embeddings.weight") || name == "shared.weight";
}

void add(json& to, const char* key, std::int64_t n) {
  if (n > 0) to[key] = to.value(key, std::int64_t{0}) + n;
}

}  // namespace

json facts_of(const std::vector<TensorGroup>& tensors) {
  ByName all;
  for (const auto& t : tensors) all[t.name] = &t;
  json facts = {{"tensors", std::int64_t{0}}, {"total_size", std::int64_t{0}}, {"by_dtype", json::object()}};
  std::int64_t parameters = 0, auxiliary = 0;
  bool countable = true;
  std::optional<Packing> packing;
  std::vector<std::int64_t> layers;
  for (const auto& t : tensors) {
    const auto stored = elements(t);
    facts["tensors"] = facts["tensors"].get<std::int64_t>() + t.count;
    facts["total_size"] = facts["total_size"].get<std::int64_t>() + stored * dtype_bytes(t.dtype);
    add(facts["by_dtype"], t.dtype.c_str(), stored);
    if (is_buffer(t)) {
      add(facts, "buffers", stored);
      continue;
    }
    if (is_auxiliary(t)) {
      auxiliary += stored;
      continue;
    }
    const auto packed = packing_of(t, all);
    if (packed && (!packing || packing->bits == 0)) packing = packed;
    if (packed && packed->values == 0) countable = false;
    const auto n = stored * (packed ? packed->values : 1);
    parameters += n;
    const bool tower = contains_any(t.name, kTowers);
    if (tower) add(facts, "towers", n);
    if (t.name.starts_with("mtp.") || t.name.find(".mtp.") != std::string::npos || t.name.find("mtp_layers.") != std::string::npos) {
      add(facts, "mtp", n);
    } else if (!tower) {
      if (t.shape.size() == 2 && is_head(t.name)) facts["lm_head"] = {t.shape[0], t.shape[1]};
      if (t.shape.size() == 2 && is_embedding(t.name)) facts["embedding"] = {t.shape[0], t.shape[1]};
      if (const auto layer = layer_of(t.name)) {
        const auto at = static_cast<std::size_t>(*layer);
        if (layers.size() <= at) layers.resize(at + 1);
        layers[at] += n;
      }
    }
  }
  if (countable) facts["parameters"] = parameters;
  if (!layers.empty()) facts["layer_parameters"] = layers;
  if (packing || auxiliary > 0) {
    facts["quantization"] = {{"scheme", packing ? packing->scheme : "unknown"}, {"auxiliary", auxiliary}};
    if (packing && packing->bits > 0) facts["quantization"]["bits"] = packing->bits;
  }
  return facts;
}

bool facts_of_index(const json& index, json& facts, Findings& findings) {
  const auto map = index.is_object() ? index.find("weight_map") : index.end();
  if (!index.is_object() || map == index.end() || !map->is_object() || map->empty()) {
    findings.push_back({"error", "missing_field", "/weight_map", "This is no safetensors index: weight_map is missing or empty.",
                        "the content of model.safetensors.index.json, or the headers of the files"});
    return false;
  }
  facts = {{"tensors", static_cast<std::int64_t>(map->size())}, {"has_lm_head", false}};
  static const json kNone = json::object();
  const auto metadata = index.find("metadata");
  const json& about = metadata != index.end() && metadata->is_object() ? *metadata : kNone;
  std::int64_t n = 0;
  // Names that were shortened to patterns say how many they were.
  if (const auto tensors = index.find("tensors"); tensors != index.end() && whole_number(*tensors, n) && n > 0) facts["tensors"] = n;
  if (const auto size = about.find("total_size"); size != about.end() && whole_number(*size, n) && n > 0)
    facts["total_size"] = n;
  else
    findings.push_back(
        {"warning", "missing_field", "/metadata/total_size", "The index does not say the total size.", "bytes of all weights"});
  if (const auto count = about.find("total_parameters"); count != about.end() && whole_number(*count, n) && n > 0) facts["parameters"] = n;
  for (const auto& [name, file] : map->items()) {
    TensorGroup t{name, "", {}, 1};
    if (is_head(name)) facts["has_lm_head"] = true;
    const char* scheme = name.ends_with(".qweight")         ? "gptq or awq"
                         : name.ends_with("_blocks")        ? "mxfp4"
                         : name.ends_with(".weight_packed") ? "compressed-tensors"
                         : name.ends_with(".absmax")        ? "bitsandbytes_4bit"
                         : name.ends_with(".SCB")           ? "bitsandbytes_8bit"
                         : name.ends_with("_scale_inv")     ? "fp8"
                                                            : nullptr;
    if (scheme && !facts.contains("quantization")) facts["quantization"] = {{"scheme", scheme}};
  }
  return true;
}

}  // namespace tunefit::json

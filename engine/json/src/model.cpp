#include "model.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>
#include <vector>

#include "catalogue.h"
#include "schema.h"
#include "words.h"

namespace tunefit::json {

namespace {

template <class Value>
using Names = std::vector<std::pair<std::string_view, Value>>;

// Members of an entry; what it leaves out comes from the table of transformers, then from the schema's default.
class Entry {
 public:
  explicit Entry(const Json& entry) : entry_(entry) {
    const Json* type = member(entry, "model_type");
    implementation_ = type ? member(transformers_table(), text_of(*type).c_str()) : nullptr;
  }

  const Json* stated(const char* key) const {
    const Json* value = member(entry_, key);
    return value && !value->is_null() ? value : nullptr;
  }
  const Json* find(const char* key) const {
    if (const Json* value = stated(key)) return value;
    return implementation_ ? member(*implementation_, key) : nullptr;
  }
  std::int64_t integer(const char* key, std::int64_t otherwise = 0) const {
    const Json* value = find(key);
    std::int64_t whole = otherwise;
    return value && whole_number(*value, whole) ? whole : otherwise;
  }
  bool flag(const char* key, bool otherwise) const {
    const Json* value = find(key);
    return value && value->is_boolean() ? value->get<bool>() : otherwise;
  }
  std::string_view text(const char* key, std::string_view otherwise = {}) const {
    const Json* value = find(key);
    return value && value->is_string() ? std::string_view(text_of(*value)) : otherwise;
  }
  bool has(const char* key) const { return find(key) != nullptr; }

 private:
  const Json& entry_;
  const Json* implementation_;
};

// The first of the blocks that the engine does not know, in words; empty if it knows all.
std::string unknown_block(const Entry& e) {
  static const Names<const char*> kKinds = {{"moe", "it is a mixture of experts"},
                                            {"vlm", "it has a vision or audio tower; its decoder alone is not sized apart"},
                                            {"hybrid-ssm", "it has state-space or convolution layers"},
                                            {"encoder", "it is an encoder"},
                                            {"encoder-decoder", "it is an encoder-decoder"}};
  for (const auto& [kind, why] : kKinds) {
    if (e.text("kind") == kind) return why;
  }
  static const Names<const char*> kBlocks = {{"moe", "it is a mixture of experts"},
                                             {"mla", "it has latent attention (MLA)"},
                                             {"vision", "it has a vision tower"},
                                             {"audio", "it has an audio tower"},
                                             {"ssm", "it has state-space layers"},
                                             {"linear_attention", "it has linear attention"},
                                             {"indexer", "it has a sparse-attention indexer"},
                                             {"encoder_type", "it is an encoder"},
                                             {"attention_groups", "its layers differ in shape"},
                                             {"mlp_groups", "its layers differ in shape"},
                                             {"lm_head_vocab_size", "its head has other rows than its embedding"}};
  for (const auto& [key, why] : kBlocks) {
    if (e.has(key.data())) return why;
  }
  if (const Json* extra = e.find("extra_params"); extra && extra->is_array() && !extra->empty()) {
    const Json* name = extra->front().is_object() ? member(extra->front(), "name") : nullptr;
    return "it holds parameters outside the usual blocks" + (name ? " (" + text_of(*name) + ")" : std::string());
  }
  if (e.flag("attention_output_gate", false)) return "its attention has an output gate";
  if (e.flag("attention_sinks", false)) return "its attention has sinks";
  return {};
}

template <class Value>
bool choose(const Names<Value>& names, std::string_view wanted, Value& out) {
  const auto it = std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.first == wanted; });
  if (it == names.end()) return false;
  out = it->second;
  return true;
}

// The words of an entry that stand for one of a few things. False if a word is not known.
bool read_words(const Entry& e, Architecture& out, Layer& layer, std::string& why_not) {
  static const Names<NormKind> kNorms = {{"rmsnorm", NormKind::rmsnorm},
                                         {"layernorm", NormKind::layernorm},
                                         {"layernorm_nobias", NormKind::layernorm_nobias},
                                         {"nonparametric", NormKind::nonparametric}};
  static const Names<Activation> kActivations = {
      {"silu", Activation::silu}, {"gelu", Activation::gelu}, {"relu", Activation::relu}, {"relu_squared", Activation::relu_squared}};
  static const Names<QkNorm> kQkNorms = {{"none", QkNorm::none}, {"per_head", QkNorm::per_head}, {"full", QkNorm::full}};
  static const Names<Position> kPositions = {
      {"rope", Position::rope}, {"learned", Position::learned}, {"alibi", Position::alibi}, {"none", Position::none}};
  static const Names<DType> kTypes = {{"bfloat16", DType::bf16}, {"float16", DType::fp16}, {"float32", DType::fp32}};
  const auto unknown = [&](const char* what, std::string_view word) {
    why_not = std::string("its ") + what + " (" + std::string(word) + ") is not known to the engine";
    return false;
  };
  if (!choose(kNorms, e.text("norm_type", "rmsnorm"), out.norm)) return unknown("norm", e.text("norm_type"));
  if (!choose(kActivations, e.text("activation", "silu"), layer.mlp.activation)) return unknown("activation", e.text("activation"));
  if (!choose(kQkNorms, e.text("qk_norm", "none"), layer.attention.qk_norm)) return unknown("norm on queries and keys", e.text("qk_norm"));
  if (!choose(kPositions, e.text("position", "rope"), layer.attention.position)) return unknown("position encoding", e.text("position"));
  if (!choose(kTypes, e.text("dtype", "bfloat16"), out.checkpoint_dtype)) return unknown("weight type", e.text("dtype"));
  return true;
}

void read_attention(const Entry& e, Attention& out) {
  out.heads = e.integer("num_attention_heads");
  out.kv_heads = e.integer("num_kv_heads", out.heads);
  out.head_dim = e.integer("head_dim", out.heads > 0 ? e.integer("hidden_size") / out.heads : 0);
  const auto bias = e.text("attention_bias", "none");
  const bool any = bias != "none";
  out.bias_q = any && bias.find('q') != std::string_view::npos;
  out.bias_k = any && bias.find('k') != std::string_view::npos;
  out.bias_v = any && bias.find('v') != std::string_view::npos;
  out.bias_o = any && bias.find('o') != std::string_view::npos;
  out.fused_qkv = e.flag("fused_qkv", false);
}

void read_module_names(const Entry& e, ModuleNames& out) {
  const Json* names = e.find("modules");
  if (!names) return;
  const auto read = [&](const char* role, std::string& to) {
    if (const Json* name = member(*names, role)) to = text_of(*name);
  };
  read("qkv", out.qkv), read("q", out.q), read("k", out.k), read("v", out.v), read("o", out.o);
  read("gate_up", out.gate_up), read("gate", out.gate), read("up", out.up), read("down", out.down);
}

// Layers in order, repeated from the pattern of layer_types; where only a window is given, from the usual pattern of the
// model_type. A window as wide as the longest sequence is none.
bool read_layers(const Entry& e, const Layer& usual, Architecture& out, std::string& why_not) {
  const std::int64_t count = e.integer("num_layers");
  std::int64_t window = e.integer("sliding_window");
  if (out.max_position_embeddings > 0 && window >= out.max_position_embeddings) window = 0;
  const Json* types = e.stated("layer_types");
  if (!types && e.has("sliding_window")) types = e.find("layer_types");
  std::vector<std::string_view> pattern{"full"};
  if (types && types->is_array() && !types->empty()) {
    pattern.clear();
    for (const auto& type : *types) pattern.push_back(text_of(type));
  }
  for (std::int64_t i = 0; i < count; ++i) {
    const auto type = pattern[static_cast<std::size_t>(i) % pattern.size()];
    Layer layer = usual;
    if (type == "sliding") {
      layer.attention.window = window;
    } else if (type == "full_nope") {
      layer.attention.position = Position::none;
    } else if (type != "full") {
      why_not = "some of its layers have attention of the kind " + std::string(type);
      return false;
    }
    const auto known = std::find(out.kinds.begin(), out.kinds.end(), layer);
    out.layers.push_back(static_cast<std::uint16_t>(known - out.kinds.begin()));
    if (known == out.kinds.end()) out.kinds.push_back(layer);
  }
  return true;
}

// Sizes beyond which products could leave 64 bits; the schemas have the same limits.
constexpr std::int64_t kWidest = std::int64_t{1} << 22, kLargestVocabulary = std::int64_t{1} << 24, kMostLayers = 2000, kMostHeads = 8192;

bool sound(const Entry& e, const Architecture& a, const Layer& layer, std::string& why_not) {
  const auto within = [](std::int64_t value, std::int64_t high) { return value >= 1 && value <= high; };
  const Attention& t = layer.attention;
  if (!within(a.hidden, kWidest) || !within(a.vocab, kLargestVocabulary) || !within(e.integer("num_layers"), kMostLayers) ||
      !within(t.heads, kMostHeads) || !within(t.kv_heads, kMostHeads) || !within(t.head_dim, kMostHeads) ||
      !within(layer.mlp.intermediate, kWidest)) {
    why_not = "a dimension is missing or beyond all measure (hidden_size, intermediate_size, num_layers, heads, head_dim, vocab_size)";
    return false;
  }
  if (t.heads % t.kv_heads != 0) {
    why_not = std::to_string(t.heads) + " heads cannot share " + std::to_string(t.kv_heads) + " key and value heads";
    return false;
  }
  const Json* norms = e.find("norms_per_layer");
  if (norms && !(norms->is_number() && (*norms == Json(1) || *norms == Json(2) || *norms == Json(4)))) {
    why_not = "its number of norms in a layer is not known to the engine";
    return false;
  }
  return true;
}

}  // namespace

bool read_architecture(const Json& entry, Architecture& out, std::string& why_not) {
  out = {};
  if (!entry.is_object()) {
    why_not = "its entry is no object";
    return false;
  }
  const Entry e(entry);
  why_not = unknown_block(e);
  if (!why_not.empty()) return false;
  out.id = e.text("id");
  out.hf_id = e.text("hf_id");
  out.model_type = e.text("model_type");
  out.hidden = e.integer("hidden_size");
  out.vocab = e.integer("vocab_size");
  out.max_position_embeddings = e.integer("max_position_embeddings");
  out.learned_positions = e.integer("learned_positions");
  out.norm_scales_in_fp32 = e.flag("norm_scales_in_fp32", false);
  out.embedding_norm = e.has("embedding_norm");
  out.final_norm = e.flag("final_norm", true);
  out.tied = e.flag("tie_word_embeddings", false);
  out.lm_head_bias = e.flag("lm_head_bias", false);
  Layer layer;
  if (!read_words(e, out, layer, why_not)) return false;
  if (out.embedding_norm && e.text("embedding_norm") != e.text("norm_type", "rmsnorm")) {
    why_not = "the norm after its embedding is of another kind than the others";
    return false;
  }
  read_attention(e, layer.attention);
  layer.mlp.intermediate = e.integer("intermediate_size");
  layer.mlp.gated = e.flag("gated", true);
  layer.mlp.bias = e.flag("mlp_bias", false);
  layer.mlp.fused_gate_up = layer.mlp.gated && e.flag("fused_gate_up", false);
  layer.norms = static_cast<int>(e.integer("norms_per_layer", 2));
  layer.parallel_residual = e.flag("parallel_residual", layer.norms == 1);
  layer.post_norm_only = e.text("norm_placement") == "post";
  read_module_names(e, out.modules);
  return sound(e, out, layer, why_not) && read_layers(e, layer, out, why_not);
}

}  // namespace tunefit::json

#include "hf_config.h"

#include <algorithm>

#include "hf_choose.h"
#include "hf_classes.h"
#include "hf_fields.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr const char* kHiddenNames[] = {"hidden_size", "n_embd", "n_embed", "d_model"};
constexpr const char* kLayerNames[] = {"num_hidden_layers", "n_layer", "n_layers", "num_layers"};
constexpr const char* kHeadNames[] = {"num_attention_heads", "n_head", "n_heads"};
constexpr const char* kKvHeadNames[] = {"num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num"};
constexpr const char* kHeadDimNames[] = {"head_dim", "kv_channels"};
constexpr const char* kIntermediateNames[] = {"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"};
constexpr const char* kVocabNames[] = {"vocab_size", "padded_vocab_size"};
constexpr const char* kPositionNames[] = {"max_position_embeddings", "n_positions", "seq_length", "max_seq_len", "max_sequence_length"};

bool read_flag(Fields& f, const Flag& flag) { return flag.field ? f.boolean(flag.field, flag.if_absent) : flag.if_absent; }

// One name for the activations whose memory is the same.
std::string read_activation(Fields& f, const ClassFacts& facts) {
  const char* field = facts.activation_field;
  if (field && !f.find(field) && f.find("activation_function")) field = "activation_function";
  const std::string name = field ? f.text(field, facts.activation) : facts.activation;
  if (name == "silu" || name == "swish") return "silu";
  if (name.starts_with("gelu") || name == "quick_gelu") return "gelu";
  if (name == "relu") return "relu";
  if (name == "relu2" || name == "squared_relu") return "relu_squared";
  f.error("unsupported_feature", field ? field : "", "The activation " + quoted(std::string_view(name)) + " is not known.",
          "silu, gelu, relu or relu2, or another spelling of them as in transformers");
  return "silu";
}

void read_dimensions(Fields& f, const ClassFacts& facts, Draft& d) {
  d.hidden = f.required_integer(kHiddenNames, kHidden).value_or(0);
  d.layers = f.required_integer(kLayerNames, kLayers).value_or(0);
  d.heads = f.required_integer(kHeadNames, kHeads).value_or(0);
  d.vocab = f.required_integer(kVocabNames, kVocab).value_or(0);
  d.positions = f.integer(kPositionNames, kPositions).value_or(0);

  const bool kv_null = f.stated("num_key_value_heads");
  d.kv_heads = f.integer(kKvHeadNames, kHeads).value_or(kv_null || facts.kv_heads == 0 ? d.heads : facts.kv_heads);

  const Aliases widths = facts.intermediate ? Aliases(&facts.intermediate, 1) : Aliases(kIntermediateNames);
  const bool defaulted = facts.intermediate_factor > 0 && !f.name_of(widths);
  d.intermediate = defaulted ? facts.intermediate_factor * d.hidden : f.required_integer(widths, kIntermediate).value_or(0);

  if (f.name_of(kHeadDimNames)) {
    d.head_dim = f.integer(kHeadDimNames, kHeadDim).value_or(0);
  } else if (facts.head_dim > 0) {
    d.head_dim = facts.head_dim;
  } else if (d.hidden > 0 && d.heads > 0) {
    if (d.hidden % d.heads != 0)
      f.error("inconsistent", f.name_of(kHeadNames),
              "The hidden size " + std::to_string(d.hidden) + " is not a multiple of the " + std::to_string(d.heads) + " heads.",
              "a number of heads that divides it, or a head_dim");
    d.head_dim = d.hidden / d.heads;
  }
}

// Full or sliding, layer by layer: layer_types where the file has it, else the class's rule.
void read_layer_kinds(Fields& f, const ClassFacts& facts, Draft& d) {
  const auto& rule = facts.window;
  const bool windowed = rule.full_every != kNoWindow;
  if (windowed) d.window = f.stated("sliding_window") ? f.integer("sliding_window", kPositions).value_or(0) : rule.size;
  if (rule.full_every == kAsStated && !f.boolean("use_sliding_window", false)) d.window = 0;
  const auto full = rule.full_layers_have_rope || d.window == 0 ? LayerKind::full : LayerKind::full_nope;
  const auto count = static_cast<std::size_t>(d.layers);

  const char* types_name = f.find("layer_types") ? "layer_types" : "layers_block_type";
  if (const auto* types = f.find(types_name)) {
    if (!types->is_array() || (count > 0 && types->size() != count))
      return f.error(types->is_array() ? "inconsistent" : "wrong_type", types_name,
                     types->is_array()
                         ? "There are " + std::to_string(types->size()) + " layer types for " + std::to_string(count) + " layers."
                         : std::string(types_name) + " is " + quoted(*types) + ".",
                     "one text a layer: \"full_attention\" or \"sliding_attention\"");
    for (std::size_t i = 0; i < types->size() && i < static_cast<std::size_t>(kLayers.high); ++i) {
      const auto& t = (*types)[i];
      const bool sliding = t == json("sliding_attention");
      if (!sliding && t != json("full_attention") && t != json("attention"))
        return f.error("unsupported_feature", std::string(types_name) + "/" + std::to_string(i),
                       "The layer type " + quoted(t) + " cannot be read yet.", "\"full_attention\" or \"sliding_attention\"");
      if (sliding && d.window == 0 && windowed)
        return f.error("missing_field", "sliding_window", "Layers have sliding attention but the size of the window is not there.",
                       "tokens, for example 4096");
      d.kinds.push_back(sliding && windowed ? LayerKind::sliding : full);
    }
    return;
  }
  if (!windowed || d.window == 0) return;
  std::int64_t every = rule.full_every, from = 0;
  if (every == kAsStated) every = kAllLayers, from = f.integer("max_window_layers", {0, kLayers.high}).value_or(28);
  if (every > kAllLayers) every = f.integer("sliding_window_pattern", kLayers).value_or(every);
  for (std::int64_t i = 0; i < d.layers; ++i)
    d.kinds.push_back(i < from || (every > kAllLayers && (i + 1) % every == 0) ? full : LayerKind::sliding);
}

void check(Fields& f, const Draft& d) {
  if (d.heads > 0 && d.kv_heads > 0 && d.heads % d.kv_heads != 0) {
    const char* name = f.name_of(kKvHeadNames);
    f.error("inconsistent", name ? name : kKvHeadNames[0],
            std::to_string(d.heads) + " heads cannot share " + std::to_string(d.kv_heads) + " key and value heads.",
            "a divisor of the number of heads");
  }
  if (d.intermediate > kIntermediate.high)
    f.error("out_of_range", "", "The MLP would be " + std::to_string(d.intermediate) + " wide.",
            "at most " + std::to_string(kIntermediate.high));
  if (d.position == "learned" && d.positions == 0 && !f.name_of(kPositionNames))
    f.error("missing_field", kPositionNames[1], "The number of learned positions is missing.", "a whole number, for example 1024");
  if (f.find("quantization_config")) {
    const auto& q = *f.find("quantization_config");
    const auto method = q.is_object() ? q.find("quant_method") : q.end();
    const bool named = q.is_object() && method != q.end() && method->is_string();
    f.warn("quantized_checkpoint", "quantization_config",
           "The checkpoint is quantised" + (named ? " (" + quoted(*method) + ")" : std::string()) + ".",
           "sized as its unquantised base; say in recipe.quantization how the run holds the weights");
  }
  for (const char* name : {"num_nextn_predict_layers", "_num_mtp_layers", "mtp_num_hidden_layers"})
    if (f.positive(name)) f.warn("left_out", name, "Layers for multi-token prediction are left out, as transformers leaves them out.", "0");
}

std::string read_dtype(Fields& f) {
  const char* field = f.find("torch_dtype") ? "torch_dtype" : "dtype";
  std::string name = f.text(field, "");
  if (name.starts_with("torch.")) name.erase(0, 6);
  if (name == "auto") name.clear();
  for (const auto& [flag, dtype] : {std::pair("bf16", "bfloat16"), std::pair("fp16", "float16"), std::pair("fp32", "float32")})
    if (name.empty() && f.find(flag) && f.boolean(flag, false)) name = dtype;
  for (const char* known : {"bfloat16", "float16", "float32"})
    if (name == known) return name;
  if (name.empty())
    f.warn("assumed_default", "torch_dtype", "The dtype of the weights is not stated; taken as float32, as transformers does.",
           "bfloat16, float16 or float32");
  else if (name.starts_with("float8"))
    return f.warn("quantized_checkpoint", field, "The checkpoint is stored in 8-bit floats; sized as its bfloat16 base.", "bfloat16"),
           "bfloat16";
  else
    f.error("wrong_type", field, "The dtype " + quoted(std::string_view(name)) + " is not known.", "bfloat16, float16 or float32");
  return "float32";
}

// The shortest list that repeats to all layers.
json layer_types(const std::vector<LayerKind>& kinds) {
  std::size_t period = 1;
  while (period < kinds.size() && !std::equal(kinds.begin() + static_cast<std::ptrdiff_t>(period), kinds.end(), kinds.begin())) ++period;
  json list = json::array();
  for (std::size_t i = 0; i < std::min(period, kinds.size()); ++i)
    list.push_back(kinds[i] == LayerKind::sliding ? "sliding" : kinds[i] == LayerKind::full ? "full" : "full_nope");
  return list;
}

json entry_of(const Draft& d, const ClassFacts& facts, const std::string& dtype) {
  json e = {{"kind", "dense"},
            {"architectures", json::array({facts.name})},
            {"model_type", facts.model_type},
            {"basis", "config"},
            {"dtype", dtype},
            {"hidden_size", d.hidden},
            {"intermediate_size", d.intermediate},
            {"num_layers", d.layers},
            {"num_attention_heads", d.heads},
            {"num_kv_heads", d.kv_heads},
            {"head_dim", d.head_dim},
            {"vocab_size", d.vocab},
            {"tie_word_embeddings", d.tied},
            {"position", d.position},
            {"qk_norm", d.qk_norm},
            {"gated", d.gated},
            {"activation", d.activation},
            {"mlp_bias", d.mlp_bias},
            {"norm_type", d.norm},
            {"norms_per_layer", d.norms},
            {"attention_bias", std::string(d.bias_qkv ? "qkv" : "") + (d.bias_o ? "o" : "") + (d.bias_qkv || d.bias_o ? "" : "none")}};
  if (d.positions > 0) e["max_position_embeddings"] = d.positions;
  if (d.learned_positions > 0) e["learned_positions"] = d.learned_positions;
  if (facts.lm_head_bias) e["lm_head_bias"] = true;
  if (facts.embedding_norm) e["embedding_norm"] = facts.embedding_norm;
  if (d.parallel_residual_stated) e["parallel_residual"] = d.parallel_residual;
  const bool plain = std::all_of(d.kinds.begin(), d.kinds.end(), [](LayerKind k) { return k == LayerKind::full; });
  if (!plain) {
    e["layer_types"] = layer_types(d.kinds);
    if (std::find(d.kinds.begin(), d.kinds.end(), LayerKind::sliding) != d.kinds.end()) e["sliding_window"] = d.window;
  }
  return e;
}

}  // namespace

std::vector<std::string> hf_config_classes() {
  std::vector<std::string> names;
  for (const auto& c : hf_classes()) names.emplace_back(c.name);
  return names;
}

bool entry_from_hf_config(const json& config, json& entry, Findings& findings) {
  if (!config.is_object()) {
    findings.push_back({"error", "wrong_type", "", "The config.json is " + quoted(config) + ".", "an object, as transformers writes it"});
    return false;
  }
  Fields f(config, findings);
  const Chosen chosen = choose_class(f);
  if (!chosen.facts) return false;
  const ClassFacts& facts = *chosen.facts;

  Draft d;
  read_dimensions(f, facts, d);
  d.bias_qkv = read_flag(f, facts.bias_qkv);
  d.bias_o = read_flag(f, facts.bias_o);
  d.mlp_bias = read_flag(f, facts.mlp_bias);
  d.gated = facts.gated;
  d.activation = read_activation(f, facts);
  d.norm = facts.norm;
  d.norms = facts.norms;
  d.qk_norm = !facts.qk_norm_field || f.boolean(facts.qk_norm_field, false) ? facts.qk_norm : "none";
  d.tied = f.boolean("tie_word_embeddings", facts.tied) || chosen.no_head;
  d.position = facts.position;
  read_layer_kinds(f, facts, d);
  if (facts.finish) facts.finish(f, d);
  if (d.position == "learned") d.learned_positions = d.positions + facts.position_rows_extra;
  check(f, d);
  const std::string dtype = read_dtype(f);
  if (f.failed()) return false;
  entry = entry_of(d, facts, dtype);
  return true;
}

}  // namespace tunefit::json

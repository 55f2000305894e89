#include "hf_decoder.h"

#include <algorithm>

#include "hf_generic.h"
#include "hf_parts.h"

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
  if (name == "xielu" || name == "situ") return name == "situ" ? "situ_glu" : name;
  f.error("unsupported_feature", field ? field : "", "The activation " + quoted(std::string_view(name)) + " is not known.",
          "silu, gelu, relu or relu2, or another spelling of them as in transformers");
  return "silu";
}

// One dimension: what is known already, the field, or the default of a nested configuration.
void read(Fields& f, Aliases names, Range range, std::int64_t sparse, std::int64_t& out) {
  if (out > 0) return;
  const bool defaulted = sparse > 0 && !f.name_of(names);
  out = defaulted ? sparse : f.required_integer(names, range).value_or(0);
}

void read_dimensions(Fields& f, const ClassFacts& facts, bool nested, Draft& d) {
  const Sparse sparse = nested ? facts.sparse : Sparse{};
  read(f, kHiddenNames, kHidden, sparse.hidden, d.hidden);
  read(f, kLayerNames, kLayers, sparse.layers, d.layers);
  read(f, kHeadNames, kHeads, sparse.heads, d.heads);
  read(f, kVocabNames, kVocab, sparse.vocab, d.vocab);
  d.positions = f.integer(kPositionNames, kPositions).value_or(sparse.positions);

  const bool kv_null = f.stated("num_key_value_heads");
  if (d.kv_heads == 0) d.kv_heads = f.integer(kKvHeadNames, kHeads).value_or(kv_null || facts.kv_heads == 0 ? d.heads : facts.kv_heads);

  const Aliases widths = facts.intermediate ? Aliases(&facts.intermediate, 1) : Aliases(kIntermediateNames);
  if (d.intermediate == 0 && facts.intermediate_factor > 0 && !f.name_of(widths)) d.intermediate = facts.intermediate_factor * d.hidden;
  read(f, widths, kIntermediate, sparse.intermediate, d.intermediate);

  if (d.head_dim > 0) return;
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
}

}  // namespace

void read_decoder(Fields& f, const ClassFacts& facts, bool nested, Draft& d) {
  if (facts.prepare) facts.prepare(f, d);
  read_dimensions(f, facts, nested, d);
  d.bias_qkv = read_flag(f, facts.bias_qkv);
  d.bias_o = read_flag(f, facts.bias_o);
  d.mlp_bias = read_flag(f, facts.mlp_bias);
  d.gated = facts.gated;
  d.activation = read_activation(f, facts);
  d.norm = facts.norm;
  d.norms = facts.norms;
  d.qk_norm = !facts.qk_norm_field || f.boolean(facts.qk_norm_field, false) ? facts.qk_norm : "none";
  d.tied = f.boolean("tie_word_embeddings", facts.tied);
  d.position = facts.position;
  d.lm_head_bias = read_flag(f, facts.lm_head_bias);
  if (facts.embedding_norm) d.members["embedding_norm"] = facts.embedding_norm;
  if (!facts.own_layers) read_layer_kinds(f, facts, d);
  if (facts.experts && !read_experts(f, d, *facts.experts) && !f.failed())
    f.error("missing_field", "num_experts", "The number of experts is missing.",
            "a whole number, as num_experts, num_local_experts or n_routed_experts");
  if (facts.finish) facts.finish(f, d);
  if (d.position == "learned") d.learned_positions = d.positions + facts.position_rows_extra;
  check(f, d);
  read_what_is_unexpected(f, &facts == &generic_decoder(), d);
}

}  // namespace tunefit::json

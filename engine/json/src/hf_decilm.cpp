#include "hf_decilm.h"

#include <cmath>
#include <map>
#include <utility>

#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

// One layer of block_configs. kv_heads and width 0: none; linear: h x h in place of attention or MLP.
struct Block {
  std::int64_t kv_heads = 0, width = 0;
  bool linear_attention = false, linear_mlp = false;
};

// Width of the MLP: 2 * ffn_mult * h / 3, rounded up to a multiple of 256 (modeling_decilm.py).
std::int64_t width_of(double mult, std::int64_t hidden) {
  const auto width = static_cast<std::int64_t>(2.0 * mult * static_cast<double>(hidden) / 3.0);
  return (width + 255) / 256 * 256;
}

Block read_block(Fields& f, std::size_t i, const json& block, std::int64_t heads, std::int64_t hidden) {
  Block b;
  const std::string at = "block_configs/" + std::to_string(i);
  static const json kEmpty = json::object();
  const auto part = [&](const char* name) -> const json& {
    const auto it = block.is_object() ? block.find(name) : block.end();
    return block.is_object() && it != block.end() && it->is_object() ? *it : kEmpty;
  };
  auto attention = f.below(at + "/attention", part("attention"));
  auto ffn = f.below(at + "/ffn", part("ffn"));
  b.linear_attention = attention.boolean("replace_with_linear", false);
  if (!b.linear_attention && !attention.boolean("no_op", false)) {
    const auto group = attention.required_integer("n_heads_in_group", kHeads).value_or(1);
    if (heads % group != 0)
      attention.error("inconsistent", "n_heads_in_group", "The heads do not divide into groups of " + std::to_string(group) + ".",
                      "a divisor of num_attention_heads");
    b.kv_heads = heads / group;
  }
  b.linear_mlp = ffn.boolean("replace_with_linear", false);
  if (b.linear_mlp || ffn.boolean("no_op", false)) return b;
  const auto* mult = ffn.find("ffn_mult");
  if (mult && mult->is_number() && mult->get<double>() > 0 && mult->get<double>() < 64)
    b.width = width_of(mult->get<double>(), hidden);
  else
    ffn.error("missing_field", "ffn_mult", "The layer's MLP has no width.", "a number, for example 5.25");
  return b;
}

}  // namespace

// kv_heads and intermediate: the largest of any layer.
void prepare_decilm(Fields& f, Draft& d) {
  const auto* list = f.find("block_configs");
  d.hidden = f.required_integer("hidden_size", kHidden).value_or(0);
  d.heads = f.required_integer("num_attention_heads", kHeads).value_or(0);
  const auto layers = f.required_integer("num_hidden_layers", kLayers).value_or(0);
  d.kv_heads = d.intermediate = 1;
  if (!list || !list->is_array() || list->size() != static_cast<std::size_t>(layers))
    return f.error(list ? "inconsistent" : "missing_field", "block_configs", "block_configs does not have an entry for each layer.",
                   "a list of one object with attention and ffn a layer");
  if (d.hidden == 0 || d.heads == 0) return;
  std::map<std::int64_t, std::int64_t> attention, mlp;  // layers by key and value heads, by width
  std::int64_t linear_attention = 0, linear_mlp = 0, norms = 0;
  for (std::size_t i = 0; i < list->size() && !f.failed(); ++i) {
    const Block b = read_block(f, i, (*list)[i], d.heads, d.hidden);
    b.linear_attention ? ++linear_attention : ++attention[b.kv_heads];
    b.linear_mlp ? ++linear_mlp : ++mlp[b.width];
    norms += (b.kv_heads > 0 || b.linear_attention ? 1 : 0) + (b.width > 0 || b.linear_mlp ? 1 : 0);
    d.kv_heads = std::max(d.kv_heads, b.kv_heads), d.intermediate = std::max(d.intermediate, b.width);
  }
  const auto linear = [&](std::int64_t n) {
    auto group = layer_group(n, "fixed");
    group["params_per_layer"] = d.hidden * d.hidden, group["formula"] = "h*h";
    return group;
  };
  std::vector<json> mixers{linear(linear_attention)}, widths{linear(linear_mlp)};
  for (const auto& [kv, n] : attention) {
    mixers.push_back(layer_group(n, kv > 0 ? "full" : "none"));
    if (kv > 0) mixers.back()["num_kv_heads"] = kv;
  }
  for (const auto& [width, n] : mlp) {
    widths.push_back(layer_group(n, width > 0 ? "dense" : "none"));
    if (width > 0) widths.back()["intermediate_size"] = width;
  }
  set_groups(d, "attention_groups", std::move(mixers));
  set_groups(d, "mlp_groups", std::move(widths));
  if (layers > 0) d.members["norms_per_layer"] = static_cast<double>(norms) / static_cast<double>(layers);
}

void finish_decilm(Fields&, Draft& d) {
  if (d.members.contains("norms_per_layer") && d.members["norms_per_layer"] == json(2.0)) d.members.erase("norms_per_layer");
}

}  // namespace tunefit::json

#include <algorithm>
#include <array>

#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr Range kExperts{1, 1 << 14}, kShared{0, 1 << 10};

// Names under which classes keep the same thing.
constexpr std::array kCount{"num_local_experts", "num_experts", "n_routed_experts", "moe_num_experts"};
constexpr std::array kPerToken{
    "num_experts_per_tok", "num_experts_per_token", "experts_per_token", "top_k_experts", "moe_topk", "moe_top_k", "moe_k"};
constexpr std::array kSharedNumber{"n_shared_experts", "num_shared_experts", "moe_num_shared_experts", "num_shared_expert"};
constexpr std::array kSharedWidth{"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size", "shared_intermediate_size"};

template <class Names>
const char* first_of(const Fields& f, const Names& names) {
  return f.name_of(Aliases(names.data(), names.size()));
}

std::int64_t shared_width(Fields& f, const ExpertFacts& facts, std::int64_t width) {
  using Shared = ExpertFacts::Shared;
  if (facts.shared == Shared::as_wide) return width;
  if (facts.shared == Shared::by_width) {
    const char* name = first_of(f, kSharedWidth);
    return name ? f.integer(name, {0, kIntermediate.high}).value_or(0) : 0;
  }
  if (facts.shared == Shared::none) return 0;
  const char* name = first_of(f, kSharedNumber);
  return name ? same_integer(f, name, kShared).value_or(0) * width : 0;
}

// i-th layer by "start at, every, end at" (ERNIE), "every n-th but not these" (Qwen), "from the k-th" (DeepSeek, LFM2).
bool has_experts(std::int64_t i, std::int64_t first, std::int64_t last, std::int64_t step, std::int64_t freq) {
  return i >= first && i <= last && (i + 1) % step == 0 && i % freq == 0;
}

}  // namespace

LayerFlags expert_layers(Fields& f, const Draft& d, const ExpertFacts& facts) {
  const auto words = layer_words(f, "mlp_layer_types", d.layers, {"dense", "sparse"});
  LayerFlags flags;
  if (!words.empty()) {
    for (const auto& word : words) flags.push_back(word == "sparse");
    return flags;
  }
  if (const auto* list = f.find("moe_layer_freq"); list && list->is_array()) {
    const auto numbers = f.integers("moe_layer_freq", {0, 1});
    if (!numbers.empty() && numbers.size() != static_cast<std::size_t>(d.layers))
      f.error("inconsistent", "moe_layer_freq",
              "moe_layer_freq has " + std::to_string(numbers.size()) + " entries for " + std::to_string(d.layers) + " layers.",
              "one 0 or 1 a layer");
    else
      for (const auto n : numbers) flags.push_back(n == 1);
    return flags;
  }
  const Range any{0, kLayers.high};
  const auto first = f.integer({"first_k_dense_replace", "num_dense_layers", "moe_layer_start_index"}, any).value_or(facts.first_dense);
  auto last = f.integer("moe_layer_end_index", {-1, kLayers.high}).value_or(-1);
  if (last < 0) last = d.layers;
  const auto step = f.integer({"decoder_sparse_step", "moe_layer_interval"}, kLayers).value_or(1);
  const auto freq = f.integer("moe_layer_freq", kLayers).value_or(1);
  const auto dense = f.integers("mlp_only_layers", any);
  for (std::int64_t i = 0; i < d.layers; ++i)
    flags.push_back(has_experts(i, first, last, step, freq) && std::find(dense.begin(), dense.end(), i) == dense.end());
  return flags;
}

void set_expert_layers(Draft& d, const LayerFlags& flags, std::int64_t dense) {
  auto& moe = d.members["moe"];
  const auto experts = std::count(flags.begin(), flags.end(), true);
  const auto first = std::find(flags.begin(), flags.end(), true) - flags.begin();
  const bool lowest_are_dense = static_cast<std::size_t>(first + experts) == flags.size();
  if (lowest_are_dense && dense == 0) {
    if (first > 0) moe["first_dense_layers"] = first;
    return;
  }
  moe["moe_layers"] = experts;
  auto plain = layer_group(static_cast<std::int64_t>(flags.size()) - experts, "dense");
  if (dense > 0) plain["intermediate_size"] = dense;
  set_groups(d, "mlp_groups", {plain, layer_group(experts, "moe")});
}

bool read_experts(Fields& f, Draft& d, const ExpertFacts& facts) {
  const char* count_name = first_of(f, kCount);
  if (!count_name) return false;
  const auto count = same_integer(f, count_name, {0, kExperts.high});
  if (!count || *count < 2) return false;
  const char* per_token_name = first_of(f, kPerToken);
  if (!per_token_name) {
    f.error("missing_field", kPerToken.front(), "How many experts a token visits is missing.",
            "a whole number, for example 2; some classes call it moe_topk or moe_k");
    return false;
  }
  const auto per_token = same_integer(f, per_token_name, kExperts);
  const auto width = f.find(facts.width) ? same_integer(f, facts.width, kIntermediate) : f.required_integer(facts.width, kIntermediate);
  if (!per_token || !width) return false;
  if (*per_token > *count)
    f.error("inconsistent", per_token_name,
            "A token cannot visit " + std::to_string(*per_token) + " of " + std::to_string(*count) + " experts.",
            "at most " + std::to_string(*count));
  json moe = {{"num_experts", *count}, {"experts_per_token", *per_token}, {"moe_intermediate_size", *width}};
  if (const auto shared = shared_width(f, facts, *width); shared > 0) {
    moe["shared_intermediate_size"] = shared;
    if (facts.shared_gate) moe["shared_expert_gate"] = true;
  }
  if (facts.router_bias) moe["router_bias"] = true;
  if (facts.score_correction) moe["score_correction_bias"] = true;
  if (facts.expert_bias) moe["expert_bias"] = true;
  if (*count * *width > kIntermediate.high * std::int64_t{1024})
    f.error("out_of_range", facts.width, "The experts of a layer would be " + std::to_string(*count * *width) + " wide together.",
            "an inner width of one expert");
  d.members["moe"] = std::move(moe);
  d.kind = "moe";
  set_expert_layers(d, expert_layers(f, d, facts));
  return true;
}

}  // namespace tunefit::json

// The decoder's layers: which mixer and which feed-forward each has, in their order.
#include "model_entry.h"

namespace tunefit::json {

namespace {

const Names<QkNorm>& qk_norms() {
  static const Names<QkNorm> kAll = {
      {"none", QkNorm::none}, {"per_head", QkNorm::per_head}, {"full", QkNorm::full}, {"l2_weightless", QkNorm::weightless}};
  return kAll;
}
const Names<Position>& positions() {
  static const Names<Position> kAll = {
      {"rope", Position::rope}, {"learned", Position::learned}, {"alibi", Position::alibi}, {"none", Position::none}};
  return kAll;
}
// swiglu_oai (gpt-oss) keeps more than silu does; what it keeps is in build_mlp.cpp under its own name.
const Names<Activation>& activations() {
  static const Names<Activation> kAll = {{"silu", Activation::silu},    {"gelu", Activation::gelu},
                                         {"relu", Activation::relu},    {"relu_squared", Activation::relu_squared},
                                         {"xielu", Activation::xielu},  {"swiglu_oai", Activation::swiglu_oai},
                                         {"situ_glu", Activation::silu}};
  return kAll;
}

template <class Value>
bool known(const Names<Value>& names, std::string_view word, const char* what, std::string& why_not) {
  Value ignored{};
  if (choose(names, word, ignored)) return true;
  why_not = "its ";
  why_not.append(what).append(" (").append(word).append(") is not known to the engine");
  return false;
}

LatentAttention read_latent(const Entry& e, const Entry& group) {
  const Entry m(e.object("mla"), e);
  LatentAttention out;
  out.heads = e.integer("num_attention_heads");
  out.q_rank = m.stated("q_lora_rank") ? m.integer("q_lora_rank") : 0;
  out.kv_rank = m.integer("kv_lora_rank");
  out.nope_dim = m.integer("qk_nope_head_dim");
  out.rope_dim = m.integer("qk_rope_head_dim");
  out.v_head_dim = m.integer("v_head_dim");
  const Json* indexer = group.stated("indexer") ? group.stated("indexer") : m.stated("indexer");
  if (indexer && indexer->is_object()) {
    const Entry ix(*indexer);
    out.indexer_heads = ix.integer("n_heads"), out.indexer_dim = ix.integer("head_dim");
  }
  return out;
}

Mamba read_mamba(const Entry& e) {
  const Entry s(e.object("ssm"));
  Mamba out;
  out.second = s.text("kind") == "mamba2";
  out.heads = s.integer("num_heads");
  out.inner = out.second ? out.heads * s.integer("head_dim") : s.integer("d_inner");
  out.dt_rank = s.integer("dt_rank");
  out.groups = s.integer("n_groups", 1);
  out.state = s.integer("state_size");
  out.conv_kernel = s.integer("conv_kernel");
  out.conv_bias = s.flag("conv_bias", true);
  out.gated_norm = s.flag("gated_norm", true);
  out.bias = s.flag("proj_bias", false);
  out.inner_norms = s.flag("inner_norms", false);
  return out;
}

LinearAttention read_linear(const Entry& e) {
  const Entry l(e.object("linear_attention"));
  LinearAttention out;
  out.kind = l.text("kind") == "kda" ? LinearKind::kda : LinearKind::gated_deltanet;
  out.key_heads = l.integer("num_key_heads"), out.value_heads = l.integer("num_value_heads");
  out.key_dim = l.integer("key_head_dim"), out.value_dim = l.integer("value_head_dim");
  out.conv_kernel = l.integer("conv_kernel");
  return out;
}

Mlp read_mlp(const Entry& e) {
  Mlp out;
  choose(activations(), e.text("activation", "silu"), out.activation);
  out.intermediate = e.integer("intermediate_size");
  out.gated = e.flag("gated", true);
  out.bias = e.flag("mlp_bias", false);
  out.fused_gate_up = out.gated && e.flag("fused_gate_up", false);
  return out;
}

Experts read_experts(const Entry& e, const Entry& group) {
  const Entry m(e.object("moe"));
  Experts out;
  out.count = group.stated("num_experts") ? group.integer("num_experts") : m.integer("num_experts");
  out.per_token = m.integer("experts_per_token");
  out.expert = read_mlp(e);
  out.expert.intermediate = m.integer("moe_intermediate_size");
  out.expert.bias = m.flag("expert_bias", false);
  out.shared = m.integer("shared_intermediate_size");
  out.shared_gate = m.flag("shared_expert_gate", false);
  out.latent = m.integer("latent_size");
  out.router_bias = m.flag("router_bias", false);
  out.score_correction = m.flag("score_correction_bias", false);
  out.fused = e.flag("fused_experts", false);
  if (e.flag("every_expert", false)) out.per_token = out.count;  // Llama 4's code runs every token through every expert
  return out;
}

// A part of a layer as a group of the entry says it, put into the layer. False if the kind is not known.
bool put_mixer(const Entry& e, const Entry& group, std::string_view type, std::int64_t window, Layer& layer) {
  if (type == "full" || type == "sliding" || type == "chunked" || type == "full_nope" || type == "cross") {
    Attention a = read_attention(group);
    if (type == "sliding" || type == "chunked") a.window = window;
    if (type == "full_nope") a.position = Position::none;
    a.cross = type == "cross";
    layer.attention = a;
  } else if (type == "fixed" && e.has("o_lora_rank")) {  // DeepSeek-V4: one latent for keys and values, low-rank query and output
    Attention a = read_attention(group);
    a.q_rank = e.integer("q_lora_rank"), a.o_rank = e.integer("o_lora_rank"), a.o_groups = e.integer("o_groups", 1);
    a.k_eq_v = true, a.window = window;
    layer.attention = a;
  } else if (type == "fixed" && e.has("linear_attention")) {
    layer.linear = read_linear(e);
  } else if (type == "mla") {
    layer.latent = read_latent(e, group);
  } else if (type == "gated_deltanet") {
    layer.linear = read_linear(e);
  } else if (type == "mamba1" || type == "mamba2") {
    layer.mamba = read_mamba(e);
  } else if (type == "parallel_attention_mamba2") {
    layer.attention = read_attention(group);
    layer.mamba = read_mamba(e);
  } else if (type == "short_conv") {
    layer.short_conv = group.integer("conv_kernel");
  } else if (type != "none") {
    return false;
  }
  if (group.stated("extra_per_layer")) layer.other += group.integer("extra_per_layer");
  return true;
}

bool put_feed_forward(const Entry& e, const Entry& group, std::string_view type, Layer& layer) {
  if (type == "dense")
    layer.mlp = read_mlp(group);
  else if (type == "moe")
    layer.experts = read_experts(e, group);
  else if (type != "none")
    return false;
  return true;
}

struct Group {
  const Json* json;
  std::int64_t layers;
  std::string_view type;
};

std::vector<Group> groups_of(const Json* list) {
  std::vector<Group> out;
  if (!list || !list->is_array()) return out;
  for (const Json& group : *list) {
    if (!group.is_object()) continue;
    const Entry g(group);
    out.push_back({&group, g.integer("layers"), g.text("type")});
  }
  return out;
}

// Which group each layer belongs to. from the names by layer where they say it, else spread evenly.
std::vector<std::size_t> deal(const std::vector<Group>& groups, std::int64_t layers, const std::vector<std::string_view>& names) {
  std::vector<std::int64_t> left;
  for (const Group& g : groups) left.push_back(g.layers);
  std::vector<std::size_t> out;
  const auto matches = [](std::string_view type, std::string_view name) { return type == name || (type == "full" && name == "full_nope"); };
  for (std::int64_t i = 0; i < layers; ++i) {
    std::size_t best = groups.size();
    double most = -1;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      if (left[g] == 0) continue;
      const bool named = !names.empty() && matches(groups[g].type, names[static_cast<std::size_t>(i) % names.size()]);
      const double due = (named ? 1e9 : 0) + static_cast<double>(left[g]) / static_cast<double>(groups[g].layers) +
                         1e-6 * static_cast<double>(groups[g].layers);
      if (due > most) most = due, best = g;
    }
    if (best == groups.size()) best = groups.size() - 1;
    out.push_back(best);
    if (left[best] > 0) --left[best];
  }
  return out;
}

// A pattern of letters, one a layer (Nemotron-H): M mamba, * attention, - MLP, E experts.
bool letters(std::string_view pattern, std::int64_t layers) {
  return static_cast<std::int64_t>(pattern.size()) == layers && pattern.find_first_not_of("M*-E") == std::string_view::npos;
}

std::string_view mixer_of_letter(char c) { return c == 'M' ? "mamba2" : c == '*' ? "full" : "none"; }
std::string_view feed_of_letter(char c) { return c == '-' ? "dense" : c == 'E' ? "moe" : "none"; }

bool sound(const Layer& l, std::string& why_not) {
  why_not = "a dimension is missing or beyond all measure (intermediate_size, heads, head_dim, experts, state)";
  if (l.attention) {
    const Attention& t = *l.attention;
    if (!within(t.heads, kMostHeads) || !within(t.kv_heads, kMostHeads) || !within(t.head_dim, kMostHeads)) return false;
    if (t.heads % t.kv_heads != 0) {
      why_not = std::to_string(t.heads) + " heads cannot share " + std::to_string(t.kv_heads) + " key and value heads";
      return false;
    }
    if (t.o_groups > 0 && t.out_width() % t.o_groups != 0) return false;
  }
  if (l.latent &&
      (!within(l.latent->heads, kMostHeads) || !within(l.latent->kv_rank, kWidest) || !within(l.latent->v_head_dim, kMostHeads) ||
       l.latent->nope_dim < 0 || l.latent->rope_dim < 0 || !within(l.latent->qk_dim(), kMostHeads) || l.latent->q_rank < 0))
    return false;
  if (l.mamba && (!within(l.mamba->inner, kWidest) || !within(l.mamba->state, kMostHeads) || !within(l.mamba->conv_kernel, 1024) ||
                  (l.mamba->second ? !within(l.mamba->heads, kMostHeads) || !within(l.mamba->groups, kMostHeads)
                                   : !within(l.mamba->dt_rank, kWidest))))
    return false;
  if (l.linear &&
      (!within(l.linear->key_heads, kMostHeads) || !within(l.linear->value_heads, kMostHeads) || !within(l.linear->key_dim, kMostHeads) ||
       !within(l.linear->value_dim, kMostHeads) || !within(l.linear->conv_kernel, 1024)))
    return false;
  if (l.mlp && !within(l.mlp->intermediate, kWidest)) return false;
  if (l.experts && (!within(l.experts->count, kMostHeads) || !within(l.experts->per_token, l.experts->count) ||
                    !within(l.experts->expert.intermediate, kWidest) || l.experts->shared < 0 || l.experts->shared > kWidest ||
                    l.experts->latent < 0 || l.experts->latent > kWidest))
    return false;
  why_not.clear();
  return true;
}

}  // namespace

Attention read_attention(const Entry& e) {
  Attention out;
  out.heads = e.stated("num_heads") ? e.integer("num_heads") : e.integer("num_attention_heads");
  out.kv_heads = e.integer("num_kv_heads", out.heads);
  out.head_dim = e.integer("head_dim", out.heads > 0 ? e.integer("hidden_size") / out.heads : 0);
  out.v_head_dim = std::clamp<std::int64_t>(e.integer("v_head_dim"), 0, kMostHeads);
  const auto bias = e.text("attention_bias", "none");
  const bool any = bias != "none";
  out.bias_q = any && bias.find('q') != std::string_view::npos;
  out.bias_k = any && bias.find('k') != std::string_view::npos;
  out.bias_v = any && bias.find('v') != std::string_view::npos;
  out.bias_o = any && bias.find('o') != std::string_view::npos;
  out.fused_qkv = e.flag("fused_qkv", false);
  out.output_gate = e.flag("attention_output_gate", false);
  out.sinks = e.has("sinks") ? e.flag("sinks", false) : e.flag("attention_sinks", false);
  out.k_eq_v = e.flag("k_eq_v", false);
  out.shares_kv = e.flag("no_kv", false);
  choose(qk_norms(), e.text("qk_norm", "none"), out.qk_norm);
  choose(positions(), e.text("position", "rope"), out.position);
  return out;
}

bool read_layers(const Entry& e, Architecture& out, std::string& why_not) {
  if (!known(activations(), e.text("activation", "silu"), "activation", why_not) ||
      !known(qk_norms(), e.text("qk_norm", "none"), "norm on queries and keys", why_not) ||
      !known(positions(), e.text("position", "rope"), "position encoding", why_not))
    return false;
  const std::int64_t count = e.integer("num_layers");
  std::int64_t window = e.integer("sliding_window");
  if (out.max_position_embeddings > 0 && window >= out.max_position_embeddings) window = 0;
  // Names by layer: of the entry, else, where only a window is given, the usual pattern of the model_type.
  const Json* types = e.stated("layer_types");
  if (!types && e.has("sliding_window") && !e.has("attention_groups")) types = e.find("layer_types");
  std::vector<std::string_view> names;
  if (types && types->is_array())
    for (const auto& type : *types) names.push_back(text_of(type));
  const std::string_view pattern = e.text("layer_pattern");
  const bool lettered = letters(pattern, count);

  const auto mixers = groups_of(e.find("attention_groups")), feeds = groups_of(e.find("mlp_groups"));
  std::int64_t in_feeds = 0;
  for (const Group& g : feeds) in_feeds += g.layers;
  const bool beside = feeds.size() == 2 && in_feeds == 2 * count;  // each layer has both (Gemma 4 with experts)
  const auto mixer_of = mixers.empty() ? std::vector<std::size_t>{} : deal(mixers, count, names);
  const auto feed_of = feeds.empty() || beside ? std::vector<std::size_t>{} : deal(feeds, count, {});
  const Entry moe(e.object("moe"));
  const bool experts = e.has("moe");
  const std::int64_t first_sparse = experts ? count - moe.integer("moe_layers", count - moe.integer("first_dense_layers")) : count;

  for (std::int64_t i = 0; i < count; ++i) {
    const auto at = static_cast<std::size_t>(i);
    Layer layer;
    const std::string_view name = names.empty() ? "full" : names[at % names.size()];
    std::string_view mixer = mixers.empty() ? (e.has("mla") ? "mla" : name) : mixers[mixer_of[at]].type;
    const Json* mixer_group = mixers.empty() ? nullptr : mixers[mixer_of[at]].json;
    if (lettered) {
      mixer = mixer_of_letter(pattern[at]);
      for (const Group& g : mixers)
        if (g.type == mixer) mixer_group = g.json;
    }
    if (mixer == "full" && name == "full_nope") mixer = name;
    const Entry m(mixer_group ? *mixer_group : e.object(""), e);
    if (!put_mixer(e, m, mixer, window, layer)) {
      why_not = "some of its layers have attention of the kind " + std::string(mixer);
      return false;
    }
    std::string_view feed = feeds.empty() ? (i < first_sparse ? "dense" : "moe") : beside ? "dense" : feeds[feed_of[at]].type;
    const Json* feed_group = feeds.empty() ? nullptr : beside ? feeds[0].json : feeds[feed_of[at]].json;
    if (lettered) {
      feed = feed_of_letter(pattern[at]);
      for (const Group& g : feeds)
        if (g.type == feed) feed_group = g.json;
    }
    const Entry f(feed_group ? *feed_group : e.object(""), e);
    if (!put_feed_forward(e, f, feed, layer) || (beside && !put_feed_forward(e, Entry(*feeds[1].json, e), "moe", layer))) {
      why_not = "some of its layers have an MLP of the kind " + std::string(feed);
      return false;
    }
    const bool mixes = mixer != "none", feeds_forward = feed != "none";
    const Json* norms = e.find("norms_per_layer");
    std::int64_t stated = 2;
    if (norms && !whole_number(*norms, stated)) stated = 2;  // a mean over unequal layers
    if (stated != 1 && stated != 2 && stated != 4 && stated != 7) {
      why_not = "its number of norms in a layer is not known to the engine";
      return false;
    }
    layer.norms = mixes && feeds_forward ? static_cast<int>(stated) : 1;
    layer.parallel_residual = e.flag("parallel_residual", layer.norms == 1 && mixes && feeds_forward);
    layer.post_norm_only = e.text("norm_placement") == "post";
    if (!sound(layer, why_not)) return false;
    const auto known = std::find(out.kinds.begin(), out.kinds.end(), layer);
    out.layers.push_back(static_cast<std::uint16_t>(known - out.kinds.begin()));
    if (known == out.kinds.end()) out.kinds.push_back(layer);
  }
  return true;
}

}  // namespace tunefit::json

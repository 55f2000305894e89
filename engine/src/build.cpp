#include "tunefit/build.h"

#include <map>
#include <tuple>

#include "tunefit/passes.h"
#include "tunefit/storage.h"

namespace tunefit {
namespace {

// Writes operations of one block in the order in which the model's forward runs them.
class Builder {
 public:
  Builder(Block& block, const Architecture& a, const Recipe& r) : b_(block), a_(a), r_(r) { b_.tokens = r.tokens(); }

  int tensor(std::int64_t numel) { return b_.add_tensor(numel); }

  int apply(OpKind kind, std::initializer_list<int> inputs, std::int64_t numel, std::int64_t rows = 0) {
    Op op;
    op.kind = kind;
    for (int t : inputs) op.inputs.push_back(t);
    op.output = tensor(numel);
    op.rows = rows > 0 ? rows : b_.tokens;
    b_.ops.push_back(op);
    return op.output;
  }

  int linear(int x, const std::string& module, std::int64_t in, std::int64_t out, bool bias, std::vector<std::string> aliases,
             bool attention = false) {
    const int y = apply(OpKind::linear, {x}, b_.tokens * out);
    Op& op = b_.ops.back();
    op.weight = b_.add_parameter({module, ParamKind::linear, in, out});
    b_.parameters.back().aliases = std::move(aliases);
    b_.parameters.back().attention = attention;
    if (bias) op.bias = b_.add_parameter({module + ".bias", ParamKind::bias, 1, out});
    return y;
  }

  int norm(int x, const char* module, std::int64_t width) {
    const std::int64_t numel = b_.at(x).numel;
    const int y = apply(OpKind::norm, {x}, numel, numel / width);
    Op& op = b_.ops.back();
    const bool layernorm = a_.norm != NormKind::rmsnorm;
    if (a_.norm != NormKind::nonparametric) op.weight = b_.add_parameter({module, ParamKind::norm, 1, width});
    if (a_.norm == NormKind::layernorm) op.bias = b_.add_parameter({std::string(module) + ".bias", ParamKind::bias, 1, width});
    op.norm = layernorm || r_.habits.norm == NormImpl::native           ? NormCode::native
              : r_.habits.norm == NormImpl::litgpt_2023                 ? NormCode::no_upcast
              : a_.norm_scales_in_fp32 || r_.habits.norm_weight_in_fp32 ? NormCode::upcast_scale_in_fp32
                                                                        : NormCode::upcast;
    return y;
  }

  int split(int whole, std::int64_t width) { return apply(OpKind::view, {whole}, b_.tokens * width); }

  int attention(int x, const Attention& k) {
    const std::int64_t n = b_.tokens, q = k.q_width(), kv = k.kv_width();
    int query, key, value;
    if (k.fused_qkv || r_.habits.fused_qkv) {
      const int qkv = linear(x, a_.modules.qkv, a_.hidden, q + 2 * kv, k.bias_q,
                             {"qkv_proj", "q_proj", "k_proj", "v_proj", a_.modules.q, a_.modules.k, a_.modules.v}, true);
      query = split(qkv, q), key = split(qkv, kv), value = split(qkv, kv);
    } else {
      query = linear(x, a_.modules.q, a_.hidden, q, k.bias_q, {"q_proj"}, true);
      key = linear(x, a_.modules.k, a_.hidden, kv, k.bias_k, {"k_proj"}, true);
      value = linear(x, a_.modules.v, a_.hidden, kv, k.bias_v, {"v_proj"}, true);
    }
    if (k.qk_norm != QkNorm::none) {
      query = norm(query, "q_norm", k.qk_norm == QkNorm::full ? q : k.head_dim);
      key = norm(key, "k_norm", k.qk_norm == QkNorm::full ? kv : k.head_dim);
    }
    if (k.position == Position::rope) query = apply(OpKind::rope, {query}, n * q), key = apply(OpKind::rope, {key}, n * kv);
    const bool eager = r_.attention == AttentionImpl::eager;
    const bool repeats = r_.habits.repeat_kv == RepeatKv::always || (r_.habits.repeat_kv == RepeatKv::with_mask && r_.attention_mask);
    if (kv != q && (eager || (repeats && r_.attention == AttentionImpl::sdpa)))
      key = apply(OpKind::repeat, {key}, n * q), value = apply(OpKind::repeat, {value}, n * q);
    const int out = apply(OpKind::attention, {query, key, value}, n * q);
    Op& op = b_.ops.back();
    op.heads = k.heads;
    op.keys = r_.sequence_length;
    op.attention = eager ? AttentionCode::eager : AttentionCode::fused;
    return linear(out, a_.modules.o, q, a_.hidden, k.bias_o, {"o_proj"}, true);
  }

  int mlp(int x, const Mlp& m) {
    const std::int64_t wide = b_.tokens * m.intermediate;
    int up;
    if (m.gated) {
      int gate;
      if (m.fused_gate_up) {
        const int both = linear(x, a_.modules.gate_up, a_.hidden, 2 * m.intermediate, m.bias,
                                {"gate_up_proj", "gate_proj", "up_proj", a_.modules.gate, a_.modules.up});
        gate = split(both, m.intermediate), up = split(both, m.intermediate);
        gate = apply(OpKind::activation, {gate}, wide);
      } else {
        gate = apply(OpKind::activation, {linear(x, a_.modules.gate, a_.hidden, m.intermediate, m.bias, {"gate_proj"})}, wide);
        up = linear(x, a_.modules.up, a_.hidden, m.intermediate, m.bias, {"up_proj"});
      }
      up = apply(OpKind::multiply, {gate, up}, wide);
    } else {
      up = apply(OpKind::activation, {linear(x, a_.modules.up, a_.hidden, m.intermediate, m.bias, {"up_proj"})}, wide);
      if (m.activation == Activation::relu_squared) up = apply(OpKind::multiply, {up, up}, wide);
    }
    return linear(up, a_.modules.down, m.intermediate, a_.hidden, m.bias, {"down_proj"});
  }

  void layer(const Layer& l) {
    const std::int64_t numel = b_.tokens * a_.hidden;
    const int x = b_.input = tensor(numel);
    auto add = [&](int p, int q) { return apply(OpKind::add, {p, q}, numel); };
    if (l.post_norm_only) {
      const int mid = add(x, norm(attention(x, l.attention), "post_attention_layernorm", a_.hidden));
      b_.output = add(mid, norm(mlp(mid, l.mlp), "post_feedforward_layernorm", a_.hidden));
      return;
    }
    const int normed = norm(x, "input_layernorm", a_.hidden);
    int attended = attention(normed, l.attention);
    if (l.norms == 4) attended = norm(attended, "post_attention_layernorm", a_.hidden);
    if (l.parallel_residual) {
      const int second = l.norms == 1 ? normed : norm(x, "post_attention_layernorm", a_.hidden);
      const int made = mlp(second, l.mlp);  // one after the other: the order of arguments is the compiler's
      b_.output = add(add(attended, made), x);
      return;
    }
    const int mid = add(x, attended);
    int made = mlp(norm(mid, l.norms == 4 ? "pre_feedforward_layernorm" : "post_attention_layernorm", a_.hidden), l.mlp);
    if (l.norms == 4) made = norm(made, "post_feedforward_layernorm", a_.hidden);
    b_.output = add(mid, made);
  }

  // transformers before 4.41 held cos and sin of every position in each layer (modeling_llama.py, LlamaRotaryEmbedding).
  void rotary_tables(const Attention& k) {
    if (r_.habits.rotary_tables_per_layer && k.position == Position::rope)
      b_.buffers =
          2 * a_.max_position_embeddings * k.head_dim * (r_.habits.rotary_tables_dtype == RotaryTables::fp32 ? 4 : size_of(r_.base_dtype));
  }

  void embedding() {
    const std::int64_t numel = b_.tokens * a_.hidden;
    int y = apply(OpKind::embedding, {}, numel);
    b_.ops.back().weight = b_.add_parameter({"embed_tokens", ParamKind::embedding, a_.vocab, a_.hidden});
    if (a_.tied) b_.parameters.back().tie = Tie::owner;
    if (a_.learned_positions > 0) {
      const int positions = apply(OpKind::embedding, {}, r_.sequence_length * a_.hidden, r_.sequence_length);
      b_.ops.back().weight = b_.add_parameter({"position_embeddings", ParamKind::embedding, a_.learned_positions, a_.hidden});
      y = apply(OpKind::add, {y, positions}, numel);
    }
    if (a_.embedding_norm) y = norm(y, "embed_layernorm", a_.hidden);
    b_.output = y;
    // Shared by all layers and kept until backward has passed them: the additive mask, and cos and sin.
    auto table = [&](std::int64_t elements) { b_.at(apply(OpKind::table, {}, elements)).held = Held::step; };
    if (r_.attention == AttentionImpl::eager || (r_.attention_mask && r_.attention == AttentionImpl::sdpa))
      table(product((r_.attention_mask ? r_.batch : 1) * r_.sequence_length, r_.sequence_length, 1));
    const Attention& k = a_.kinds.front().attention;
    if (k.position == Position::rope) table(2 * r_.sequence_length * k.head_dim);
  }

  void final_norm() {
    b_.input = tensor(b_.tokens * a_.hidden);
    b_.output = a_.final_norm ? norm(b_.input, "norm", a_.hidden) : apply(OpKind::view, {b_.input}, b_.tokens * a_.hidden);
  }

  // lm_head and a loss that expand_loss() writes out.
  void head() {
    b_.input = tensor(b_.tokens * a_.hidden);
    Parameter weight{"lm_head", ParamKind::lm_head, a_.hidden, a_.vocab};
    if (a_.tied) weight.tie = Tie::borrower;
    const int logits = apply(OpKind::linear, {b_.input}, b_.tokens * a_.vocab);
    b_.at(logits).logits = true;
    b_.ops.back().weight = b_.add_parameter(weight);
    if (a_.lm_head_bias) b_.ops.back().bias = b_.add_parameter({"lm_head.bias", ParamKind::bias, 1, a_.vocab});
  }

 private:
  Block& b_;
  const Architecture& a_;
  const Recipe& r_;
};

}  // namespace

Graph build_graph(const Architecture& a, const Recipe& r) {
  Graph g;
  DType residual = r.base_dtype;
  bool needs_gradient = false;
  auto finish = [&](Block& block) {
    assign_parameters(block, r);
    if (block.kind == BlockKind::head) expand_loss(block, a, r);
    insert_adapters(block, r);
    quantize(block, r);
    prepare_kbit(block, r);
    fuse_kernels(block, r);
    residual = assign_dtypes(block, r, residual);
    needs_gradient = assign_gradients(block, r, needs_gradient);
    checkpoint(block, r);
    g.blocks.push_back(std::move(block));
    return static_cast<int>(g.blocks.size()) - 1;
  };
  auto build = [&](BlockKind kind, auto&& write) {
    Block block;
    block.kind = kind;
    Builder builder(block, a, r);
    write(builder);
    return finish(block);
  };

  g.order.push_back(build(BlockKind::embedding, [](Builder& b) { b.embedding(); }));
  struct Built {
    int block;
    DType leaves;
    bool gradient;
  };
  std::map<std::tuple<int, DType, bool>, Built> built;  // a layer kind differs by what enters it
  for (std::uint16_t kind : a.layers) {
    const std::tuple<int, DType, bool> key{kind, residual, needs_gradient};
    auto found = built.find(key);
    if (found == built.end()) {
      const int index = build(BlockKind::layer, [&](Builder& b) { b.layer(a.kinds[kind]), b.rotary_tables(a.kinds[kind].attention); });
      found = built.emplace(key, Built{index, residual, needs_gradient}).first;
    }
    residual = found->second.leaves;
    needs_gradient = found->second.gradient;
    g.order.push_back(found->second.block);
  }
  g.order.push_back(build(BlockKind::final_norm, [](Builder& b) { b.final_norm(); }));
  g.order.push_back(build(BlockKind::head, [](Builder& b) { b.head(); }));
  return g;
}

}  // namespace tunefit

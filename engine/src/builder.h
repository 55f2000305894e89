// Writes the operations of one block in the order in which the model's forward runs them. What a kind of layer does is in
// build_*.cpp, one file a kind of part.
// Argument evaluation has no order in C++: never two builder calls in one argument list.
#pragma once
#include <initializer_list>
#include <string>
#include <vector>

#include "tunefit/architecture.h"
#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

class Builder {
 public:
  // tokens: rows of the block's hidden state; per_row: positions that attend to each other.
  Builder(Block& block, const Stack& stack, const Recipe& r, std::int64_t tokens, std::int64_t per_row)
      : b_(block), s_(stack), r_(r), per_row_(per_row) {
    b_.tokens = tokens, b_.batch = r.batch;
  }

  // --- operations ---
  int tensor(std::int64_t rows, std::int64_t width) { return b_.add_tensor(rows, width); }
  std::int64_t rows(int t) const { return b_.at(t).rows; }
  std::int64_t width(int t) const { return b_.at(t).width; }
  Op& last() { return b_.ops.back(); }
  // The output has the rows of the first input (or of the block) and the width given.
  int apply(OpKind, std::initializer_list<int> inputs, std::int64_t width);
  int apply_rows(OpKind, std::initializer_list<int> inputs, std::int64_t rows, std::int64_t width);
  // y = x W^T. Several copies: rows are dealt out to them.
  int linear(int x, Parameter weight, bool bias = false);
  int norm(int x, const std::string& module, std::int64_t width, bool weight = true);
  int split(int whole, std::int64_t width) { return apply(OpKind::view, {whole}, width); }
  // Parameters that no operation stands for: they are there and train like others. Returns x under another name.
  int carry(int x, const std::string& name, std::int64_t count, bool buffer = false);
  // Tables and the like: autograd keeps them through the step; without gradients they go with the model's forward.
  Held while_used() const { return r_.no_grad ? Held::model : Held::step; }
  int hidden_dropout(int x) { return s_.dropout && !r_.no_grad ? apply(OpKind::dropout, {x}, width(x)) : x; }

  // --- parts ---
  int attention(int x, const Attention&);
  int latent_attention(int x, const LatentAttention&);
  int mamba(int x, const Mamba&);
  int linear_attention(int x, const LinearAttention&);
  int short_conv(int x, std::int64_t kernel);
  // copies, fused: of experts.
  int mlp(int x, const Mlp&, std::int64_t copies = 1, bool fused = false);
  int experts(int x, const Experts&);
  void layer(const Layer&, std::int64_t context_rows);

  // --- ends ---
  void embedding(const Architecture&, std::int64_t features);
  void encoder_input(const Encoder&, const Architecture&);
  void encoder_output(const Encoder&, std::int64_t text);  // text: width of the decoder
  void final_norm(const Architecture&);
  void head(const Architecture&);

  Part part = Part::decoder;

 private:
  int mixers(int x, const Layer&);
  int feed_forwards(int x, int residual, const Layer&);
  int delta_rule(int x, const LinearAttention&);
  int kimi_delta(int x, const LinearAttention&);
  void rotary_tables(const Layer&);

  Block& b_;
  const Stack& s_;
  const Recipe& r_;
  std::int64_t per_row_ = 0;
};

inline Parameter weight(std::string module, std::int64_t in, std::int64_t out, std::vector<std::string> aliases = {}) {
  Parameter p;
  p.module = std::move(module), p.in = in, p.out = out, p.aliases = std::move(aliases);
  return p;
}

}  // namespace tunefit

// The operations of one micro-step on one accelerator, in blocks. A block that stands in the model many times (a decoder
// layer) is built once and placed by Graph::order. Passes (passes.h) rewrite blocks; readings (timeline.h) run them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tunefit/dtype.h"

namespace tunefit {

// A short list of fixed capacity: operations have few inputs and keep few storages.
template <class T, int Capacity>
struct FewOf {
  std::array<T, Capacity> items{};
  int count = 0;
  void push_back(T v) {
    if (count < Capacity) items[static_cast<std::size_t>(count++)] = v;
  }
  T operator[](int i) const { return items[static_cast<std::size_t>(i)]; }
  T& operator[](int i) { return items[static_cast<std::size_t>(i)]; }
  const T* begin() const { return items.data(); }
  const T* end() const { return items.data() + count; }
};

enum class Held : std::uint8_t {
  no,
  forward,
  step
};  // who keeps a tensor beyond its last use: a frame of forward, or of the training step

struct Tensor {
  std::int64_t numel = 0;
  DType dtype = DType::bf16;   // set by the autocast pass
  bool requires_grad = false;  // set by the gradient pass
  Held held = Held::no;
  bool logits = false;  // counted as logits rather than activations
};

enum class ParamKind : std::uint8_t { linear, bias, norm, embedding, lm_head, adapter };

enum class Tie : std::uint8_t { none, owner, borrower };  // tied lm_head borrows the embedding's weight and has no storage of its own

struct Parameter {
  std::string module;  // q_proj, input_layernorm, embed_tokens, ...
  ParamKind kind = ParamKind::linear;
  std::int64_t in = 0, out = 0;  // widths of a linear; vectors have in = 1
  DType dtype = DType::bf16;
  std::vector<std::string> aliases{};  // other names it answers to: the usual one of its role, and those of its parts (q_proj of qkv_proj)
  bool attention = false;              // one of attention's projections
  bool trainable = false;
  bool quantized = false;        // stored as recipe.quantization says
  bool restores_absmax = false;  // double quantisation: its fp32 absmax is made again at each use
  Tie tie = Tie::none;
  bool keeps_original = false;  // a trained copy stands beside the frozen original (modules_to_save)

  std::int64_t numel() const { return in * out; }
};

enum class OpKind : std::uint8_t {
  linear,
  norm,
  rope,
  attention,
  activation,
  multiply,
  add,
  scale,
  cast,
  copy,
  view,
  repeat,
  dropout,
  embedding,
  log_softmax,
  nll,
  swiglu,
  in_place_cross_entropy,
  fused_linear_cross_entropy,
  table
};

// How a norm is written; autograd.cpp says what each keeps. native: torch's layer_norm or rms_norm; fused: Liger, Unsloth, compiled.
enum class NormCode : std::uint8_t { upcast, upcast_scale_in_fp32, no_upcast, native, fused };
// fused: FlashAttention or memory-efficient kernels; eager: matmul, softmax, matmul; math: SDPA's fallback in one dtype.
enum class AttentionCode : std::uint8_t { fused, eager, math };

struct Op {
  OpKind kind = OpKind::add;
  FewOf<int, 3> inputs;              // tensors
  int output = -1;                   // tensor
  int weight = -1, bias = -1;        // parameters
  std::int64_t rows = 0;             // token positions it works on
  std::int64_t heads = 0, keys = 0;  // attention: query heads, key positions
  NormCode norm = NormCode::upcast;
  AttentionCode attention = AttentionCode::fused;
  DType compute = DType::bf16;   // linear: type it multiplies in
  DType to = DType::bf16;        // cast: target
  bool weight_cast = false;      // autocast makes a low-precision copy of the weight
  bool gradient_passes = false;  // copy: gradient is handed through unchanged (clone, contiguous)
  bool in_place = false;         // writes its result, or its gradient, over the input
  bool keeps_input = false;      // linear over a frozen quantised weight whose code saves its input all the same
  FewOf<std::int64_t, 4> kept, forward_temporary,
      backward_temporary;       // fused_linear_cross_entropy: bytes, as the variant's code needs them
  bool makes_gradient = false;  // fused_linear_cross_entropy: the first kept storage is the input's gradient, made in forward
};

enum class BlockKind : std::uint8_t { embedding, layer, final_norm, head };

struct Block {
  BlockKind kind = BlockKind::layer;
  std::vector<Tensor> tensors;
  std::vector<Parameter> parameters;
  std::vector<Op> ops;
  int input = -1, output = -1;  // tensors that enter and leave
  bool checkpointed = false;
  std::int64_t tokens = 0;   // rows of its input
  std::int64_t buffers = 0;  // bytes it holds all the time that are no parameters (rotary tables)

  int add_tensor(std::int64_t numel) {
    tensors.push_back({numel});
    return static_cast<int>(tensors.size()) - 1;
  }
  int add_parameter(Parameter p) {
    parameters.push_back(std::move(p));
    return static_cast<int>(parameters.size()) - 1;
  }
  Tensor& at(int t) { return tensors[static_cast<std::size_t>(t)]; }
  const Tensor& at(int t) const { return tensors[static_cast<std::size_t>(t)]; }
  Parameter& parameter(int p) { return parameters[static_cast<std::size_t>(p)]; }
  const Parameter& parameter(int p) const { return parameters[static_cast<std::size_t>(p)]; }
};

struct Graph {
  std::vector<Block> blocks;
  std::vector<int> order;  // index into blocks, in forward order
  const Block& placed(std::size_t i) const { return blocks[static_cast<std::size_t>(order[i])]; }
};

}  // namespace tunefit

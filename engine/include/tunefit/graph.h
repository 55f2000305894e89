// The operations of one micro-step on one accelerator, in blocks. A block that stands in the model many times (a decoder
// layer) is built once and placed by Graph::order. Passes (passes.h) rewrite blocks; readings (timeline.h) run them.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <utility>
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
  model,
  step
};  // who keeps a tensor beyond its last use: a frame of the block's forward, of the model's, or of the training step

struct Tensor {
  std::int64_t numel = 0;
  std::int64_t rows = 1, width = 0;  // positions, numbers each
  DType dtype = DType::bf16;         // set by the autocast pass
  bool requires_grad = false;        // set by the gradient pass
  Held held = Held::no;
  bool logits = false;  // counted as logits rather than activations
};

// other: what no multiplication stands for (convolutions, scan coefficients, router buffers, tables whose use is not modelled).
enum class ParamKind : std::uint8_t { linear, bias, norm, embedding, lm_head, adapter, other };

// A weight that several blocks use has its storage with the owner. borrower: its gradient comes first (the tied lm_head); sharer: used
// between the two (the decoder's embedding of an encoder-decoder).
// Which part of the model: towers and their projectors are trained apart from the rest, a new task head always.
enum class Part : std::uint8_t { decoder, tower, projector, task_head };

enum class Tie : std::uint8_t { none, owner, borrower, sharer };

struct Parameter {
  std::string module;  // q_proj, input_layernorm, embed_tokens, ...
  ParamKind kind = ParamKind::linear;
  std::int64_t in = 0, out = 0;  // widths of a linear; vectors have in = 1
  DType dtype = DType::bf16;
  std::vector<std::string> aliases{};  // other names it answers to: the usual one of its role, and those of its parts (q_proj of qkv_proj)
  std::int64_t copies = 1;             // equal tensors that run one after the other: experts in a loop
  Part part = Part::decoder;
  std::vector<std::pair<std::string, std::int64_t>> parts{};  // of a fused module: usual name and width of each
  bool attention = false;                                     // one of attention's projections
  bool fused = false;   // experts in one tensor, which is no module: neither adapted nor quantised by name
  bool buffer = false;  // never trained
  bool trainable = false;
  bool quantized = false;  // stored as scheme says
  Scheme scheme = Scheme::nf4;
  bool cast_after_dequantizing = false;  // from fp16 to the type of the multiplication
  bool restores_absmax = false;          // double quantisation: its fp32 absmax is made again at each use
  Tie tie = Tie::none;
  bool keeps_original = false;  // a trained copy stands beside the frozen original (modules_to_save)

  std::int64_t numel() const { return in * out * copies; }
  bool has_storage() const { return tie != Tie::borrower && tie != Tie::sharer; }
};

enum class OpKind : std::uint8_t {
  linear,
  conv,    // short or patch convolution
  kernel,  // a fused kernel that recomputes: scan, delta rule, gated norm
  norm,
  rope,
  attention,
  activation,
  multiply,
  multiply_by_weight,  // by a trained vector
  add,
  scale,
  cast,
  copy,
  view,
  repeat,
  dropout,
  embedding,
  softmax,
  sigmoid,
  nll,
  index,      // rows chosen by number
  index_add,  // rows added where they came from
  concatenate,
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
  FewOf<int, 4> inputs;              // tensors
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
  bool dropout = false;          // attention: on the probabilities
  bool wide = false;             // rope: in fp32
  int saved_inputs = 4;          // kernel: so many of its first inputs are kept
  bool saves_output = false;     // kernel: what it returns is kept
  bool keeps_input = false;  // copy: index_copy needs its source in backward; linear over a frozen quantised weight whose code saves its
                             // input all the same
  // fused_linear_cross_entropy: bytes; rope, kernel: numbers of the input's dtype. What its code needs besides inputs and output.
  FewOf<std::int64_t, 4> kept, forward_temporary, backward_temporary;
  bool makes_gradient = false;  // fused_linear_cross_entropy: the first kept storage is the input's gradient, made in forward
};

enum class BlockKind : std::uint8_t { embedding, layer, final_norm, head };

struct Block {
  BlockKind kind = BlockKind::layer;
  std::vector<Tensor> tensors;
  std::vector<Parameter> parameters;
  std::vector<Op> ops;
  int input = -1, output = -1;              // tensors that enter and leave
  int context = -1;                         // an encoder's output that every decoder layer reads
  bool hands_context_on = false;            // its input is that output: the gradient that the layers summed up goes on from here
  std::int64_t opens_context_gradient = 0;  // bytes of that sum, if it begins in this block's backward
  bool checkpointed = false;
  bool offloaded = false;               // recomputed, its input kept in host memory
  bool unfrozen = false;                // method freeze trains it
  std::int64_t tokens = 0, batch = 1;   // rows of its input; rows of the micro-batch
  std::int64_t buffers = 0;             // bytes it holds all the time that are no parameters (rotary tables)
  std::int64_t checkpoint_buffers = 0;  // bytes for layer inputs on their way from and to host memory

  int add_tensor(std::int64_t rows, std::int64_t width) {
    tensors.push_back({rows * width, rows, width});
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

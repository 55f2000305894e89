// The model as blocks: which kinds of layer there are, in which order they stand, and what parameters they hold.
// A new model family is a new reader into these blocks (engine/json/src/model.cpp), not a new memory model.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "tunefit/dtype.h"

namespace tunefit {

enum class NormKind : std::uint8_t { rmsnorm, layernorm, layernorm_nobias, nonparametric };
enum class Activation : std::uint8_t { silu, gelu, relu, relu_squared };
enum class QkNorm : std::uint8_t { none, per_head, full };  // full: one weight over all heads
enum class Position : std::uint8_t { rope, learned, alibi, none };

struct Attention {
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  bool bias_q = false, bias_k = false, bias_v = false, bias_o = false;
  bool fused_qkv = false;  // one module makes q, k and v (Phi-3, GPT-NeoX, ...)
  QkNorm qk_norm = QkNorm::none;
  Position position = Position::rope;
  std::int64_t window = 0;  // sliding window in tokens; 0: full

  std::int64_t q_width() const { return heads * head_dim; }
  std::int64_t kv_width() const { return kv_heads * head_dim; }
  bool operator==(const Attention&) const = default;
};

struct Mlp {
  std::int64_t intermediate = 0;
  bool gated = true, bias = false;
  bool fused_gate_up = false;  // one module makes gate and up (Phi-3, GLM)
  Activation activation = Activation::silu;
  bool operator==(const Mlp&) const = default;
};

// One kind of decoder layer. norms: 1 (parallel residual sharing one norm), 2, or 4 (sandwich norms: Gemma 2 and 3).
struct Layer {
  Attention attention;
  Mlp mlp;
  int norms = 2;
  bool parallel_residual = false;  // attention and MLP read the same input (GPT-NeoX, Phi-2, ...)
  bool post_norm_only = false;     // norms stand after attention and MLP (OLMo 2)
  bool operator==(const Layer&) const = default;
};

// What the model's class calls its linears; two may share a name (Qwen's first code: c_proj).
struct ModuleNames {
  std::string qkv = "qkv_proj", q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj";
  std::string gate_up = "gate_up_proj", gate = "gate_proj", up = "up_proj", down = "down_proj";
};

struct Architecture {
  std::string id, hf_id, model_type;   // model_type as in config.json
  std::int64_t hidden = 0, vocab = 0;  // vocab: rows of the embedding weight, padding included
  std::int64_t max_position_embeddings = 0;
  std::int64_t learned_positions = 0;  // rows of a learned position table; 0: none
  NormKind norm = NormKind::rmsnorm;
  bool norm_scales_in_fp32 = false;  // Gemma: multiplies by (1 + weight) before casting back
  bool embedding_norm = false, final_norm = true;
  bool tied = false, lm_head_bias = false;
  DType checkpoint_dtype = DType::bf16;
  ModuleNames modules;
  std::vector<Layer> kinds;           // distinct layers
  std::vector<std::uint16_t> layers;  // index into kinds, bottom to top
};

// Number of parameters, tied weights counted once. Source: shape arithmetic, checked against published counts (tests).
std::int64_t parameter_count(const Architecture&);

}  // namespace tunefit

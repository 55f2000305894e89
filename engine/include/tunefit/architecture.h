// The model as blocks: which kinds of layer there are, in which order they stand, and what each is made of.
// A new model family is a new reader into these blocks (engine/json/src/model*.cpp), not a new memory model.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tunefit/dtype.h"

namespace tunefit {

enum class NormKind : std::uint8_t { rmsnorm, layernorm, layernorm_nobias, nonparametric };
enum class Activation : std::uint8_t { silu, gelu, relu, relu_squared, xielu, swiglu_oai };
enum class QkNorm : std::uint8_t { none, per_head, full, weightless };  // full: one weight over all heads
// relative: a learned bias a head and distance (T5); disentangled: scores of content with position (DeBERTa).
enum class Position : std::uint8_t { rope, learned, alibi, none, relative, disentangled };

struct Attention {
  std::int64_t heads = 0, kv_heads = 0, head_dim = 0;
  std::int64_t v_head_dim = 0;  // 0: head_dim
  bool bias_q = false, bias_k = false, bias_v = false, bias_o = false;
  bool fused_qkv = false;  // one module makes q, k and v (Phi-3, GPT-NeoX, ...)
  QkNorm qk_norm = QkNorm::none;
  Position position = Position::rope;
  std::int64_t window = 0;                            // sliding window in tokens; 0: full
  bool cross = false;                                 // keys and values come from an encoder's output
  bool output_gate = false;                           // q_proj also makes a gate on the output (Qwen3-Next)
  bool sinks = false;                                 // a learned score a head that takes no value (gpt-oss)
  bool k_eq_v = false;                                // one projection makes keys and values (Gemma 4)
  bool shares_kv = false;                             // uses keys and values of a lower layer
  std::int64_t q_rank = 0, o_rank = 0, o_groups = 0;  // low-rank query and grouped output projection (DeepSeek-V4)

  std::int64_t q_width() const { return heads * head_dim; }
  std::int64_t kv_width() const { return kv_heads * head_dim; }
  std::int64_t v_width() const { return kv_heads * value_dim(); }
  std::int64_t out_width() const { return heads * value_dim(); }
  std::int64_t value_dim() const { return v_head_dim > 0 ? v_head_dim : head_dim; }
  bool operator==(const Attention&) const = default;
};

// Multi-head latent attention (DeepSeek-V2): keys and values from a latent of kv_rank; q_rank 0: full query projection.
struct LatentAttention {
  std::int64_t heads = 0, q_rank = 0, kv_rank = 0, nope_dim = 0, rope_dim = 0, v_head_dim = 0;
  std::int64_t indexer_heads = 0, indexer_dim = 0;  // sparse-attention indexer (DeepSeek-V3.2); 0: none

  std::int64_t qk_dim() const { return nope_dim + rope_dim; }
  bool operator==(const LatentAttention&) const = default;
};

struct Mamba {
  bool second = true;                                      // Mamba-2 (heads and groups), else Mamba-1 (dt_rank)
  std::int64_t inner = 0, state = 0, conv_kernel = 0;      // inner: width inside the mixer
  std::int64_t dt_rank = 0, heads = 0, groups = 0;         // head_dim = inner / heads
  bool conv_bias = true, gated_norm = true, bias = false;  // bias: of the projections
  bool inner_norms = false;                                // norms on time step, B and C (Jamba, Falcon Mamba)
  bool operator==(const Mamba&) const = default;
};

// kda: Kimi delta attention, with low-rank gates a channel instead of a gate a head.
enum class LinearKind : std::uint8_t { gated_deltanet, kda };

struct LinearAttention {
  LinearKind kind = LinearKind::gated_deltanet;
  std::int64_t key_heads = 0, value_heads = 0, key_dim = 0, value_dim = 0, conv_kernel = 0;
  bool operator==(const LinearAttention&) const = default;
};

struct Mlp {
  std::int64_t intermediate = 0;
  bool gated = true, bias = false;
  bool fused_gate_up = false;  // one module makes gate and up (Phi-3, GLM)
  Activation activation = Activation::silu;
  bool operator==(const Mlp&) const = default;
};

struct Experts {
  std::int64_t count = 0, per_token = 0;
  Mlp expert;               // of one expert
  std::int64_t shared = 0;  // inner width of the shared experts together; 0: none
  std::int64_t latent = 0;  // tokens are projected to this width before the experts; 0: not
  bool shared_gate = false, router_bias = false, score_correction = false;
  bool fused = false;  // all experts in one tensor, no module of its own each: neither quantised nor adapted by module name
  bool operator==(const Experts&) const = default;
};

// One kind of layer: the token mixers it has (their outputs are added) and the feed-forwards (added as well).
// norms: 1 (parallel residual sharing one norm, or a layer of one part), 2, 3 (with cross-attention), 4 (sandwich norms: Gemma),
// 7 (sandwich with experts beside the MLP: Gemma 4).
struct Layer {
  std::optional<Attention> attention;
  std::optional<Attention> cross_attention;  // besides, after its own norm (encoder-decoder)
  std::optional<LatentAttention> latent;
  std::optional<Mamba> mamba;
  std::optional<LinearAttention> linear;
  std::int64_t short_conv = 0;  // kernel of a gated short convolution (LFM2); 0: none
  std::optional<Mlp> mlp;
  std::optional<Experts> experts;
  std::int64_t other = 0;  // parameters of the layer that no operation here stands for
  int norms = 2;
  bool parallel_residual = false;    // mixer and MLP read the same input (GPT-NeoX, Phi-2, ...)
  bool post_norm_only = false;       // norms stand after mixer and MLP, inside the residual (OLMo 2)
  bool norm_after_residual = false;  // norm(x + f(x)): BERT, BART
  bool operator==(const Layer&) const = default;
};

// What the model's class calls its linears; two may share a name (Qwen's first code: c_proj).
struct ModuleNames {
  std::string qkv = "qkv_proj", q = "q_proj", k = "k_proj", v = "v_proj", o = "o_proj";
  std::string gate_up = "gate_up_proj", gate = "gate_proj", up = "up_proj", down = "down_proj";
  std::string router = "gate", expert_gate = "gate_proj", expert_up = "up_proj", expert_down = "down_proj";
};

// Layers of one width and what belongs to all of them.
struct Stack {
  std::int64_t hidden = 0;
  NormKind norm = NormKind::rmsnorm;
  bool norm_scales_in_fp32 = false;  // Gemma: multiplies by (1 + weight) before casting back
  bool causal = true;
  bool dropout = false;  // after attention, MLP and embedding, on in training (BERT, BART, T5)
  std::int64_t max_position_embeddings = 0;
  ModuleNames modules;
  std::vector<Layer> kinds;           // distinct layers
  std::vector<std::uint16_t> layers;  // index into kinds, bottom to top
};

// A linear of a projector, and whether an activation follows.
struct Projection {
  std::int64_t in = 0, out = 0;
  bool bias = true, activation = false;
};

// A stack that runs before the decoder: a vision or audio tower, or the encoder of an encoder-decoder.
struct Encoder : Stack {
  enum class Input : std::uint8_t { tokens, patches, frames };
  Input input = Input::patches;
  std::int64_t patch_values = 0;  // numbers that make one position: 3 x patch x patch x frames; mel bins x kernel
  bool patch_bias = true, norm_before = false, norm_after = true;
  std::int64_t embeddings = 0;        // position, class and tile embeddings
  std::int64_t merge = 1;             // positions that become one token of the text
  std::int64_t fixed_positions = 0;   // positions a row, whatever the text's length (Whisper: 1500); 0: from image tokens or text
  std::vector<Projection> projector;  // after merging; empty: the output goes on as it is
  std::int64_t projector_norm = 0;    // parameters of its norms
  std::int64_t projector_other = 0;   // parameters of it that no operation here stands for
  std::int64_t other = 0;             // likewise of the tower
  bool cross = false;                 // the decoder attends to it; else its output takes the place of text embeddings
};

struct Architecture : Stack {
  std::string id, hf_id, model_type;   // model_type as in config.json
  std::int64_t vocab = 0;              // rows of the embedding weight, padding included
  std::int64_t head_vocab = 0;         // rows of the head where they differ; 0: vocab
  std::int64_t learned_positions = 0;  // rows of learned position and token-type tables; 0: none
  bool embedding_norm = false, final_norm = true;
  bool tied = false, lm_head_bias = false;
  bool language_head = true;  // false: an encoder, which predicts tokens in pretraining only
  std::int64_t pooler = 0;    // width of a dense layer on the first token; 0: none
  std::int64_t other = 0;     // parameters that no operation here stands for
  DType checkpoint_dtype = DType::bf16;
  std::optional<Encoder> encoder;

  std::int64_t logits() const { return head_vocab > 0 ? head_vocab : vocab; }
};

// Number of parameters, tied weights counted once: those of the graph's operations. Checked against published counts (tests).
std::int64_t parameter_count(const Architecture&);

}  // namespace tunefit

// What a model class says and its config.json does not: one row a class, in hf_classes_*.cpp.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "hf_fields.h"

namespace tunefit::json {

// Largest dimensions that are read. Products of them stay far inside int64.
inline constexpr Range kHidden{1, 1 << 20}, kLayers{1, 2000}, kHeads{1, 8192}, kHeadDim{1, 8192}, kIntermediate{1, 1 << 22},
    kVocab{1, 1 << 24}, kPositions{1, 1 << 30};

// A yes or no of the file, or a constant of the class (no field).
struct Flag {
  const char* field = nullptr;
  bool if_absent = false;
};

// How layers alternate where the class reads sliding_window: all have the window; every n-th has full attention; or as
// use_sliding_window and max_window_layers say (Qwen2, Qwen3).
constexpr int kNoWindow = -1, kAsStated = 0, kAllLayers = 1;

struct Window {
  std::int64_t size = 0;  // sliding_window when absent; 0: none
  int full_every = kNoWindow;
  bool full_layers_have_rope = true;
};

enum class LayerKind : std::uint8_t { full, full_nope, sliding, chunked, gated_deltanet };

// The model as read so far. 0: not known (a finding says why).
struct Draft {
  std::string kind = "dense";

  std::int64_t hidden = 0, layers = 0, heads = 0, kv_heads = 0, head_dim = 0, intermediate = 0, vocab = 0, positions = 0, window = 0;
  bool bias_qkv = false, bias_o = false, mlp_bias = false, lm_head_bias = false, gated = true, tied = false;
  std::string activation, norm, qk_norm = "none", position;
  int norms = 2;
  std::int64_t learned_positions = 0;
  bool parallel_residual_stated = false, parallel_residual = false;
  std::vector<LayerKind> kinds;  // empty: all full
  // Members of the entry that have no place above (moe, mla, ssm, vision ...); they go before those made from it.
  nlohmann::json members = nlohmann::json::object();
};

// How a class keeps its experts (hf_experts.cpp has the names that all classes share).
struct ExpertFacts {
  const char* width = "moe_intermediate_size";                                                    // inner width of one expert
  enum class Shared : std::uint8_t { none, by_number, by_width, as_wide } shared = Shared::none;  // as_wide: one, as an expert
  bool shared_gate = false, router_bias = false, score_correction = false, expert_bias = false;
  std::int64_t first_dense = 0;  // first_k_dense_replace when absent
};

// A decoder that is configured one level down, and what stands before it.
struct NestedFacts {
  const char* field = "text_config";  // absent: the decoder stands at the root
  const char* outer = nullptr;        // object in which that stands (Qwen-Omni: thinker_config)
  const char* decoder;                // class, where the file names none
  void (*towers)(Fields& root, Fields& decoder, Draft&) = nullptr;
  bool tower_by_default = false;  // a file without vision_config has the class's usual tower
  bool either_ties = false;       // tied if root or decoder says so; else the root's value wins
};

// Dimensions of a nested configuration that leaves them out: the defaults of its class in transformers. 0: must be there.
struct Sparse {
  std::int64_t hidden = 0, intermediate = 0, layers = 0, heads = 0, vocab = 0, positions = 0;
};

struct ClassFacts {
  const char* name;        // architectures[0]
  const char* model_type;  // in newer files; transformers' or the remote code's
  Flag bias_qkv{}, bias_o{}, mlp_bias{};
  const char* activation_field = "hidden_act";
  const char* activation = "silu";
  bool gated = true;
  const char* norm = "rmsnorm";
  int norms = 2;                        // norms per layer
  const char* qk_norm = "none";         // where the class has query and key norms
  const char* qk_norm_field = nullptr;  // ... and the field that turns them on
  bool tied = false;                    // tie_word_embeddings when absent
  std::int64_t head_dim = 0;            // when absent; 0: hidden_size / num_attention_heads
  std::int64_t kv_heads = 0;            // num_key_value_heads when absent (null means: as many as heads); 0: as many as heads
  const char* intermediate = nullptr;   // field of the MLP's width where it is not one of the usual ones
  int intermediate_factor = 0;          // width = factor * hidden_size when absent; 0: must be there
  Window window{};
  const char* position = "rope";
  std::int64_t position_rows_extra = 0;  // rows of the learned position table beyond the positions
  Flag lm_head_bias{};
  const char* embedding_norm = nullptr;
  Sparse sparse{};
  const ExpertFacts* experts = nullptr;
  const NestedFacts* nested = nullptr;
  bool own_layers = false;                     // layer_types means something else than kinds of attention; prepare or finish reads it
  void (*prepare)(Fields&, Draft&) = nullptr;  // dimensions under names or rules of their own; what it sets is not read again
  void (*finish)(Fields&, Draft&) = nullptr;   // what does not fit a column
  void (*encoder)(Fields&, Draft&) = nullptr;  // reads the whole file instead
};

// Rows by family, each in a file of its own.
std::span<const ClassFacts> dense_classes();
std::span<const ClassFacts> expert_classes();
std::span<const ClassFacts> latent_classes();
std::span<const ClassFacts> hybrid_classes();
std::span<const ClassFacts> multimodal_classes();
std::span<const ClassFacts> encoder_classes();

const std::vector<const ClassFacts*>& hf_classes();

// The row of a class name; of a model_type (first row that has it); nullptr if none.
const ClassFacts* class_named(std::string_view name);
const ClassFacts* class_of_model_type(std::string_view model_type);

}  // namespace tunefit::json

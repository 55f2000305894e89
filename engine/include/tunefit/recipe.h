// Every setting of a run, resolved. Defaults and framework habits are applied above this line (engine/json/src/resolve.cpp,
// catalog/frameworks), so nothing below guesses.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tunefit/dtype.h"

namespace tunefit {

// What is trained: every weight; some layers; adapters on a base in 16 bit, or on a quantised one; vectors before the text, or before the
// keys and values of each layer.
enum class Method : std::uint8_t { full, freeze, lora, qlora, prompt, prefix };
enum class AdapterKind : std::uint8_t { lora, dora, adalora, vera, loha, lokr, oft, ia3 };
enum class MixedPrecision : std::uint8_t { no, bf16, fp16 };
// unsloth: layer inputs in host memory but for two buffers; offload: in host memory but for a few on their way.
enum class Checkpointing : std::uint8_t { none, full, unsloth, offload };
enum class AttentionImpl : std::uint8_t { eager, sdpa, flash_attention_2, flash_attention_3 };
enum class OptimizerImpl : std::uint8_t { for_loop, foreach, fused };
enum class Optimizer : std::uint8_t {
  adamw,
  adamw_8bit,
  paged_adamw_8bit,
  paged_adamw_32bit,
  adamw_apex,
  adamw_anyprecision,
  adamw_deepspeed_cpu,
  adafactor,
  lion,
  lion_8bit,
  sgd,
  sgd_momentum,
  muon,
  galore_adamw,
  galore_adamw_8bit,
  apollo,
  lomo,
  adalomo,
  ademamix,
  came
};

// Which code computes the loss from the last hidden state; they differ in bytes per logit (docs/contract.md, loss_variant).
enum class LossVariant : std::uint8_t {
  hf_until_4_44,
  hf_4_45,
  hf_4_47,
  hf_from_4_50,
  no_upcast,
  trl_chunked,
  torchtune_full,
  torchtune_chunked,
  litgpt_chunked_128,
  liger,
  unsloth,
  cut_cross_entropy,
  fms_foak_8,
  fms_foak_10
};

enum class Task : std::uint8_t { language_model, classification };
enum class TowerTraining : std::uint8_t { frozen, lora, full };  // of vision and audio towers

struct Quantization {
  Scheme scheme = Scheme::nf4;
  bool double_quant = true;
  std::int64_t block_size = 64;
};

struct Lora {
  AdapterKind kind = AdapterKind::lora;
  std::int64_t r = 16;
  double alpha = 32, dropout = 0.0;
  std::vector<std::string> target_modules;  // module names; "all-linear" and "attention" are expanded by the passes
  std::vector<std::string> modules_to_save;
  DType dtype = DType::fp32;  // of the adapter weights
  std::int64_t factor = -1;   // LoKr: decompose_factor
  bool decompose_both = false;
  std::int64_t oft_block_size = 32;
};

struct Freeze {
  std::int64_t layers = 2;    // trained, from the top
  bool embeddings = false;    // embedding and head too
  bool from_bottom = false;   // LISA, BAdam: any layers in turn; the lowest are the worst, since backward passes through all
  bool keeps_states = false;  // LISA: the optimizer's states of layers that were trained before stay
};

// Evaluation between training steps: model.eval() under torch.no_grad().
struct Evaluation {
  std::int64_t batch = 8;     // rows at once
  bool keeps_logits = false;  // they are gathered on the accelerator over all evaluation steps
  LossVariant loss = LossVariant::hf_from_4_50;
  bool generates = false;  // text is generated up to the sequence's length: keys and values of all layers, logits of the last token
};

enum class AdapterStyle : std::uint8_t { peft, plain };  // peft: LoRA layers as PEFT writes them; plain: torchtune, litgpt, Unsloth
enum class NormImpl : std::uint8_t {
  hf_rmsnorm,   // upcast to fp32, cast back, then multiply by the weight (transformers)
  litgpt_2023,  // no upcast: x * rsqrt(mean(x*x) + eps) in x's type
  native,       // one kernel that keeps input and one or two numbers per row (torch.nn.LayerNorm, torch rms_norm)
};
enum class RotaryTables : std::uint8_t { load, fp32 };            // dtype: that in which the model is loaded, or fp32
enum class RotaryDtype : std::uint8_t { hidden, fp32 };           // type of queries and keys while they are rotated
enum class RepeatKv : std::uint8_t { never, always, with_mask };  // when keys and values are copied to the query heads before attention

// What the framework's code does that no user sets. Each is data of catalog/frameworks with the source line it was read from.
struct Habits {
  AdapterStyle adapter_style = AdapterStyle::peft;
  NormImpl norm = NormImpl::hf_rmsnorm;
  RepeatKv repeat_kv = RepeatKv::with_mask;
  bool unties_head = false;                    // the head is loaded as a weight of its own (litgpt)
  bool previous_outputs_held = false;          // the outputs of the step before stay bound while the next forward runs
  bool kv_cache_in_training = false;           // the outputs hold each layer's keys and values until the loss is returned
  bool kv_cache_in_evaluation = false;         // the same where nothing is trained: checkpointing does not turn it off
  bool evaluation_generates = false;           // evaluation is by generated text, not by the loss
  std::optional<LossVariant> evaluation_loss;  // where evaluation computes the loss by other code than training
  bool merges_on_host = false;                 // adapters are merged in host memory
  bool loss_metrics_copy_logits = false;       // token accuracy is taken from a shifted copy of the logits
  bool lora_pad_keeps_source = false;          // where not all of q, k and v are adapted, index_copy keeps the adapters' output (litgpt)
  bool rotary_per_layer = false;               // each layer keeps cos and sin of its own
  RotaryDtype rotary_dtype = RotaryDtype::hidden;
  bool rows_vary = false;                // batches are padded to their longest row, not to the longest of all
  bool holds_outputs = false;            // the caller keeps `outputs` (logits included) until after backward
  bool outputs_to_fp32 = false;          // Accelerate converts the model's outputs to fp32 after forward
  bool input_require_grads = false;      // the embedding output is made to require grad on a frozen base
  bool rotary_tables_per_layer = false;  // cos and sin of max_position_embeddings kept in every layer
  RotaryTables rotary_tables_dtype = RotaryTables::load;
  bool norm_weight_in_fp32 = false;  // the product with the norm's weight is made in fp32, cast after
  bool bnb_keeps_input =
      false;  // bitsandbytes keeps the input of a 4-bit linear on its ctx, where non-reentrant checkpointing cannot drop it
  bool bnb_quantizes_from_fp16 = false;  // 4-bit weights were made from fp16, so that bf16 needs a second copy when they are dequantised
  bool bnb_computes_in_input_dtype = false;  // a 4-bit linear computes in its input's dtype: in fp32 after k-bit preparation
  bool kbit_heads_16bit = false;             // embedding and head go back to 16 bit after k-bit preparation
  bool lora_result_clone = true;             // PEFT clones the result of a quantised base layer
  bool loss_projects_in_chunks = true;       // a chunked loss applies the head chunk by chunk; false: all 16-bit logits exist first
  bool chunk_upcasts_head = false;           // each chunk makes an fp32 copy of the head's weight
  bool optimizer_embedding_32bit = false;    // bitsandbytes keeps 32-bit state for embeddings
  bool fused_experts = false;                // experts of every class in one tensor (transformers from 5.0)
  bool fused_qkv = false;                    // q, k, v in one module whatever the checkpoint says (litgpt)
  bool quantizes_adapted_only = false;       // only modules with an adapter are quantised (torchtune)
  bool dora_keeps_weight = false;            // DoRA applies the base a second time through a dequantised copy (PEFT before 0.14)
  bool quantizes_lm_head = false;
  bool reentrant_checkpoint = true;  // torch.utils.checkpoint(use_reentrant=...)
  bool gradient_bucket_copy = true;  // DDP without gradient_as_bucket_view (later)
};

struct Recipe {
  Method method = Method::qlora;
  Task task = Task::language_model;
  std::int64_t labels = 2;              // classification: classes
  DType base_dtype = DType::bf16;       // unquantised base weights
  DType trainable_dtype = DType::fp32;  // weights being trained (not adapters: lora.dtype)
  std::optional<DType> gradient_dtype;  // none: as the weight
  bool fp32_master_weights = false;
  MixedPrecision mixed_precision = MixedPrecision::bf16;
  std::optional<Quantization> quantization;
  bool kbit_prep = false;  // PEFT's prepare_model_for_kbit_training: the rest of the model to fp32
  Optimizer optimizer = Optimizer::adamw;
  OptimizerImpl optimizer_impl = OptimizerImpl::fused;
  bool optimizer_in_backward = false;
  std::int64_t batch = 1, gradient_accumulation = 1, sequence_length = 2048;
  // Lengths of rows that each were the longest so far, shortest first; the last is sequence_length. Empty: all rows have that length.
  std::vector<std::int64_t> record_lengths;
  bool attention_mask = false;  // a mask is really passed to attention (padding or packing without varlen kernels)
  bool packing = false;
  Checkpointing checkpointing = Checkpointing::full;
  AttentionImpl attention = AttentionImpl::sdpa;
  LossVariant loss = LossVariant::hf_from_4_50;
  std::int64_t image_tokens = 0;  // positions of a row's text that images or sound take; 0: the towers do not run
  TowerTraining tower = TowerTraining::frozen;
  bool train_projector = false;
  bool compile = false, liger = false, unsloth = false;
  bool expandable_segments = false;
  std::optional<Lora> lora;
  std::optional<Freeze> freeze;
  std::int64_t virtual_tokens = 0;  // of prompt and prefix tuning
  std::int64_t galore_rank = 128;   // GaLore, APOLLO
  std::optional<Evaluation> evaluation;
  bool merges_adapter = false;      // at the end, into the base
  bool loads_best_adapter = false;  // at the end, beside the last one
  bool no_grad = false;             // nothing is kept for a backward: a forward of evaluation
  Habits habits;

  bool generates() const { return no_grad && evaluation && evaluation->generates; }
  bool recomputes() const { return checkpointing != Checkpointing::none; }
  std::int64_t tokens() const { return batch * sequence_length; }
};

}  // namespace tunefit

// Models and recipes that the engine tests share. Shapes: config.json of the models named; settings: docs/physics.md part D.
#pragma once
#include <string>
#include <vector>

#include "tunefit/architecture.h"
#include "tunefit/memory.h"
#include "tunefit/recipe.h"

namespace tunefit::test {

inline Architecture llama(std::int64_t hidden, std::int64_t intermediate, int layers, std::int64_t heads, std::int64_t kv_heads,
                          std::int64_t vocab) {
  Architecture a;
  a.model_type = "llama";
  a.hidden = hidden;
  a.vocab = vocab;
  a.max_position_embeddings = 4096;
  Layer l;
  l.attention = Attention{};
  l.attention->heads = heads;
  l.attention->kv_heads = kv_heads;
  l.attention->head_dim = hidden / heads;
  l.mlp = Mlp{};
  l.mlp->intermediate = intermediate;
  a.kinds = {l};
  a.layers.assign(static_cast<std::size_t>(layers), 0);
  return a;
}

inline Architecture llama_2_7b() { return llama(4096, 11008, 32, 32, 32, 32000); }
inline Architecture llama_3_1_8b() { return llama(4096, 14336, 32, 32, 8, 128256); }
inline Architecture llama_2_70b() { return llama(8192, 28672, 80, 64, 8, 32000); }
inline Architecture mistral_7b() { return llama(4096, 14336, 32, 32, 8, 32000); }

// Full fine-tune in pure bf16, AdamW, one sequence of 2,048 tokens, recomputation (D.1 a).
inline Recipe full_bf16() {
  Recipe r;
  r.method = Method::full;
  r.trainable_dtype = DType::bf16;
  r.mixed_precision = MixedPrecision::no;
  r.attention = AttentionImpl::flash_attention_2;
  return r;
}

// LoRA as PEFT and the Trainer do it: fp32 adapters under bf16 autocast (D.2).
inline Recipe lora() {
  Recipe r;
  r.method = Method::lora;
  r.lora = Lora{};
  r.lora->target_modules = {"all-linear"};
  r.batch = 4;
  r.attention = AttentionImpl::flash_attention_2;
  r.habits.input_require_grads = true;
  r.habits.outputs_to_fp32 = true;
  return r;
}

// QLoRA after prepare_model_for_kbit_training (D.3).
inline Recipe qlora_kbit() {
  Recipe r = lora();
  r.method = Method::qlora;
  r.quantization = Quantization{};
  r.kbit_prep = true;
  r.batch = 1;
  r.sequence_length = 1024;
  return r;
}

inline Accelerator big_card() {
  Accelerator a;
  a.id = "test";
  a.capacity = Bytes(256 * kGiB);
  a.context = Bytes(kGiB / 2);
  return a;
}

inline MemoryEstimate size(const Architecture& a, const Recipe& r) { return *estimate_memory(a, r, big_card()); }

// Highest allocated of any phase, GiB.
inline double m_peak(const MemoryEstimate& m) { return m.allocated.expected / static_cast<double>(kGiB); }

inline double gib(const MemoryEstimate& m, Phase p) {
  return static_cast<double>(m.timeline[static_cast<std::size_t>(p)].bytes.value) / static_cast<double>(kGiB);
}

}  // namespace tunefit::test

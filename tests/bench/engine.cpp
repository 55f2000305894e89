// Microseconds of one sizing without JSON: Llama-3.1-8B, QLoRA r 16 on all linear layers, 2,048 tokens. Prints one a line.
#include <chrono>
#include <cstdio>
#include <cstdlib>

#include "tunefit/memory.h"

namespace {

using namespace tunefit;

// Shapes: config.json of meta-llama/Llama-3.1-8B.
Architecture llama_3_1_8b() {
  Layer layer;
  layer.attention = Attention{};
  layer.attention->heads = 32;
  layer.attention->kv_heads = 8;
  layer.attention->head_dim = 128;
  layer.mlp = Mlp{};
  layer.mlp->intermediate = 14336;
  Architecture a;
  a.model_type = "llama";
  a.hidden = 4096;
  a.vocab = 128256;
  a.max_position_embeddings = 131072;
  a.kinds = {layer};
  a.layers.assign(32, 0);
  return a;
}

Recipe qlora() {
  Recipe r;
  r.quantization = Quantization{};
  r.kbit_prep = true;
  r.lora = Lora{};
  r.lora->target_modules = {"all-linear"};
  return r;
}

Accelerator card_80_gib() {
  Accelerator a;
  a.capacity = Bytes(80 * kGiB);
  a.context = Bytes(512 * kMiB);
  a.blas_workspace = Bytes(32 * kMiB);
  return a;
}

}  // namespace

int main(int argc, char* argv[]) {
  using Clock = std::chrono::steady_clock;
  const int times = argc > 1 ? std::atoi(argv[1]) : 200;
  const auto architecture = llama_3_1_8b();
  const auto recipe = qlora();
  const auto accelerator = card_80_gib();
  for (int i = -times / 10; i < times; ++i) {
    const auto start = Clock::now();
    const auto estimate = estimate_memory(architecture, recipe, accelerator);
    const std::chrono::duration<double, std::micro> spent = Clock::now() - start;
    if (!estimate || estimate->allocated.expected <= 0) return 1;
    if (i >= 0) std::printf("%.3f\n", spent.count());
  }
  return 0;
}

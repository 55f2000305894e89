// The memory answer: peaks, timeline, breakdown, verdict. One call computes it.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "tunefit/accelerator.h"
#include "tunefit/architecture.h"
#include "tunefit/recipe.h"
#include "tunefit/units.h"

namespace tunefit {

// An estimate with its 80 % interval.
struct Interval {
  double expected = 0, low = 0, high = 0;
};

enum class Phase : std::uint8_t { load, forward, loss, backward, optimizer_step, eval, save };
inline constexpr int kStepPhases = 5;  // load to optimizer_step

// What a live storage is for. One item of a breakdown each; names in item_name().
enum class Item : std::uint8_t {
  base_weights,
  quantization_constants,
  trained_weights,
  adapter_weights,
  master_weights,
  rotary_tables,
  gradients,
  optimizer_state,
  optimizer_temporary,
  checkpoints,
  saved_activations,
  activations,
  activation_gradients,
  logits,
  loss_temporary,
  autocast_weight_copies,
  dequantized_weights,
  operation_temporary,
  merge_temporary,
  library_workspace
};
inline constexpr int kItems = 20;

const char* phase_name(Phase);
const char* item_name(Item);  // "weights.base", "gradients", ... as in answer.memory.breakdown[].item

using ItemBytes = std::array<std::int64_t, kItems>;

struct PhasePeak {
  Phase phase = Phase::load;
  Bytes bytes;        // most that is allocated at one moment of the phase, steady state
  ItemBytes items{};  // what it consists of; sums to bytes
};

// The central 80 % of measured / predicted of a class of run, as factors; log(measured / predicted) is taken as two half-normals around 0
// with these deciles.
struct Residual {
  double low = 1, high = 1;
};

// By counter, and whether rows vary in length. The values are catalog/calibration.json's, made by `./dev calibrate`.
struct Calibration {
  Residual allocated{0.95, 1.2}, reserved{0.9, 1.2}, reserved_varying{0.6, 1.4}, device{0.9, 1.25}, device_varying{0.6, 1.4},
      needed{0.95, 1.1};
};

enum class Verdict : std::uint8_t { fits, tight, no };
const char* verdict_name(Verdict);  // fits: probability >= 0.95; tight: 0.5 to 0.95; no: < 0.5

struct Fit {
  double probability = 0, headroom = 0;  // headroom = (capacity - device.expected) / capacity
  Verdict verdict = Verdict::no;
};

struct MemoryEstimate {
  Interval allocated, reserved, device;  // bytes: max_memory_allocated, max_memory_reserved, nvidia-smi
  Bytes needed;   // of device, what cannot be given back: without the cache that rows of varying length leave, and without managed memory
  Bytes managed;  // optimizer state in managed memory: moves to the host where the card is full
  Bytes managed_on_device;  // as much of it as the card has room for; part of device
  Phase binding_phase = Phase::load;
  std::vector<PhasePeak> timeline;  // one a phase, in order
  std::int64_t parameters = 0, trainable_parameters = 0;
};

// Peak memory of one accelerator that runs the whole micro-step. accelerator gives context and workspace; none: typical ones.
// Valid for the methods and blocks of architecture.h and recipe.h. Returns nullopt when a single tensor would exceed
// kLargestTensor (the figure would have no meaning).
inline constexpr std::int64_t kLargestTensor = std::int64_t{1} << 47;
std::optional<MemoryEstimate> estimate_memory(const Architecture&, const Recipe&, const Accelerator&, const Calibration& = {});

// Probability that the run stays within the accelerator, from the same residual spread as the intervals.
Fit fit(const MemoryEstimate&, const Accelerator&, const Calibration& = {});

}  // namespace tunefit

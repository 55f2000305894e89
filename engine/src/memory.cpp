#include "tunefit/memory.h"

#include <algorithm>
#include <cmath>

#include "tunefit/allocator.h"
#include "tunefit/build.h"
#include "tunefit/evaluation.h"
#include "tunefit/spread.h"
#include "tunefit/storage.h"
#include "tunefit/timeline.h"

namespace tunefit {
namespace {

// Fixed lengths: reserved is measured at 1.05 to 1.10 times the allocated, while the replay overstates how much large blocks are
// split (docs/physics.md A.9). Expected is the factor, which also never falls where the run grows; the replay is the upper end.
constexpr double kReservedOverAllocated = 1.08;

// What a run can live with where the card is full and the cache is flushed: full fine-tunes of 8B that fitted 80 GB held 1.01 to 1.03
// times their allocated (fms-acceleration benchmark, rows liger-241 to 246).
constexpr double kLeastReserved = 1.02;

// Whether the request's own figures already pass any accelerator, so that byte counts would lose their meaning.
bool beyond_any(const Architecture& a, const Recipe& r) {
  std::int64_t widest = std::max(a.vocab, 4 * a.hidden);
  double scores = 0;
  for (const Layer& l : a.kinds) {
    if (l.mlp) widest = std::max(widest, 2 * l.mlp->intermediate);
    if (l.experts) widest = std::max(widest, l.experts->per_token * std::max(a.hidden, 2 * l.experts->expert.intermediate));
    if (l.attention) widest = std::max(widest, l.attention->q_width() + 2 * l.attention->kv_width());
    if (l.mamba) widest = std::max(widest, 4 * l.mamba->inner);
    if (l.attention) scores = std::max(scores, static_cast<double>(l.attention->heads));
    if (l.latent) scores = std::max(scores, static_cast<double>(l.latent->heads));
  }
  const double tokens = static_cast<double>(r.batch) * static_cast<double>(r.sequence_length),
               largest = static_cast<double>(kLargestTensor);
  const bool materialised = r.attention == AttentionImpl::eager || r.attention_mask;
  return tokens * static_cast<double>(widest) * 4 > largest ||
         (materialised &&
          tokens * static_cast<double>(r.sequence_length) * (r.attention == AttentionImpl::eager ? scores : 1.0) * 4 > largest);
}

// Reserved memory by the caching allocator's rules. Where rows vary, a step for each length that is the longest so far: only these
// reserve anew, and what shorter rows left does not serve longer ones (docs/physics.md H.8).
double replay_reserved(const Architecture& a, const Recipe& r, const Accelerator& device, const Timeline& longest,
                       const std::optional<Timeline>& evaluation, std::int64_t room) {
  constexpr std::int64_t kSmallSegment = 2 << 20;
  const std::int64_t keys = longest.keys() + 256;
  CachingAllocator allocator(keys + (evaluation ? evaluation->keys() : 0), room, r.expandable_segments);
  std::int64_t small = 0, small_peak = 0;
  const auto feed = [&](std::int64_t key, const Event& e) {
    if (e.bytes > 0)
      allocator.allocate(key, e.bytes);
    else
      allocator.release(key);
  };
  longest.replay_large_loading(small, small_peak, feed);
  bool first = true;
  for (const std::int64_t length : r.record_lengths) {
    if (length >= r.sequence_length) continue;
    Recipe shorter = r;
    shorter.sequence_length = length;
    const Graph graph = build_graph(a, shorter);
    const Timeline step(graph, shorter, device.blas_workspace);
    if (step.keys() != longest.keys()) continue;  // other operations at this length
    step.replay_large_step(first, small, small_peak, feed);
    first = false;
  }
  longest.replay_large_step(first, small, small_peak, feed);
  longest.replay_large_step(false, small, small_peak, feed);
  if (evaluation) evaluation->replay_large_forward(small, small_peak, [&](std::int64_t key, const Event& e) { feed(keys + key, e); });
  const std::int64_t small_segments = (small_peak + kSmallSegment - 1) / kSmallSegment;
  return static_cast<double>(allocator.peak_reserved() + small_segments * kSmallSegment);
}

}  // namespace

std::optional<MemoryEstimate> estimate_memory(const Architecture& a, const Recipe& r, const Accelerator& device, const Calibration& c) {
  if (beyond_any(a, r)) return std::nullopt;
  const Graph graph = build_graph(a, r);
  const Timeline timeline(graph, r, device.blas_workspace);
  if (timeline.too_large()) return std::nullopt;

  MemoryEstimate m;
  m.parameters = timeline.parameters();
  m.trainable_parameters = timeline.trainable_parameters();
  const auto peaks = timeline.peaks();
  m.timeline.assign(peaks.begin(), peaks.end());
  std::optional<Graph> evaluation_graph;
  std::optional<Timeline> evaluation;
  const Recipe evaluated = r.evaluation ? evaluation_recipe(r) : Recipe{};
  if (r.evaluation) {
    if (beyond_any(a, evaluated)) return std::nullopt;
    evaluation_graph = build_graph(a, evaluated);
    evaluation.emplace(*evaluation_graph, evaluated, device.blas_workspace);
    if (evaluation->too_large()) return std::nullopt;
    m.timeline.push_back(timeline.evaluation(*evaluation));
  }
  m.timeline.push_back(timeline.saving());
  const auto binding =
      std::max_element(m.timeline.begin(), m.timeline.end(), [](const PhasePeak& x, const PhasePeak& y) { return x.bytes < y.bytes; });
  m.binding_phase = binding->phase;
  const double allocated = static_cast<double>(binding->bytes.value);

  // The cache is flushed where the card is full; a run that cannot fit at all is replayed without that limit.
  const std::int64_t free = device.capacity.value - device.context.value, room = free >= binding->bytes.value ? free : 0;
  const double replayed = std::max(replay_reserved(a, r, device, timeline, evaluation, room), allocated);
  const double factor = std::round(kReservedOverAllocated * allocated);
  const bool varies = !r.record_lengths.empty();
  const double reserved = r.expandable_segments ? replayed : varies ? std::max(factor, replayed) : factor;
  const double context = static_cast<double>(device.context.value);
  for (int b : graph.order)
    for (const Parameter& p : graph.blocks[static_cast<std::size_t>(b)].parameters) m.managed += Bytes(managed_state(p, r));
  const auto left = device.capacity.value - static_cast<std::int64_t>(reserved + context);
  m.managed_on_device = device.capacity.value > 0 ? Bytes(std::clamp<std::int64_t>(left, 0, m.managed.value)) : m.managed;
  const double managed = static_cast<double>(m.managed_on_device.value);

  m.needed = Bytes(static_cast<std::int64_t>(std::round(kLeastReserved * allocated) + context));
  m.allocated = spread(allocated, c.allocated);
  m.reserved = spread(reserved, varies ? c.reserved_varying : c.reserved);
  m.reserved.high = std::max(m.reserved.high, replayed);
  m.device = spread(reserved + context + managed, varies ? c.device_varying : c.device);
  m.device.high = std::max(m.device.high, replayed + context + managed);
  return m;
}

}  // namespace tunefit

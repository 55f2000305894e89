#include "tunefit/memory.h"

#include <algorithm>
#include <cmath>

#include "tunefit/allocator.h"
#include "tunefit/build.h"
#include "tunefit/spread.h"
#include "tunefit/storage.h"
#include "tunefit/timeline.h"

namespace tunefit {
namespace {

// Fixed lengths: reserved is measured at 1.05 to 1.10 times the allocated, while the replay overstates how much large blocks are
// split (docs/physics.md A.9). Expected is the factor, which also never falls where the run grows; the replay is the upper end.
constexpr double kReservedOverAllocated = 1.08;

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

}  // namespace

std::optional<MemoryEstimate> estimate_memory(const Architecture& a, const Recipe& r, const Accelerator& device) {
  if (beyond_any(a, r)) return std::nullopt;
  const Graph graph = build_graph(a, r);
  const Timeline timeline(graph, r, device.blas_workspace);
  if (timeline.too_large()) return std::nullopt;

  MemoryEstimate m;
  m.parameters = timeline.parameters();
  m.trainable_parameters = timeline.trainable_parameters();
  const auto peaks = timeline.peaks();
  m.timeline.assign(peaks.begin(), peaks.end());
  const auto binding =
      std::max_element(peaks.begin(), peaks.end(), [](const PhasePeak& x, const PhasePeak& y) { return x.bytes < y.bytes; });
  m.binding_phase = binding->phase;
  const double allocated = static_cast<double>(binding->bytes.value);

  // The cache is flushed where the card is full; a run that cannot fit at all is replayed without that limit.
  const std::int64_t room = device.capacity.value - device.context.value;
  CachingAllocator allocator(timeline.keys(), room >= binding->bytes.value ? room : 0, r.expandable_segments);
  timeline.replay(2, [&](Phase, std::int64_t key, const Event& e) {
    if (e.bytes > 0)
      allocator.allocate(key, e.bytes);
    else
      allocator.release(key);
  });
  const double replayed = static_cast<double>(std::max(allocator.peak_reserved(), binding->bytes.value));
  const double reserved = r.expandable_segments ? replayed : std::round(kReservedOverAllocated * allocated);
  const double context = static_cast<double>(device.context.value);
  for (int b : graph.order)
    for (const Parameter& p : graph.blocks[static_cast<std::size_t>(b)].parameters) m.managed += Bytes(managed_state(p, r));
  const auto left = device.capacity.value - static_cast<std::int64_t>(reserved + context);
  m.managed_on_device = device.capacity.value > 0 ? Bytes(std::clamp<std::int64_t>(left, 0, m.managed.value)) : m.managed;
  const double managed = static_cast<double>(m.managed_on_device.value);

  m.allocated = spread(allocated, Counter::allocated);
  m.reserved = spread(reserved, Counter::reserved);
  m.reserved.high = std::max(m.reserved.high, replayed);
  m.device = spread(reserved + context + managed, Counter::device);
  m.device.high = std::max(m.device.high, replayed + context + managed);
  return m;
}

}  // namespace tunefit

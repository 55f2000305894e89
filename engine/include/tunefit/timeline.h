// The training step over time: load, forward, loss, backward, optimizer step. Equal blocks are traced once and folded; the
// folded peaks equal those of the unfolded events (a test).
#pragma once
#include <algorithm>
#include <array>
#include <unordered_map>
#include <vector>

#include "tunefit/graph.h"
#include "tunefit/memory.h"
#include "tunefit/recipe.h"
#include "tunefit/trace.h"

namespace tunefit {

class Timeline {
 public:
  Timeline(const Graph&, const Recipe&, Bytes blas_workspace);

  // Most allocated bytes of each phase in steady state (from the second step), with what they consist of.
  std::array<PhasePeak, kStepPhases> peaks() const;

  // What is allocated between two steps.
  PhasePeak at_rest() const;

  // Most allocated bytes of an evaluation between two steps: `forward` is the timeline of evaluation_recipe(). Logits that are kept over
  // the evaluation count for two batches: their number is not known here.
  PhasePeak evaluation(const Timeline& forward) const;

  // Most allocated bytes while a checkpoint is written and, at the end, the adapter is merged or the best one loaded beside it.
  PhasePeak saving() const;

  // Every event of loading and of `steps` steps in order, unfolded: each(phase, key, event). A key is unique while its storage
  // lives and lies in [0, keys()).
  template <class Each>
  void replay(int steps, Each&& each) const;

  // The same for storages of more than 1 MiB, which the allocator serves from a pool of their own; small is what lives of the others and
  // small_peak the most of it, brought along from part to part of a run.
  template <class Each>
  void replay_large_loading(std::int64_t& small, std::int64_t& small_peak, Each&& each) const {
    run_large(loading(), small, small_peak, each);
  }
  template <class Each>
  void replay_large_forward(std::int64_t& small, std::int64_t& small_peak, Each&& each) const {
    run_large(forward(), small, small_peak, each);
  }
  template <class Each>
  void replay_large_step(bool first, std::int64_t& small, std::int64_t& small_peak, Each&& each) const {
    run_large(step(first), small, small_peak, each);
  }
  std::int64_t keys() const { return stride_ * static_cast<std::int64_t>(graph_.order.size() + 2); }

  std::int64_t parameters() const { return parameters_; }
  std::int64_t trainable_parameters() const { return trainable_; }
  bool too_large() const { return too_large_; }  // a single storage is beyond kLargestTensor

 private:
  // What is there besides the traces of a block's forward and backward.
  struct Static {
    Trace load, prepare, adapters, state, temporary, temporary_freed, gradients_freed;
  };
  struct Span {
    Phase phase;
    const Trace* trace;
    std::size_t place;
  };

  Static static_traces(const Block&, const BlockTraces&);
  // A trace without its small storages, and what these leave and hold at most.
  struct Condensed {
    Trace large;
    std::int64_t left = 0, peak = 0;
  };
  const Condensed& condensed(const Trace&) const;
  std::int64_t key(const Event& e, std::size_t place) const {
    const std::int64_t base = static_cast<std::int64_t>(place) * stride_;
    return e.storage >= 0                 ? base + e.storage
           : e.storage == kOutput         ? base + stride_ + kInput
           : e.storage == kOutputGradient ? base + stride_ + kInputGradient
           : e.storage == kTiedGradient   ? keys() - 1
                                          : keys() - 2;  // kContextGradient
  }
  template <class Each>
  void run(const std::vector<Span>& spans, Each&& each) const {
    for (const Span& span : spans)
      for (const Event& e : *span.trace) each(span.phase, key(e, span.place), e);
  }
  template <class Each>
  void run_large(const std::vector<Span>& spans, std::int64_t& small, std::int64_t& small_peak, Each&& each) const {
    for (const Span& span : spans) {
      const Condensed& c = condensed(*span.trace);
      small_peak = std::max(small_peak, small + c.peak);
      small += c.left;
      for (const Event& e : c.large) each(key(e, span.place), e);
    }
  }
  std::vector<Span> loading() const;
  std::vector<Span> step(bool first) const;
  std::vector<Span> forward() const;  // of an evaluation

  const Graph& graph_;
  const Recipe& recipe_;
  std::vector<BlockTraces> traces_;  // per block
  std::vector<Static> static_;       // per block
  Trace workspace_;
  mutable std::unordered_map<const Trace*, Condensed> condensed_;
  std::int64_t stride_ = 0;  // local storages of a placed block, at most
  std::int64_t parameters_ = 0, trainable_ = 0;
  bool too_large_ = false;
};

template <class Each>
void Timeline::replay(int steps, Each&& each) const {
  run(loading(), each);
  for (int i = 0; i < steps; ++i) run(step(i == 0), each);
}

}  // namespace tunefit

// The training step over time: load, forward, loss, backward, optimizer step. Equal blocks are traced once and folded; the
// folded peaks equal those of the unfolded events (a test).
#pragma once
#include <array>
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
  std::array<PhasePeak, kPhases> peaks() const;

  // Every event of loading and of `steps` steps in order, unfolded: each(phase, key, event). A key is unique while its storage
  // lives and lies in [0, keys()).
  template <class Each>
  void replay(int steps, Each&& each) const;
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
  std::vector<Span> loading() const;
  std::vector<Span> step(bool first) const;

  const Graph& graph_;
  const Recipe& recipe_;
  std::vector<BlockTraces> traces_;  // per block
  std::vector<Static> static_;       // per block
  Trace workspace_;
  std::int64_t stride_ = 0;  // local storages of a placed block, at most
  std::int64_t parameters_ = 0, trainable_ = 0;
  bool too_large_ = false;
};

template <class Each>
void Timeline::replay(int steps, Each&& each) const {
  auto run = [&](const std::vector<Span>& spans) {
    for (const Span& span : spans) {
      const std::int64_t base = static_cast<std::int64_t>(span.place) * stride_;
      for (const Event& e : *span.trace) {
        const std::int64_t key = e.storage >= 0                 ? base + e.storage
                                 : e.storage == kOutput         ? base + stride_ + kInput
                                 : e.storage == kOutputGradient ? base + stride_ + kInputGradient
                                 : e.storage == kTiedGradient   ? keys() - 1
                                                                : keys() - 2;  // kContextGradient
        each(span.phase, key, e);
      }
    }
  };
  run(loading());
  for (int i = 0; i < steps; ++i) run(step(i == 0));
}

}  // namespace tunefit

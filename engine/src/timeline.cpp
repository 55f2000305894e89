#include "tunefit/timeline.h"

#include <algorithm>
#include <unordered_map>

#include "tunefit/evaluation.h"
#include "tunefit/storage.h"

namespace tunefit {
namespace {

// A trace as a whole: what it leaves, and the most it holds on the way. Traces in sequence compose by these two alone, which is
// why a block that stands eighty times is looked at once.
struct Summary {
  ItemBytes delta{}, at_peak{};
  std::int64_t left = 0, peak = 0;
};

void add(ItemBytes& to, const ItemBytes& what) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += what[i];
}

Summary summarise(const Trace& trace) {
  Summary s;
  for (const Event& e : trace) {
    s.delta[static_cast<std::size_t>(e.item)] += e.bytes;
    s.left += e.bytes;
    if (s.left > s.peak) s.peak = s.left, s.at_peak = s.delta;
  }
  return s;
}

// Runs traces one after the other, folded, on top of what is there.
class Walk {
 public:
  explicit Walk(const PhasePeak& from = {}) : now_(from.items), total_(from.bytes.value) {}

  void run(const Trace& trace, PhasePeak& peak) {
    auto found = summaries_.find(&trace);
    if (found == summaries_.end()) found = summaries_.emplace(&trace, summarise(trace)).first;
    const Summary& s = found->second;
    if (total_ + s.peak > peak.bytes.value) {
      peak.bytes = Bytes(total_ + s.peak);
      peak.items = now_;
      add(peak.items, s.at_peak);
    }
    add(now_, s.delta);
    total_ += s.left;
  }

  // What this trace is to free is there.
  void hold(const Trace& freed) {
    for (const Event& e : freed) now_[static_cast<std::size_t>(e.item)] -= e.bytes, total_ -= e.bytes;
  }

  PhasePeak state(Phase phase) const { return {phase, Bytes(total_), now_}; }

 private:
  ItemBytes now_{};
  std::int64_t total_ = 0;
  std::unordered_map<const Trace*, Summary> summaries_;
};

}  // namespace

Timeline::Timeline(const Graph& g, const Recipe& r, Bytes blas_workspace) : graph_(g), recipe_(r) {
  for (const Block& b : g.blocks) {
    traces_.push_back(trace(b, r));
    static_.push_back(static_traces(b, traces_.back()));
  }
  if (blas_workspace.value > 0) workspace_.push_back({rounded(blas_workspace.value), 0, Item::library_workspace});
  for (int b : g.order)
    for (const Parameter& p : g.blocks[static_cast<std::size_t>(b)].parameters) {
      if (!p.has_storage()) continue;
      parameters_ += p.kind == ParamKind::adapter ? 0 : p.numel();
      trainable_ += p.trainable ? p.numel() : 0;
    }
  for (const BlockTraces& t : traces_)
    for (const Trace* part : {&t.forward, &t.backward_first})
      too_large_ = too_large_ || std::any_of(part->begin(), part->end(), [](const Event& e) { return e.bytes > kLargestTensor; });
}

Timeline::Static Timeline::static_traces(const Block& b, const BlockTraces& traces) {
  Static s;
  int next = traces.storages;
  auto allocate = [&](Trace& t, std::int64_t bytes, Item item) {
    t.push_back({rounded(bytes), next, item});
    return next++;
  };
  auto release = [&](Trace& t, int storage, std::int64_t bytes, Item item) { t.push_back({-rounded(bytes), storage, item}); };
  if (b.buffers > 0) allocate(s.load, b.buffers, Item::rotary_tables);
  if (b.checkpoint_buffers > 0) allocate(s.load, b.checkpoint_buffers, Item::checkpoints);
  for (std::size_t i = 0; i < b.parameters.size(); ++i) {
    const Parameter& p = b.parameters[i];
    const std::int64_t n = p.numel();
    if (p.has_storage()) {
      const WeightStorage w = weight_storage(p, recipe_);
      const std::int64_t loaded = n * size_of(recipe_.base_dtype);
      const Item item = p.kind == ParamKind::adapter ? Item::adapter_weights : p.trainable ? Item::trained_weights : Item::base_weights;
      if (p.kind == ParamKind::adapter) {
        allocate(s.adapters, w.weight, item);
      } else if (p.quantized) {  // quantised tensor by tensor on the accelerator
        const std::int64_t one = loaded / p.copies;
        const int whole = allocate(s.load, one, Item::operation_temporary);
        allocate(s.load, w.weight, item);
        allocate(s.load, w.constants, Item::quantization_constants);
        release(s.load, whole, one, Item::operation_temporary);
      } else {
        const bool upcast = !p.trainable && w.weight > loaded;
        const int first = allocate(s.load, p.keeps_original || upcast ? loaded : w.weight, p.keeps_original ? Item::base_weights : item);
        if (p.keeps_original) allocate(s.adapters, w.weight, item);
        if (upcast) {
          allocate(s.prepare, w.weight, item);
          release(s.prepare, first, loaded, item);
        }
      }
    }
    for (std::int64_t bytes : optimizer_state(p, recipe_)) allocate(s.state, bytes, Item::optimizer_state);
    if (!p.trainable || !p.has_storage() || recipe_.optimizer_in_backward) continue;
    // A master copy wants its gradients in fp32.
    const std::int64_t master = master_weight(p, recipe_);
    if (master > 0) allocate(s.state, master, Item::master_weights);
    auto temporary = [&](std::int64_t bytes, bool at_once) {
      const int t = allocate(s.temporary, bytes, Item::optimizer_temporary);
      release(at_once ? s.temporary_freed : s.temporary, t, bytes, Item::optimizer_temporary);
    };
    if (master > 0 && gradient_dtype(p, recipe_) != DType::fp32) temporary(4 * n, true);
    const StepTemporary besides = step_temporary(p, recipe_);
    if (besides.bytes > 0) temporary(besides.bytes, besides.at_once);
  }
  for (std::size_t i = 0; i < b.parameters.size(); ++i)
    if (traces.gradient_storage[i] != -1) {
      const Parameter& p = b.parameters[i];
      release(s.gradients_freed, traces.gradient_storage[i], p.numel() * size_of(gradient_dtype(p, recipe_)), Item::gradients);
    }
  stride_ = std::max<std::int64_t>(stride_, next);
  return s;
}

std::vector<Timeline::Span> Timeline::loading() const {
  std::vector<Span> spans;
  for (Trace Static::*part : {&Static::load, &Static::prepare, &Static::adapters})
    for (std::size_t place = 0; place < graph_.order.size(); ++place)
      spans.push_back({Phase::load, &(static_[static_cast<std::size_t>(graph_.order[place])].*part), place});
  spans.push_back({Phase::load, &workspace_, graph_.order.size() + 1});
  return spans;
}

std::vector<Timeline::Span> Timeline::step(bool first) const {
  std::vector<Span> spans;
  const std::size_t places = graph_.order.size();
  const std::int64_t micro_steps = std::min<std::int64_t>(recipe_.gradient_accumulation, 2);
  auto block = [&](std::size_t place) { return static_cast<std::size_t>(graph_.order[place]); };
  auto phase_of = [&](std::size_t place, Phase otherwise) {
    return graph_.placed(place).kind == BlockKind::head ? Phase::loss : otherwise;
  };
  for (std::int64_t micro = 0; micro < micro_steps; ++micro) {
    for (std::size_t i = 0; i < places; ++i) spans.push_back({phase_of(i, Phase::forward), &traces_[block(i)].forward, i});
    if (!first || micro > 0)
      for (std::size_t i = 0; i < places; ++i) spans.push_back({Phase::loss, &traces_[block(i)].previous_freed, i});
    for (std::size_t i = 0; i < places; ++i) spans.push_back({Phase::loss, &traces_[block(i)].after_forward, i});
    for (std::size_t i = places; i-- > 0;) {
      const BlockTraces& t = traces_[block(i)];
      spans.push_back({phase_of(i, Phase::backward), micro == 0 ? &t.backward_first : &t.backward_more, i});
    }
    for (std::size_t i = 0; i < places; ++i) spans.push_back({Phase::backward, &traces_[block(i)].after_backward, i});
  }
  auto each = [&](Trace Static::*part) {
    for (std::size_t i = 0; i < places; ++i) spans.push_back({Phase::optimizer_step, &(static_[block(i)].*part), i});
  };
  if (first) each(&Static::state);  // lazily, in the first step
  each(&Static::temporary);
  each(&Static::temporary_freed);
  each(&Static::gradients_freed);
  return spans;
}

const Timeline::Condensed& Timeline::condensed(const Trace& trace) const {
  constexpr std::int64_t kSmall = 1 << 20;  // c10/cuda/CUDACachingAllocator.cpp, kSmallSize
  const auto found = condensed_.find(&trace);
  if (found != condensed_.end()) return found->second;
  Condensed c;
  for (const Event& e : trace) {
    if (e.bytes > kSmall || e.bytes < -kSmall) {
      c.large.push_back(e);
    } else {
      c.left += e.bytes;
      c.peak = std::max(c.peak, c.left);
    }
  }
  return condensed_.emplace(&trace, std::move(c)).first->second;
}

std::vector<Timeline::Span> Timeline::forward() const {
  std::vector<Span> spans;
  const std::size_t places = graph_.order.size();
  const auto each = [&](Trace BlockTraces::*part) {
    for (std::size_t i = 0; i < places; ++i) spans.push_back({Phase::eval, &(traces_[static_cast<std::size_t>(graph_.order[i])].*part), i});
  };
  each(&BlockTraces::forward);
  each(&BlockTraces::after_forward);
  if (!recipe_.evaluation || !recipe_.evaluation->keeps_logits) each(&BlockTraces::after_backward);
  return spans;
}

PhasePeak Timeline::at_rest() const {
  Walk walk;
  PhasePeak unused;
  for (const Span& span : loading()) walk.run(*span.trace, unused);
  for (int index : graph_.order) {
    const auto b = static_cast<std::size_t>(index);
    walk.run(static_[b].state, unused);
    walk.hold(traces_[b].previous_freed);  // until the next forward has returned
  }
  return walk.state(Phase::save);
}

PhasePeak Timeline::evaluation(const Timeline& of) const {
  const PhasePeak rest = at_rest();
  PhasePeak peak{Phase::eval, rest.bytes, rest.items};
  Walk walk(rest);
  const auto spans = of.forward();
  for (int batch = 0; batch < 2; ++batch)
    for (const Span& span : spans) walk.run(*span.trace, peak);
  return peak;
}

PhasePeak Timeline::saving() const {
  PhasePeak peak = at_rest();
  std::int64_t merging = 0, best = 0;
  for (int b : graph_.order)
    for (const Parameter& p : graph_.blocks[static_cast<std::size_t>(b)].parameters) {
      if (recipe_.merges_adapter && !recipe_.habits.merges_on_host) merging = std::max(merging, merge_temporary(p, recipe_));
      if (recipe_.loads_best_adapter && p.kind == ParamKind::adapter && p.trainable) best += weight_storage(p, recipe_).weight;
    }
  peak.items[static_cast<std::size_t>(Item::adapter_weights)] += best;
  peak.items[static_cast<std::size_t>(Item::merge_temporary)] += merging;
  peak.bytes += Bytes(best + merging);
  return peak;
}

std::array<PhasePeak, kStepPhases> Timeline::peaks() const {
  std::array<PhasePeak, kStepPhases> peaks;
  for (int i = 0; i < kStepPhases; ++i) peaks[static_cast<std::size_t>(i)].phase = static_cast<Phase>(i);
  Walk loads;
  for (const Span& span : loading())
    if (!span.trace->empty()) loads.run(*span.trace, peaks[static_cast<std::size_t>(Phase::load)]);
  Walk steady(at_rest());
  for (const Span& span : step(false)) steady.run(*span.trace, peaks[static_cast<std::size_t>(span.phase)]);
  return peaks;
}

}  // namespace tunefit

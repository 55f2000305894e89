#include "tunefit/trace.h"

#include <algorithm>
#include <utility>

#include "tunefit/autograd.h"
#include "tunefit/storage.h"

namespace tunefit {
namespace {

constexpr int kNeverFreed = 1 << 30;
constexpr int kFirstGradient = 2;  // local storages 2 .. 2 + parameters - 1: gradients of the block's parameters

std::int64_t bytes(const Tensor& t) { return t.numel * size_of(t.dtype); }

bool is_loss(OpKind k) { return k == OpKind::nll || k == OpKind::in_place_cross_entropy || k == OpKind::fused_linear_cross_entropy; }

// What a block's input is for: under recomputation it is the layer's checkpoint.
Item boundary_item(BlockKind producer, const Recipe& r) {
  if (producer == BlockKind::final_norm || r.no_grad) return Item::activations;
  return r.recomputes() ? Item::checkpoints : Item::saved_activations;
}

// As what the block before made its output: an encoder's end and the final norm make the input of an embedding and of the head.
Item item_of_input(const Block& b, const Recipe& r) {
  return boundary_item(b.kind == BlockKind::head || b.kind == BlockKind::embedding ? BlockKind::final_norm : BlockKind::layer, r);
}

class Recorder {
 public:
  // reserved: local storages that are taken already.
  Recorder(const Block& b, const Recipe& r, const std::vector<Rule>& rules, int reserved = 0)
      : block_(&b), recipe_(&r), rules_(rules.data()) {
    slots_.resize(std::max(static_cast<std::size_t>(kFirstGradient) + b.parameters.size(), static_cast<std::size_t>(reserved)));
    environment_.assign(b.tensors.size(), -1);
    uses_.assign(b.tensors.size(), 0);
    gradient_.assign(b.tensors.size(), -1);
    cache_.assign(b.parameters.size(), -1);
    kept_.assign(b.tensors.size(), false);
    leaves_.assign(b.tensors.size(), false);
    if (b.output >= 0) leaves_[at(b.output)] = true;
    for (auto op = b.ops.rbegin(); op != b.ops.rend(); ++op)  // what leaves the block may be a view of what was allocated
      if (leaves_[at(op->output)] && shares_input(*op)) leaves_[at(op->inputs[0])] = true;
    if (b.context >= 0) environment_[at(b.context)] = new_slot({bytes(b.at(b.context)), kNeverFreed, Item::saved_activations});
    if (b.input >= 0) {  // the caller holds the input
      Slot& x = slots_[at(kInput)];
      x = {rounded(bytes(b.at(b.input))), 1, item_of_input(b, r)};
    }
  }

  void write_to(Trace& trace) { out_ = &trace; }

  // Runs the operations. save: keep for backward what the rules say. The output, if any, is left with one reference.
  void forward(bool save) {
    for (const Op& op : block_->ops) {
      for (int t : op.inputs) ++uses_[at(t)];
      if (save)
        for (int t : rules_[index(op)].saved) kept_[at(t)] = true;
      else if (escapes_checkpoint(op))
        kept_[at(op.inputs[0])] = true;
    }
    if (block_->input >= 0) environment_[at(block_->input)] = retain(kInput);
    if (block_->output >= 0) ++uses_[at(block_->output)];
    for (const Op& op : block_->ops) run(op, save);
    for (int held : held_forward_) release(held);
    held_forward_.clear();
  }

  // The input's last reference but the ones kept for backward.
  void release_input() {
    if (block_->input >= 0) release(kInput);
  }

  // torch.autocast keeps low-precision copies of trained fp32 weights until its outermost context ends.
  void release_cache() {
    for (int& c : cache_)
      if (c >= 0) release(c), c = -1;
    for (int held : held_model_) release(held);
    held_model_.clear();
  }

  int output() const { return block_->output >= 0 ? environment_[at(block_->output)] : -1; }

  // Runs the tape backwards. first: no gradients of an earlier micro-step. Returns the storage of the input's gradient, or -1.
  int backward(bool first) {
    if (block_->output >= 0) {
      const int g = new_slot({rounded(bytes(block_->at(block_->output))), 1, Item::activation_gradients});
      output_gradient_ = g;
      gradient_[at(block_->output)] = g;
      if (block_->checkpointed && recipe_->habits.reentrant_checkpoint) retain(g);
    }
    while (!tape_.empty()) {
      const Entry entry = tape_.back();
      tape_.pop_back();
      step_back(entry, first);
    }
    if (block_->checkpointed && recipe_->habits.reentrant_checkpoint) release(output_gradient_);
    if (block_->context >= 0 && gradient_[at(block_->context)] >= 0)  // added to the sum of all layers
      release(std::exchange(gradient_[at(block_->context)], -1));
    if (block_->input < 0) return -1;
    return std::exchange(gradient_[at(block_->input)], -1);
  }

  void release(int s) {
    Slot& slot = slots_[static_cast<std::size_t>(s)];
    if (--slot.references == 0) out_->push_back({-slot.bytes, s, slot.item});
  }

  void release_escaped() {
    for (int s : escaped_) release(s);
    escaped_.clear();
  }

  // previous: what the step held goes on as the outputs of the step before, until the next model's forward has returned.
  void release_held_by_step(Trace* previous) {
    for (int held : held_step_) {
      const Slot slot = slots_[static_cast<std::size_t>(held)];
      const bool last = slot.references == 1;
      release(held);
      if (!previous || !last || slot.item != Item::logits) continue;
      const int again = new_slot(slot);
      out_->push_back({slot.bytes, again, slot.item});
      previous->push_back({-slot.bytes, again, slot.item});
    }
    held_step_.clear();
  }

  int output_gradient() const { return output_gradient_; }
  int storages() const { return static_cast<int>(slots_.size()); }
  std::int64_t size(int s) const { return slots_[static_cast<std::size_t>(s)].bytes; }

 private:
  struct Slot {
    std::int64_t bytes = 0;
    int references = 0;
    Item item = Item::activations;
  };
  struct Entry {
    std::size_t op = 0;
    FewOf<int, 10> storages;  // saved tensors first, in the rule's order, then new ones
  };

  static std::size_t at(int t) { return static_cast<std::size_t>(t); }
  std::size_t index(const Op& op) const { return static_cast<std::size_t>(&op - block_->ops.data()); }

  int new_slot(Slot s) {
    slots_.push_back(s);
    return static_cast<int>(slots_.size()) - 1;
  }
  int allocate(std::int64_t size, Item item) {
    const int s = new_slot({rounded(size), 1, item});
    out_->push_back({rounded(size), s, item});
    return s;
  }
  int retain(int s) {
    ++slots_[static_cast<std::size_t>(s)].references;
    return s;
  }

  Item item_of(int t) const {
    const Tensor& tensor = block_->at(t);
    if (tensor.logits) return Item::logits;
    if (leaves_[at(t)]) return boundary_item(block_->kind, *recipe_);
    return kept_[at(t)] || tensor.held == Held::step ? Item::saved_activations : Item::activations;
  }

  // A custom autograd function that keeps its input on ctx: only reentrant checkpointing, whose first forward builds no graph, drops it.
  bool escapes_checkpoint(const Op& op) const {
    return op.keeps_input && block_->checkpointed && !recipe_->habits.reentrant_checkpoint && block_->at(op.output).requires_grad;
  }

  bool shares_input(const Op& op) const {
    return op.kind == OpKind::view || ((op.kind == OpKind::rope || op.kind == OpKind::index_add) && op.in_place);
  }

  int weight_copy(const Op& op) {
    const Parameter& w = block_->parameter(op.weight);
    if (!w.trainable) return allocate(w.numel() / w.copies * 2, Item::autocast_weight_copies);
    int& cached = cache_[at(op.weight)];
    if (cached < 0) cached = allocate(w.numel() * 2, Item::autocast_weight_copies);
    return retain(cached);
  }

  void run(const Op& op, bool save) {
    const Rule& rule = rules_[index(op)];
    const int copy = op.weight_cast ? weight_copy(op) : -1;
    FewOf<int, 4> temporary;
    const Item item = op.weight >= 0 && block_->parameter(op.weight).quantized ? Item::dequantized_weights
                      : is_loss(op.kind)                                       ? Item::loss_temporary
                                                                               : Item::operation_temporary;
    for (std::int64_t size : rule.forward_temporary) temporary.push_back(allocate(size, item));
    int& out = environment_[at(op.output)];
    out = shares_input(op) ? retain(environment_[at(op.inputs[0])]) : allocate(bytes(block_->at(op.output)), item_of(op.output));
    const Held held = block_->at(op.output).held;
    if (held == Held::forward) held_forward_.push_back(retain(out));
    if (held == Held::model) held_model_.push_back(retain(out));
    if (held == Held::step) held_step_.push_back(retain(out));
    if (save && block_->at(op.output).requires_grad) {
      Entry entry{index(op), {}};
      for (int t : rule.saved) entry.storages.push_back(retain(environment_[at(t)]));
      for (int i = 0; i < rule.kept.count; ++i) {
        const Item kept = op.makes_gradient && i == 0 ? Item::activation_gradients
                          : is_loss(op.kind)          ? Item::loss_temporary
                                                      : Item::saved_activations;
        entry.storages.push_back(allocate(rule.kept[i], kept));
      }
      if (copy >= 0 && block_->at(op.inputs[0]).requires_grad) entry.storages.push_back(retain(copy));
      tape_.push_back(entry);
    }
    if (!save && escapes_checkpoint(op)) escaped_.push_back(retain(environment_[at(op.inputs[0])]));
    if (copy >= 0) release(copy);
    for (int t : temporary) release(t);
    for (int t : op.inputs) drop_use(t);
    if (uses_[at(op.output)] == 0) release(environment_[at(op.output)]);
  }

  void drop_use(int t) {
    if (--uses_[at(t)] == 0) release(environment_[at(t)]);
  }

  void step_back(Entry entry, bool first) {
    const Op& op = block_->ops[entry.op];
    const Rule& rule = rules_[entry.op];
    const int incoming = std::exchange(gradient_[at(op.output)], -1);
    if (incoming >= 0 || is_loss(op.kind)) {
      FewOf<int, 4> before, temporary;
      const Item item = op.weight >= 0 && block_->parameter(op.weight).quantized ? Item::dequantized_weights : Item::operation_temporary;
      for (std::int64_t size : rule.backward_before) before.push_back(allocate(size, Item::operation_temporary));
      for (int t : before) release(t);
      for (std::int64_t size : rule.backward_temporary) temporary.push_back(allocate(size, is_loss(op.kind) ? Item::loss_temporary : item));
      for (int i = 0; i < op.inputs.count; ++i) pass_gradient(op.inputs[i], rule.gradients[at(i)], i, incoming, entry);
      if (op.weight >= 0 && block_->parameter(op.weight).trainable)
        weight_gradient(op.weight, op.kind == OpKind::linear ? op.compute : block_->parameter(op.weight).dtype, first);
      if (op.bias >= 0 && block_->parameter(op.bias).trainable) weight_gradient(op.bias, block_->parameter(op.bias).dtype, first);
      for (int t : temporary) release(t);
    }
    for (int s : entry.storages)
      if (s >= 0) release(s);
    if (incoming >= 0) release(incoming);
  }

  void pass_gradient(int t, Gradient how, int position, int incoming, Entry& entry) {
    if (how == Gradient::none) return;
    const Tensor& tensor = block_->at(t);
    int g;
    if (how == Gradient::alias && incoming >= 0)
      g = retain(incoming);
    else if (how == Gradient::over_kept && position < entry.storages.count)
      g = std::exchange(entry.storages[position], -1);
    else
      g = allocate(bytes(tensor), tensor.logits ? Item::logits : Item::activation_gradients);
    int& sum = gradient_[at(t)];
    if (sum < 0) {
      sum = g;
    } else if (slots_[at(sum)].references == 1) {  // added in place
      release(g);
    } else {
      const int total = allocate(bytes(tensor), Item::activation_gradients);
      release(sum);
      release(g);
      sum = total;
    }
  }

  // Gradient of a trained weight: made in the type of the multiplication, kept in the gradient's; later micro-steps add to it.
  void weight_gradient(int p, DType made, bool first) {
    const Parameter& w = block_->parameter(p);
    const DType kept = gradient_dtype(w, *recipe_);
    const std::int64_t size = rounded(w.numel() * size_of(kept));
    const bool tied = w.tie != Tie::none;
    const bool adopts = first && w.tie != Tie::owner && w.tie != Tie::sharer;  // the head's gradient is there before the embedding's
    if (adopts && !recipe_->optimizer_in_backward) {
      const int made_in = made != kept ? allocate(w.numel() / w.copies * size_of(made), Item::gradients) : -1;
      out_->push_back({size, tied ? kTiedGradient : kFirstGradient + p, Item::gradients});
      if (made_in >= 0) release(made_in);
      return;
    }
    const int fresh = allocate(w.numel() / w.copies * size_of(made), Item::gradients);
    if (made != kept) release(allocate(w.numel() / w.copies * size_of(kept), Item::gradients));
    if (recipe_->optimizer_in_backward)
      if (const std::int64_t besides = step_temporary(w, *recipe_).bytes; besides > 0)
        release(allocate(besides, Item::optimizer_temporary));
    release(fresh);
  }

  const Block* block_;
  const Recipe* recipe_;
  const Rule* rules_;
  Trace* out_ = nullptr;
  std::vector<Slot> slots_;
  std::vector<int> environment_, uses_, gradient_, cache_, held_forward_, held_model_, held_step_, escaped_;
  std::vector<bool> kept_, leaves_;
  std::vector<Entry> tape_;
  int output_gradient_ = -1;
};

void rename(Trace& trace, int from, int to) {
  if (from < 0) return;
  for (Event& e : trace)
    if (e.storage == from) e.storage = to;
}

}  // namespace

BlockTraces trace(const Block& b, const Recipe& r) {
  std::vector<Rule> rules;
  rules.reserve(b.ops.size());
  for (const Op& op : b.ops) rules.push_back(autograd_rule(b, op));
  BlockTraces t;

  // Forward. A checkpointed block keeps its input only; one without gradients keeps nothing.
  Recorder run(b, r, rules);
  run.write_to(t.forward);
  const bool gradients = b.output >= 0 ? b.at(b.output).requires_grad : !r.no_grad;
  run.forward(gradients && !b.checkpointed);
  const int output = run.output();
  if (!b.checkpointed || b.offloaded) run.release_input();
  run.write_to(t.after_forward);
  run.release_cache();
  if (output == kInput) {  // handed through: it goes on under the next block's name
    const std::int64_t size = rounded(bytes(b.at(b.input)));
    t.forward.push_back({-size, kInput, item_of_input(b, r)});
    t.forward.push_back({size, kOutput, boundary_item(b.kind, r)});
  } else {
    rename(t.forward, output, kOutput);
  }

  auto back = [&](Recorder recorder, Trace& trace, bool first) {
    recorder.write_to(trace);
    if (b.opens_context_gradient > 0) trace.push_back({rounded(b.opens_context_gradient), kContextGradient, Item::activation_gradients});
    int recomputed = -1;
    if (b.checkpointed) {
      Recorder again(b, r, rules, run.storages());
      again.write_to(trace);
      again.forward(true);
      again.release_cache();
      recomputed = again.output();
      if (!r.habits.reentrant_checkpoint) again.release(recomputed), recomputed = -1;
      recorder = std::move(again);
    }
    const int input_gradient = recorder.backward(first);
    if (recomputed >= 0) recorder.release(recomputed);
    if (b.checkpointed) {
      if (!b.offloaded) recorder.release_input();  // offloaded: a view of the buffer
      Recorder first_forward = run;
      first_forward.write_to(trace);
      first_forward.release_escaped();
    }
    const int output_gradient = recorder.output_gradient();
    if (b.hands_context_on && b.at(b.input).requires_grad) {
      const std::int64_t size = rounded(bytes(b.at(b.input)));
      trace.push_back({-size, kContextGradient, Item::activation_gradients});
      trace.push_back({size, kInputGradient, Item::activation_gradients});
    }
    if (input_gradient >= 0 && input_gradient == output_gradient) {  // handed through unchanged
      const std::int64_t size = recorder.size(input_gradient);
      trace.push_back({-size, kOutputGradient, Item::activation_gradients});
      trace.push_back({size, kInputGradient, Item::activation_gradients});
    } else {
      rename(trace, input_gradient, kInputGradient);
      if (!b.checkpointed) rename(t.forward, input_gradient, kInputGradient);  // a fused loss makes it in forward
    }
    rename(trace, output_gradient, kOutputGradient);
    if (!b.checkpointed) rename(trace, output, kOutput);
    t.storages = std::max(t.storages, recorder.storages());
    return recorder;
  };
  if (gradients) {
    back(run, t.backward_more, false);
    run = back(run, t.backward_first, true);
  }
  run.write_to(t.after_backward);
  run.release_held_by_step(r.habits.previous_outputs_held ? &t.previous_freed : nullptr);
  t.storages = std::max(t.storages, run.storages());
  for (std::size_t p = 0; p < b.parameters.size(); ++p) {
    const Parameter& w = b.parameters[p];
    const bool has = w.trainable && !r.optimizer_in_backward && w.tie != Tie::owner && w.tie != Tie::sharer;
    t.gradient_storage.push_back(!has ? -1 : w.tie == Tie::borrower ? kTiedGradient : kFirstGradient + static_cast<int>(p));
  }
  return t;
}

}  // namespace tunefit

#include "tunefit/build.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "builder.h"
#include "tunefit/passes.h"

namespace tunefit {
namespace {

// Puts blocks one after the other, each through all passes, and keeps what passes from one to the next.
class Assembly {
 public:
  Assembly(const Architecture& a, const Recipe& r) : a_(a), r_(r), residual_(r.base_dtype) {}

  Graph build() && {
    const std::int64_t features = a_.encoder ? encoder(*a_.encoder) : 0;
    const bool crosses = features > 0 && a_.encoder->cross;
    place(BlockKind::embedding, a_, r_.tokens(), r_.sequence_length, [&](Builder& b) { b.embedding(a_, features); });
    context_rows_ = crosses ? features : 0;
    context_dtype_ = entered_, context_gradient_ = crosses && entered_gradient_;
    layers(a_, r_.tokens(), r_.sequence_length);
    // Unsloth: two buffers, and the last layer's input stays (unsloth_zoo/gradient_checkpointing.py:769); others: five tensors on their
    // way (torchtune training/_activation_offloading.py, max_fwd_stash_size).
    const std::int64_t inputs = r_.checkpointing == Checkpointing::unsloth ? 3 : r_.checkpointing == Checkpointing::offload ? 5 : 0;
    if (gradient_)
      graph_.blocks[static_cast<std::size_t>(graph_.order.front())].checkpoint_buffers =
          inputs * r_.tokens() * a_.hidden * size_of(residual_);
    const int last = place(BlockKind::final_norm, a_, r_.tokens(), r_.sequence_length, [&](Builder& b) { b.final_norm(a_); });
    if (context_gradient_)
      graph_.blocks[static_cast<std::size_t>(last)].opens_context_gradient = context_rows_ * a_.hidden * size_of(context_dtype_);
    if (r_.lora && r_.lora->kind == AdapterKind::vera) share_projections();
    place(BlockKind::head, a_, r_.tokens(), r_.sequence_length, [&](Builder& b) { b.head(a_); });
    return std::move(graph_);
  }

 private:
  // Rows that leave the encoder; 0 if it does not run.
  std::int64_t encoder(const Encoder& e) {
    part_ = Part::tower;
    const std::int64_t per_row = e.fixed_positions > 0               ? e.fixed_positions
                                 : e.input == Encoder::Input::tokens ? r_.sequence_length
                                                                     : r_.image_tokens * e.merge;
    if (e.input == Encoder::Input::tokens) part_ = Part::decoder;  // trained like the decoder
    idle_ = per_row == 0;
    const std::int64_t positions = idle_ ? e.merge : per_row, rows = (idle_ ? 1 : r_.batch) * positions;
    place(BlockKind::embedding, e, rows, positions, [&](Builder& b) { b.encoder_input(e, a_); });
    layers(e, rows, positions);
    place(BlockKind::final_norm, e, rows, positions, [&](Builder& b) { b.encoder_output(e, a_.hidden); });
    const bool ran = !idle_;
    idle_ = false;
    part_ = Part::decoder;
    return ran ? rows / e.merge : 0;
  }

  void layers(const Stack& s, std::int64_t tokens, std::int64_t per_row) {
    struct Built {
      int block;
      DType leaves;
      bool gradient;
    };
    std::map<std::tuple<int, DType, bool, bool>, Built> built;  // a layer kind differs by what enters it
    const auto frozen = static_cast<std::int64_t>(s.layers.size()) - (r_.freeze ? r_.freeze->layers : 0);
    std::int64_t at = 0;
    for (std::uint16_t kind : s.layers) {
      unfrozen_ = r_.freeze && part_ == Part::decoder && (r_.freeze->from_bottom ? at < r_.freeze->layers : at >= frozen);
      ++at;
      const std::tuple<int, DType, bool, bool> key{kind, residual_, gradient_, unfrozen_};
      auto found = built.find(key);
      if (found == built.end()) {
        const int index = make(BlockKind::layer, s, tokens, per_row, [&](Builder& b) { b.layer(s.kinds[kind], context_rows_); });
        found = built.emplace(key, Built{index, residual_, gradient_}).first;
      }
      residual_ = found->second.leaves;
      gradient_ = found->second.gradient;
      graph_.order.push_back(found->second.block);
    }
  }

  template <class Write>
  int place(BlockKind kind, const Stack& s, std::int64_t tokens, std::int64_t per_row, Write&& write) {
    const int index = make(kind, s, tokens, per_row, write);
    graph_.order.push_back(index);
    return index;
  }

  template <class Write>
  int make(BlockKind kind, const Stack& s, std::int64_t tokens, std::int64_t per_row, Write&& write) {
    Block block;
    block.kind = kind;
    block.unfrozen = unfrozen_;
    Builder builder(block, s, r_, tokens, per_row);
    builder.part = part_;
    write(builder);
    assign_parameters(block, r_);
    if (kind == BlockKind::head && r_.task == Task::language_model) expand_loss(block, a_, r_);
    insert_adapters(block, r_);
    quantize(block, r_);
    prepare_kbit(block, r_);
    if (idle_) {
      retire(block);
    } else {
      fuse_kernels(block, r_);
      entered_ = residual_, entered_gradient_ = gradient_;
      if (block.context >= 0) block.at(block.context).dtype = context_dtype_, block.at(block.context).requires_grad = context_gradient_;
      residual_ = assign_dtypes(block, r_, residual_);
      gradient_ = assign_gradients(block, r_, gradient_);
      checkpoint(block, r_);
    }
    graph_.blocks.push_back(std::move(block));
    return static_cast<int>(graph_.blocks.size()) - 1;
  }

  // VeRA: one frozen pair for all layers, as wide as the widest of them (peft/tuners/vera/model.py).
  void share_projections() {
    std::int64_t in = 0, out = 0;
    for (const Block& b : graph_.blocks)
      for (const Parameter& p : b.parameters)
        if (is_target(r_, p)) in = std::max(in, p.in), out = std::max(out, p.out);
    Parameter pair{"vera_A, vera_B", ParamKind::adapter, r_.lora->r, in + out};
    pair.dtype = r_.lora->dtype;
    graph_.blocks[static_cast<std::size_t>(graph_.order.front())].add_parameter(std::move(pair));
  }

  // A tower without images: its weights are there, nothing runs, and what gets no gradient is not trained.
  static void retire(Block& block) {
    block.ops.clear();
    block.tensors.clear();
    block.input = block.output = block.context = -1;
    for (Parameter& p : block.parameters) p.trainable = false;
  }

  const Architecture& a_;
  const Recipe& r_;
  Graph graph_;
  DType residual_, entered_ = DType::bf16;  // dtype that enters the next block; that entered the last one made
  bool gradient_ = false, entered_gradient_ = false;
  Part part_ = Part::decoder;
  bool idle_ = false, unfrozen_ = false;
  std::int64_t context_rows_ = 0;
  DType context_dtype_ = DType::bf16;
  bool context_gradient_ = false;
};

}  // namespace

Graph build_graph(const Architecture& a, const Recipe& r) { return Assembly(a, r).build(); }

std::vector<Module> adaptable_modules(const Architecture& a, const Recipe& r) {
  Recipe one = r;
  one.batch = one.sequence_length = 1;
  one.lora.reset();
  std::vector<Module> out;
  for (const Block& b : build_graph(a, one).blocks)
    for (const Parameter& p : b.parameters) {
      const bool linear = p.kind == ParamKind::linear || p.kind == ParamKind::lm_head;
      const bool known = std::any_of(out.begin(), out.end(), [&](const Module& m) { return m.name == p.module && m.aliases == p.aliases; });
      if (linear && !known && p.part == Part::decoder && !p.fused) out.push_back({p.module, p.aliases});
    }
  return out;
}

}  // namespace tunefit

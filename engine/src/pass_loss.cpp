#include <algorithm>

#include "tunefit/passes.h"

namespace tunefit {
namespace {

constexpr std::int64_t kTrlChunk = 256;       // trl/trainer/sft_trainer.py, _CHUNKED_LM_HEAD_CHUNK_SIZE
constexpr std::int64_t kTorchtuneChunks = 8;  // torchtune/modules/loss/cross_entropy_loss.py, num_output_chunks
constexpr std::int64_t kLitgptChunk = 128;    // litgpt/utils.py, chunked_cross_entropy(chunk_size=128)

std::int64_t next_power_of_two(std::int64_t n) {
  std::int64_t p = 1;
  while (p < n) p *= 2;
  return p;
}

// Logits in chunks, or never: one operation that stands for the head and the loss.
bool chunked(Block& b, const Architecture& a, const Recipe& r) {
  Op op = b.ops.back();
  op.kind = OpKind::fused_linear_cross_entropy;
  op.output = b.add_tensor(1, 1);
  const std::int64_t n = b.tokens, v = a.logits(), e = 2;
  const bool trained = b.parameter(op.weight).trainable;
  switch (r.loss) {
    case LossVariant::liger: {  // liger_kernel/ops/fused_linear_cross_entropy.py: dX (and dW) are made in forward
      const std::int64_t chunk = next_power_of_two((n + (v + a.hidden - 1) / a.hidden - 1) / ((v + a.hidden - 1) / a.hidden));
      op.kept.push_back(n * a.hidden * e);
      if (trained) op.kept.push_back(v * a.hidden * e);
      op.forward_temporary.push_back(std::min(chunk, n) * v * e);
      op.forward_temporary.push_back(std::min(chunk, n) * v * 4);
      op.makes_gradient = true;
      break;
    }
    case LossVariant::trl_chunked:  // each chunk under checkpoint: logits, fp32 copy, log-probabilities; backward 12 a logit
      op.forward_temporary.push_back(std::min(kTrlChunk, n) * v * 10);
      op.backward_temporary.push_back(std::min(kTrlChunk, n) * v * 12);
      if (r.habits.chunk_upcasts_head)
        for (auto* temporary : {&op.forward_temporary, &op.backward_temporary}) temporary->push_back(v * a.hidden * 4);
      break;
    case LossVariant::torchtune_chunked: {  // the loss in fp32 chunk by chunk, log-probabilities kept (compiled: the 16-bit logits instead)
      const std::int64_t part = n * v / kTorchtuneChunks;
      auto& kept = r.no_grad ? op.forward_temporary : op.kept;
      if (r.compile || !r.habits.loss_projects_in_chunks) kept.push_back(n * v * e);
      if (!r.compile && !r.no_grad) kept.push_back(n * v * 4);
      op.forward_temporary.push_back(part * (r.compile ? 2 : 4));
      op.backward_temporary.push_back(part * (r.compile ? 2 : 8));
      break;
    }
    case LossVariant::cut_cross_entropy:  // logits only in registers: log-sum-exp and target logit a token
      op.kept.push_back(8 * n);
      break;
    default:
      return false;
  }
  b.ops.back() = op;
  return true;
}

}  // namespace

void expand_loss(Block& b, const Architecture& a, const Recipe& r) {
  if (!r.generates() && chunked(b, a, r)) return;
  const int logits = b.ops.back().output;
  const Held held = r.habits.holds_outputs ? Held::step : Held::forward;
  auto apply = [&](OpKind kind, int x) {
    Op op;
    op.kind = kind;
    op.inputs.push_back(x);
    op.to = DType::fp32;
    op.rows = b.at(x).rows;
    const bool loss = kind == OpKind::nll || kind == OpKind::in_place_cross_entropy || kind == OpKind::fused_linear_cross_entropy;
    op.output = loss ? b.add_tensor(1, 1) : b.add_tensor(b.at(x).rows, b.at(x).width);
    b.at(op.output).logits = true;
    b.ops.push_back(op);
    return op.output;
  };
  auto upcast = [&](int x, Held how) {
    const int y = apply(OpKind::cast, x);
    b.at(y).held = how;
    return y;
  };
  if (r.generates()) {  // transformers/generation/utils.py _sample: the last token's logits in fp32
    upcast(logits, Held::no);
    return;
  }
  if (r.loss == LossVariant::litgpt_chunked_128) {
    // litgpt/utils.py: the list of logits in chunks of 128 positions is held; the loss keeps log-probabilities of each chunk, and backward
    // takes the chunks one by one.
    b.at(logits).held = held;
    const std::int64_t all = b.tokens * a.logits() * 2;
    apply(OpKind::fused_linear_cross_entropy, logits);
    Op& op = b.ops.back();
    op.kept.push_back(all);
    op.makes_gradient = true;
    op.backward_temporary.push_back(2 * kLitgptChunk * r.batch * a.logits() * 2);
    return;
  }
  int x = logits;
  int returned = logits;  // what leaves the model
  switch (r.loss) {
    case LossVariant::hf_until_4_44:  // logits.float() in the model; shifted copy; cross entropy
    case LossVariant::hf_4_45:
    case LossVariant::fms_foak_8:
      returned = upcast(logits, held);
      x = apply(OpKind::copy, returned);
      break;
    case LossVariant::hf_4_47:  // upcast in the loss function, which still shifts the logits
    case LossVariant::fms_foak_10:
      b.at(logits).held = held;
      x = apply(OpKind::copy, upcast(logits, Held::forward));
      break;
    case LossVariant::hf_from_4_50:  // labels are shifted instead
      b.at(logits).held = held;
      x = upcast(logits, Held::no);
      break;
    case LossVariant::no_upcast:
      b.at(logits).held = held;
      x = apply(OpKind::copy, logits);
      break;
    case LossVariant::torchtune_full:
      x = upcast(logits, Held::no);
      if (!r.packing) x = apply(OpKind::copy, x);
      break;
    case LossVariant::unsloth:
      b.at(logits).held = held;
      break;
    default:
      break;
  }
  if (r.loss == LossVariant::unsloth || r.loss == LossVariant::fms_foak_8 || r.loss == LossVariant::fms_foak_10)
    apply(OpKind::in_place_cross_entropy, x);
  else
    apply(OpKind::nll, apply(OpKind::softmax, x));
  // accelerate/utils/operations.py convert_outputs_to_fp32: after forward has returned, the logits once more in fp32.
  if (r.habits.outputs_to_fp32 && returned == logits) returned = upcast(logits, Held::forward);
  if (r.no_grad && r.evaluation && r.evaluation->keeps_logits) b.at(returned).held = Held::step;
  if (r.habits.loss_metrics_copy_logits) apply(OpKind::copy, returned);  // trl/trainer/sft_trainer.py compute_loss
}

}  // namespace tunefit

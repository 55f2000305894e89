#include "tunefit/passes.h"

namespace tunefit {
namespace {

// Rewrites a block's operations in order, with the casts that torch.autocast (aten/src/ATen/autocast_mode.h) or the modules
// themselves make: linear and attention in the low precision, log_softmax, nll and layer_norm in fp32, the rest in the widest input.
class Autocast {
 public:
  Autocast(Block& block, const Recipe& r, DType residual) : b_(block), r_(r), residual_(residual) {
    autocast_ = r.mixed_precision != MixedPrecision::no;
    low_ = r.mixed_precision == MixedPrecision::fp16 ? DType::fp16 : DType::bf16;
    compute_ = autocast_ ? low_ : r.base_dtype == DType::fp32 ? DType::bf16 : r.base_dtype;
  }

  DType run() {
    if (b_.input >= 0) b_.at(b_.input).dtype = residual_;
    ops_.reserve(b_.ops.size() + b_.ops.size() / 2);
    for (const Op& op : b_.ops) convert(op);
    b_.ops = std::move(ops_);
    return b_.output >= 0 ? dtype(b_.output) : residual_;
  }

 private:
  DType dtype(int t) const { return b_.at(t).dtype; }

  int cast(int t, DType to, std::int64_t rows) {
    if (dtype(t) == to) return t;
    Op op;
    op.kind = OpKind::cast;
    op.inputs.push_back(t);
    op.output = b_.add_tensor(b_.at(t).rows, b_.at(t).width);
    op.to = to;
    op.rows = rows;
    b_.at(op.output).dtype = to;
    b_.at(op.output).logits = b_.at(t).logits;
    ops_.push_back(op);
    return op.output;
  }

  void finish(Op op, DType out) {
    b_.at(op.output).dtype = out;
    ops_.push_back(op);
  }

  void linear(Op op) {
    const Parameter& w = b_.parameter(op.weight);
    const DType entered = dtype(op.inputs[0]);
    if (w.quantized) {  // computes in the compute dtype, returns the input's (bitsandbytes nn/modules.py)
      const bool as_entered = r_.habits.bnb_computes_in_input_dtype;
      op.compute = as_entered && !autocast_ ? entered : compute_;
      if (!as_entered) op.inputs[0] = cast(op.inputs[0], compute_, op.rows);
      if (entered == op.compute) return finish(op, entered);
      const int result = op.output;
      op.output = b_.add_tensor(b_.at(result).rows, b_.at(result).width);
      finish(op, op.compute);
      Op back;
      back.kind = OpKind::cast;
      back.inputs.push_back(op.output);
      back.output = result;
      back.to = entered;
      back.rows = op.rows;
      return finish(back, entered);
    }
    op.compute = autocast_ ? low_ : promote(entered, w.dtype);
    op.inputs[0] = cast(op.inputs[0], op.compute, op.rows);
    op.weight_cast = autocast_ && w.dtype == DType::fp32;
    finish(op, op.compute);
  }

  void attention(Op op) {
    DType to = dtype(op.inputs[0]);
    const bool flash = r_.attention == AttentionImpl::flash_attention_2 || r_.attention == AttentionImpl::flash_attention_3;
    if (to == DType::fp32 && (autocast_ || flash)) to = compute_;
    for (int i = 0; i < op.inputs.count; ++i) op.inputs[i] = cast(op.inputs[i], to, op.rows);
    // No fused kernel takes fp32 with grouped heads: SDPA falls back to its math path.
    const bool grouped = b_.at(op.inputs[0]).numel != b_.at(op.inputs[1]).numel;
    if (op.attention == AttentionCode::fused && !flash && to == DType::fp32 && grouped) op.attention = AttentionCode::math;
    finish(op, to);
  }

  void norm(Op op) {
    const DType x = dtype(op.inputs[0]);
    const DType w = op.weight >= 0 ? b_.parameter(op.weight).dtype : x;
    switch (op.norm) {
      case NormCode::native: {
        const DType to = autocast_ ? DType::fp32 : promote(x, w);
        op.inputs[0] = cast(op.inputs[0], to, op.rows);
        return finish(op, to);
      }
      case NormCode::upcast_scale_in_fp32:
      case NormCode::fused:
        return finish(op, x);
      case NormCode::upcast:
      case NormCode::no_upcast:
        return finish(op, promote(x, w));
    }
  }

  void convert(const Op& op) {
    switch (op.kind) {
      case OpKind::linear:
        return linear(op);
      case OpKind::attention:
        return attention(op);
      case OpKind::norm:
        return norm(op);
      case OpKind::embedding:
        return finish(op, b_.parameter(op.weight).dtype);
      case OpKind::table:
        return finish(op, r_.base_dtype);
      case OpKind::conv:
      case OpKind::kernel: {  // in the input's type; autocast calls convolutions in 16 bit
        Op low = op;
        if (autocast_)
          for (int i = 0; i < low.inputs.count; ++i) low.inputs[i] = cast(low.inputs[i], low_, op.rows);
        return finish(low, dtype(low.inputs[0]));
      }
      case OpKind::index_add: {  // of the sum's type: experts' results are cast to the hidden state's
        Op sum = op;
        if (op.inputs.count > 1) sum.inputs[1] = cast(op.inputs[1], dtype(op.inputs[0]), op.rows);
        return finish(sum, dtype(sum.inputs[0]));
      }
      case OpKind::rope: {  // cos and sin come in the hidden state's dtype
        const DType x = dtype(op.inputs[0]);
        return finish(op, op.in_place ? x : promote(x, residual_));
      }
      case OpKind::cast: {
        Op copy = op;
        if (dtype(op.inputs[0]) == op.to) copy.kind = OpKind::view;
        return finish(copy, op.to);
      }
      case OpKind::softmax: {
        Op fp32 = op;
        if (autocast_) fp32.inputs[0] = cast(op.inputs[0], DType::fp32, op.rows);
        return finish(fp32, dtype(fp32.inputs[0]));
      }
      case OpKind::nll:
      case OpKind::in_place_cross_entropy:
      case OpKind::fused_linear_cross_entropy:
        return finish(op, DType::fp32);
      default: {
        DType out = op.inputs.count > 0 ? dtype(op.inputs[0]) : r_.base_dtype;
        for (int t : op.inputs) out = promote(out, dtype(t));
        return finish(op, out);
      }
    }
  }

  Block& b_;
  const Recipe& r_;
  DType residual_, low_ = DType::bf16, compute_ = DType::bf16;
  bool autocast_ = false;
  std::vector<Op> ops_;
};

}  // namespace

DType assign_dtypes(Block& block, const Recipe& r, DType residual) { return Autocast(block, r, residual).run(); }

}  // namespace tunefit

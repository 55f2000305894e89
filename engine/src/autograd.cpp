#include "tunefit/autograd.h"

#include <algorithm>

#include "tunefit/quantization.h"
#include "tunefit/storage.h"

namespace tunefit {
namespace {

std::int64_t bytes(const Tensor& t) { return t.numel * size_of(t.dtype); }

void norm_rule(const Block& b, const Op& op, bool any, Rule& rule) {
  const Tensor& x = b.at(op.inputs[0]);
  const std::int64_t n = x.numel, wide = 4 * n;
  const bool upcasts = x.dtype != DType::fp32, trained = op.weight >= 0 && b.parameter(op.weight).trainable;
  if (op.norm == NormCode::native || op.norm == NormCode::fused) {  // one kernel: input, and mean and 1/std or 1/rms a row
    if (any) rule.saved.push_back(op.inputs[0]), rule.kept.push_back((op.norm == NormCode::native ? 8 : 4) * op.rows);
    return;
  }
  if (op.norm == NormCode::no_upcast) {  // x * rsqrt(mean(x * x)): x, 1/rms, and the product if the weight is trained
    if (any) {
      rule.saved.push_back(op.inputs[0]);
      rule.kept.push_back(size_of(x.dtype) * op.rows);
      if (trained) rule.kept.push_back(bytes(x));
    }
    rule.forward_temporary.push_back(bytes(x));
    for (int i = 0; i < 3; ++i) rule.backward_before.push_back(bytes(x));
    return;
  }
  // x.to(fp32); pow(2).mean; x * rsqrt; to(dtype); * weight. pow and mul keep the fp32 copy, rsqrt its result, the last product
  // its input if the weight is trained. Backward at its worst holds four fp32 tensors besides: the gradient through the product, that of
  // the mean expanded, 2x and their product (catalog/frameworks/README.md, g).
  if (any) {
    if (upcasts)
      rule.kept.push_back(wide);
    else
      rule.saved.push_back(op.inputs[0]);
    rule.kept.push_back(4 * op.rows);
    const bool scales_wide = op.norm == NormCode::upcast_scale_in_fp32 || !upcasts;
    if (trained) rule.kept.push_back(scales_wide ? wide : bytes(x));
  } else if (upcasts) {
    rule.forward_temporary.push_back(wide);
  }
  for (int i = 0; i < 2; ++i) rule.forward_temporary.push_back(wide);
  for (int i = 0; i < 4; ++i) rule.backward_before.push_back(wide);
}

void attention_rule(const Block& b, const Op& op, bool any, Rule& rule) {
  const Tensor& q = b.at(op.inputs[0]);
  const Tensor& k = b.at(op.inputs[1]);
  const std::int64_t scores = product(op.heads, op.rows, op.keys), e = size_of(q.dtype);
  switch (op.attention) {
    case AttentionCode::fused:  // q, k, v, out and the fp32 log-sum-exp (flash_attn_interface)
      if (!any) return;
      for (int t : op.inputs) rule.saved.push_back(t);
      rule.saved.push_back(op.output);
      rule.kept.push_back(4 * op.heads * op.rows);
      rule.backward_temporary.push_back(4 * q.numel);                              // fp32 accumulator of dq
      rule.backward_temporary.push_back(4 * op.heads * op.rows);                   // row sums of dout * out
      if (k.numel != q.numel) rule.backward_temporary.push_back(2 * e * q.numel);  // dk, dv of every query head, summed after
      return;
    case AttentionCode::eager:  // softmax in fp32, cast, matmul (eager_attention_forward)
      rule.forward_temporary.push_back(e * scores);
      if (any) {
        for (int t : op.inputs) rule.saved.push_back(t);
        if (e != 4) rule.kept.push_back(4 * scores);
        rule.kept.push_back((op.dropout ? 1 + e : e) * scores);  // with dropout its mask, and the dropped probabilities instead
        rule.backward_temporary.push_back(e * scores);
        rule.backward_temporary.push_back(4 * scores);
      } else {
        rule.forward_temporary.push_back(4 * scores);
      }
      return;
    case AttentionCode::math:  // _scaled_dot_product_attention_math: k and v at the width of q
      if (any) {
        rule.saved.push_back(op.inputs[0]);
        rule.kept.push_back(e * scores);
        if (k.numel != q.numel) rule.kept.push_back(2 * bytes(q));
        rule.backward_temporary.push_back(e * scores);
        rule.backward_temporary.push_back(e * scores);
      }
      rule.forward_temporary.push_back(e * scores);
      return;
  }
}

}  // namespace

Rule autograd_rule(const Block& b, const Op& op) {
  Rule rule;
  const bool trained = op.weight >= 0 && b.parameter(op.weight).trainable;
  bool any = trained || (op.bias >= 0 && b.parameter(op.bias).trainable);
  for (int i = 0; i < op.inputs.count; ++i) {
    const bool needs = b.at(op.inputs[i]).requires_grad;
    any = any || needs;
    rule.gradients[static_cast<std::size_t>(i)] = needs ? Gradient::fresh : Gradient::none;
  }
  auto gradients = [&](Gradient how) {
    for (Gradient& g : rule.gradients)
      if (g != Gradient::none) g = how;
  };
  const int x = op.inputs.count > 0 ? op.inputs[0] : -1;
  switch (op.kind) {
    case OpKind::linear: {
      const Parameter& w = b.parameter(op.weight);
      if (trained || (op.keeps_input && any)) rule.saved.push_back(x);
      if (w.quantized) add_quantized_linear(w, b.at(x), op.compute, b.batch, rule.gradients[0] != Gradient::none, rule);
      break;
    }
    case OpKind::norm:
      norm_rule(b, op, any, rule);
      if (op.norm == NormCode::fused && op.in_place) gradients(Gradient::alias);
      break;
    case OpKind::attention:
      attention_rule(b, op, any, rule);
      break;
    case OpKind::rope:  // x * cos + rotate_half(x) * sin; cos and sin need no gradient
      if (any)
        for (std::int64_t n : op.kept) rule.kept.push_back(n * size_of(b.at(op.output).dtype));  // cos and sin of this layer alone
      if (op.in_place) {
        gradients(Gradient::alias);
      } else {
        for (int i = 0; i < 2; ++i) rule.forward_temporary.push_back(op.wide ? 4 * b.at(op.output).numel : bytes(b.at(op.output)));
        if (any)
          for (int i = 0; i < 2; ++i) rule.backward_temporary.push_back(bytes(b.at(op.output)));
      }
      break;
    case OpKind::multiply:  // each factor is kept for the other's gradient
      if (rule.gradients[0] != Gradient::none) rule.saved.push_back(op.inputs[1]);
      if (rule.gradients[1] != Gradient::none) rule.saved.push_back(op.inputs[0]);
      break;
    case OpKind::multiply_by_weight:
    case OpKind::activation:
      if (any) rule.saved.push_back(x);
      break;
    case OpKind::swiglu:  // keeps gate and up; gradients are written over them
      if (any)
        for (int t : op.inputs) rule.saved.push_back(t);
      if (op.in_place) gradients(Gradient::over_kept);
      break;
    case OpKind::conv:  // causal_conv1d and cuDNN keep the input
      if (any) rule.saved.push_back(x);
      break;
    case OpKind::kernel: {
      const std::int64_t e = size_of(b.at(x).dtype);
      auto scaled = [e](const FewOf<std::int64_t, 4>& numbers, FewOf<std::int64_t, 4>& to) {
        for (std::int64_t n : numbers) to.push_back(n * e);
      };
      if (any) {
        for (int i = 0; i < std::min(op.inputs.count, op.saved_inputs); ++i) rule.saved.push_back(op.inputs[i]);
        if (op.saves_output) rule.saved.push_back(op.output);
        scaled(op.kept, rule.kept);
        scaled(op.backward_temporary, rule.backward_temporary);
      }
      scaled(op.forward_temporary, rule.forward_temporary);
      break;
    }
    case OpKind::index:
      if (any) rule.kept.push_back(8 * op.rows);
      break;
    case OpKind::index_add:
      if (op.inputs.count > 1 && op.in_place && rule.gradients[0] != Gradient::none) rule.gradients[0] = Gradient::alias;
      // masked_scatter: a prefix sum in int64 (PyTorch aten/src/ATen/native/cuda/IndexKernel.cpp)
      if (op.inputs.count > 1 && !op.in_place) rule.forward_temporary.push_back(8 * b.at(op.output).numel);
      break;
    case OpKind::dropout:
      if (any) rule.kept.push_back(b.at(x).numel);  // bool mask
      break;
    case OpKind::embedding:
      if (trained) rule.kept.push_back(8 * op.rows);  // indices
      break;
    case OpKind::add:
    case OpKind::view:
      gradients(Gradient::alias);
      break;
    case OpKind::copy:
      if (op.gradient_passes) gradients(Gradient::alias);
      if (op.keeps_input && any) rule.saved.push_back(x);
      break;
    case OpKind::sigmoid:
    case OpKind::softmax:
      if (any) rule.saved.push_back(op.output);
      break;
    case OpKind::nll:
      if (any) rule.kept.push_back(8 * op.rows);
      break;
    case OpKind::in_place_cross_entropy:  // the gradient overwrites the logits
      if (any) rule.saved.push_back(x), rule.kept.push_back(8 * op.rows);
      gradients(Gradient::over_kept);
      break;
    case OpKind::fused_linear_cross_entropy:
      rule.kept = op.kept;
      rule.forward_temporary = op.forward_temporary;
      rule.backward_temporary = op.backward_temporary;
      if (op.makes_gradient) gradients(Gradient::over_kept);
      break;
    case OpKind::scale:
    case OpKind::cast:
    case OpKind::concatenate:
    case OpKind::repeat:
    case OpKind::table:
      break;
  }
  return rule;
}

}  // namespace tunefit

#include "adapters.h"

#include <algorithm>
#include <utility>

namespace tunefit {
namespace {

// How many parts of a fused module the targets name, and their widths together; a module that is no fused one is one part.
std::pair<std::int64_t, std::int64_t> adapted_parts(const Lora& lora, const Parameter& p) {
  std::pair<std::int64_t, std::int64_t> named{0, 0};
  for (const auto& [name, width] : p.parts)
    if (std::find(lora.target_modules.begin(), lora.target_modules.end(), name) != lora.target_modules.end())
      ++named.first, named.second += width;
  return named.first > 0 ? named : std::pair<std::int64_t, std::int64_t>{1, p.out};
}

// LoKr: the two factors of a width, as near to each other as its divisors allow, or the one that decompose_factor asks for
// (huggingface/peft@5d602fdb src/peft/tuners/lokr/layer.py:438, factorization).
std::pair<std::int64_t, std::int64_t> factors(std::int64_t width, std::int64_t wanted) {
  if (wanted > 0 && width % wanted == 0) return std::minmax({wanted, width / wanted});
  std::pair<std::int64_t, std::int64_t> best{1, width};
  for (std::int64_t m = 2; m * m <= width && (wanted <= 0 || m <= wanted); ++m)
    if (width % m == 0) best = {m, width / m};
  return best;
}

}  // namespace

AdapterWriter::AdapterWriter(Block& block, const Recipe& r, const Op& base, std::vector<Op>& ops)
    : block_(block), r_(r), lora_(*r.lora), base_(base), weight_(block.parameter(base.weight)), ops_(ops) {
  in_ = block.at(base.inputs[0]).width, out_ = block.at(base.output).width;
  quantized_ = r.quantization.has_value();
  autocast_ = r.mixed_precision != MixedPrecision::no;
  peft_ = r.habits.adapter_style == AdapterStyle::peft;
  bitsandbytes_ = quantized_ && is_bitsandbytes(r.quantization->scheme);
  const bool gptq = quantized_ && (r.quantization->scheme == Scheme::gptq4 || r.quantization->scheme == Scheme::gptq8);
  // peft/tuners/lora/layer.py casts x to the adapter's dtype, gptq.py always; lora/bnb.py and the others only where autocast is off.
  converts_ = peft_ && (!quantized_ || gptq || !autocast_);
}

void AdapterWriter::write() {
  switch (lora_.kind) {
    case AdapterKind::lora:
    case AdapterKind::adalora:
      return lora();
    case AdapterKind::dora:
      return dora();
    case AdapterKind::vera:
      return vera();
    case AdapterKind::loha:
      return loha();
    case AdapterKind::lokr:
      return lokr();
    case AdapterKind::oft:
      return oft();
    case AdapterKind::ia3:
      return ia3();
  }
}

Op& AdapterWriter::emit(OpKind kind, std::initializer_list<int> inputs, std::int64_t width) {
  Op op;
  op.kind = kind;
  for (int t : inputs) op.inputs.push_back(t);
  op.output = block_.add_tensor(base_.rows, width);
  op.rows = base_.rows;
  ops_.push_back(op);
  return ops_.back();
}

int AdapterWriter::parameter(const char* suffix, std::int64_t in, std::int64_t out, bool trained) {
  Parameter p{weight_.module + suffix, ParamKind::adapter, in, out};
  p.dtype = lora_.dtype;
  p.copies = weight_.copies;
  p.trainable = trained;
  if (!trained) p.tie = Tie::sharer;  // one pair for the whole model, held by the embedding's block
  return block_.add_parameter(std::move(p));
}

int AdapterWriter::entered() {
  int x = base_.inputs[0];
  if (converts_) {
    Op& cast = emit(OpKind::cast, {x}, in_);
    cast.to = lora_.dtype;
    x = cast.output;
  }
  if (lora_.dropout > 0) x = emit(OpKind::dropout, {x}, in_).output;
  return x;
}

int AdapterWriter::base_result() {
  Op frozen = base_;
  frozen.output = block_.add_tensor(base_.rows, out_);
  ops_.push_back(frozen);
  if (!peft_ || !bitsandbytes_ || !r_.habits.lora_result_clone) return frozen.output;
  Op& clone = emit(OpKind::copy, {frozen.output}, out_);  // result.clone() in peft/tuners/lora/bnb.py
  clone.gradient_passes = true;
  return clone.output;
}

void AdapterWriter::add(int result, int adapted) {
  if (converts_ && !autocast_) {  // result.to(torch_result_dtype)
    const int sum = emit(OpKind::add, {result, adapted}, out_).output;
    Op& back = emit(OpKind::cast, {sum}, out_);
    back.to = r_.base_dtype;
    back.output = base_.output;
  } else {
    emit(OpKind::add, {result, adapted}, out_).output = base_.output;
  }
}

int AdapterWriter::low_rank(int x, std::int64_t rank) {
  // Of a fused module litgpt adapts parts, each with a pair of its own, and pads the result (litgpt/lora.py LoRAQKVLinear).
  const auto [parts, adapted] =
      r_.habits.lora_pad_keeps_source ? adapted_parts(lora_, weight_) : std::pair<std::int64_t, std::int64_t>{1, weight_.out};
  Op& a = emit(OpKind::linear, {x}, parts * rank);
  a.weight = parameter(".lora_A", weight_.in, parts * rank);
  const int low = a.output;
  Op& b = emit(OpKind::linear, {low}, adapted == weight_.out ? out_ : adapted);
  b.weight = parameter(".lora_B", rank, adapted);
  const int made = b.output;
  if (adapted == weight_.out) return made;
  Op& pad = emit(OpKind::copy, {made}, out_);
  pad.keeps_input = true;
  return pad.output;
}

void AdapterWriter::lora() {
  const int result = base_result();
  int x = entered();
  if (lora_.kind == AdapterKind::adalora) {  // peft/tuners/adalora/layer.py: x (A * E)^T B^T; the product A * E is kept
    Op& scaled = emit(OpKind::view, {x}, in_);
    scaled.weight = parameter(".lora_E", 1, lora_.r);
    x = scaled.output;
    Op& product = emit(OpKind::kernel, {x}, in_);
    product.in_place = true, product.saved_inputs = 0;
    product.kept.push_back(lora_.r * weight_.in);
    x = product.output;
  }
  const int made = low_rank(x, lora_.r);
  const int scaled = emit(OpKind::scale, {made}, out_).output;
  add(result, scaled);
}

// huggingface/peft@5d602fdb src/peft/tuners/lora/dora.py:66, lora/variants.py:138: the norm of W + BA is made anew in each forward from an
// identity through the adapters; (m - 1) base + m BA keeps both. With dropout, and before PEFT 0.14 always, the base is applied a
// second time through a dequantised copy that autograd keeps.
void AdapterWriter::dora() {
  const int result = base_result();
  const int x = entered();
  const int made = low_rank(x, lora_.r);
  Op& scaled = emit(OpKind::kernel, {result, made}, out_);
  scaled.weight = parameter(".lora_magnitude_vector", 1, weight_.out);
  scaled.saved_inputs = 2;
  const std::int64_t w = weight_.in * weight_.out, wide = lora_.dtype == DType::fp32 ? 2 : 1;  // numbers of 16 bit
  scaled.forward_temporary.push_back(wide * weight_.in * weight_.in);
  scaled.forward_temporary.push_back(4 * wide * w);
  if (quantized_ && (lora_.dropout > 0 || r_.habits.dora_keeps_weight)) scaled.kept.push_back(w);
  const int adapted = scaled.output;
  add(result, adapted);
}

// src/peft/tuners/vera/layer.py:253: two frozen projections that all layers share, a trained vector after each.
void AdapterWriter::vera() {
  const int result = base_result();
  const int x = entered();
  Op& a = emit(OpKind::linear, {x}, lora_.r);
  a.weight = parameter(".vera_A", weight_.in, lora_.r, false);
  const int low = a.output;
  Op& d = emit(OpKind::kernel, {low}, lora_.r);
  d.weight = parameter(".vera_lambda_d", 1, lora_.r);
  const int scaled = d.output;
  Op& b = emit(OpKind::linear, {scaled}, out_);
  b.weight = parameter(".vera_B", lora_.r, weight_.out, false);
  const int wide = b.output;
  Op& l = emit(OpKind::kernel, {wide}, out_);
  l.weight = parameter(".vera_lambda_b", 1, weight_.out);
  const int adapted = l.output;
  add(result, adapted);
}

// A weight-sized update made in each forward, which the product with x keeps. forward_weights, backward_weights: weight-sized fp32
// tensors that are alive at once besides.
void AdapterWriter::delta(std::int64_t trained, int forward_weights, int backward_weights) {
  const int result = base_result();
  const int x = entered();
  Op& product = emit(OpKind::kernel, {x}, out_);
  product.weight = parameter(".delta", 1, trained);
  const std::int64_t w = weight_.in * weight_.out;
  product.kept.push_back(w);
  product.forward_temporary.push_back(2 * forward_weights * w);
  product.backward_temporary.push_back(2 * backward_weights * w);
  const int adapted = product.output;
  add(result, adapted);
}

// src/peft/tuners/loha/layer.py:364: (w1a w1b) * (w2a w2b); three weights at once in forward, five in backward.
void AdapterWriter::loha() { delta(2 * lora_.r * (weight_.in + weight_.out), 2, 5); }

// src/peft/tuners/lokr/layer.py:160: a Kronecker product of a small matrix and a larger one, which is of low rank where that is less.
void AdapterWriter::lokr() {
  const auto [l, k] = factors(weight_.out, lora_.factor);
  const auto [m, n] = factors(weight_.in, lora_.factor);
  const std::int64_t small = lora_.decompose_both && 2 * lora_.r < std::max(l, m) ? lora_.r * (l + m) : l * m;
  const std::int64_t large = 2 * lora_.r < std::max(k, n) ? lora_.r * (k + n) : k * n;
  delta(small + large, 1, 3);
}

// src/peft/tuners/oft/layer.py:73 (from 0.16): the input is turned in blocks before the base; a block's rotation is the Cayley transform of
// a skew matrix by a series of five terms, of which four matrices are kept.
void AdapterWriter::oft() {
  std::int64_t block = std::clamp<std::int64_t>(lora_.oft_block_size, 1, weight_.in);
  while (weight_.in % block != 0) --block;
  const int x = entered();
  Op& turned = emit(OpKind::kernel, {x}, in_);
  turned.weight = parameter(".oft_R", 1, weight_.in / block * (block * (block - 1) / 2));
  turned.kept.push_back(4 * weight_.in * block);
  turned.forward_temporary.push_back(base_.rows * in_);  // the copy that puts the blocks back side by side
  const int rotated = turned.output;
  Op& back = emit(OpKind::cast, {rotated}, in_);
  back.to = r_.base_dtype;
  Op frozen = base_;
  frozen.inputs[0] = back.output;
  ops_.push_back(frozen);
}

// src/peft/tuners/ia3/layer.py:161: the result times a vector; of a feed-forward's last linear the input, in fp32.
void AdapterWriter::ia3() {
  if (weight_.attention || weight_.out >= weight_.in) {
    const int result = base_result();
    Op& scaled = emit(OpKind::kernel, {result}, out_);
    scaled.weight = parameter(".ia3_l", 1, weight_.out);
    scaled.forward_temporary.push_back(2 * base_.rows * out_);
    scaled.output = base_.output;
    return;
  }
  Op& wide = emit(OpKind::cast, {base_.inputs[0]}, in_);
  wide.to = DType::fp32;
  const int x = wide.output;
  Op& scaled = emit(OpKind::multiply_by_weight, {x}, in_);
  scaled.weight = parameter(".ia3_l", 1, weight_.in);
  const int product = scaled.output;
  Op& back = emit(OpKind::cast, {product}, in_);
  back.to = r_.base_dtype;
  Op frozen = base_;
  frozen.inputs[0] = back.output;
  ops_.push_back(frozen);
}

}  // namespace tunefit

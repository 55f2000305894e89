#include "tunefit/quantization.h"

namespace tunefit {
namespace {

constexpr std::int64_t kNestedBlock = 256;  // bitsandbytes functional.quantize_4bit: block size of the second quantisation

std::int64_t blocks(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }

// bitsandbytes dequantises the whole weight to 16 bit; with double quantisation the fp32 absmax is restored first. A linear that takes
// fp32 casts the weight on, and under autocast its input (in backward: the gradient) exists in 16 bit besides.
void dequantize_bitsandbytes(const Parameter& w, const Tensor& x, DType compute, FewOf<std::int64_t, 4>& to) {
  const std::int64_t n = w.numel() / w.copies;
  to.push_back(n * 2);
  if (w.cast_after_dequantizing) to.push_back(n * 2);
  if (w.restores_absmax) to.push_back(n / 64 * 4);
  if (x.dtype != DType::fp32) return;
  to.push_back(n * 4);
  if (compute != DType::fp32) to.push_back(x.numel * 2);
}

}  // namespace

WeightStorage quantized_storage(const Parameter& p, const Quantization& q) {
  const std::int64_t n = p.numel();
  switch (q.scheme) {
    case Scheme::int8:
      return {n, 4 * p.out * p.copies};
    case Scheme::nf4:
    case Scheme::fp4: {
      const std::int64_t absmax = blocks(n, q.block_size);
      constexpr std::int64_t code_book = 16 * 4, nested_code_book = 256 * 4, offset = 4;
      if (!q.double_quant) return {blocks(n, 2), 4 * absmax + code_book};
      return {blocks(n, 2), absmax + 4 * blocks(absmax, kNestedBlock) + code_book + nested_code_book + offset};
    }
    // AutoGPTQ/AutoGPTQ@9f7d370 auto_gptq/nn_modules/qlinear/qlinear_cuda_old.py:50: packed int32, fp16 scales and packed zero points a
    // group, and for GPTQ a group number for each input.
    case Scheme::gptq4:
      return {blocks(n, 2), blocks(n, q.block_size) * 2 + blocks(n, 2 * q.block_size) + 4 * p.in * p.copies};
    case Scheme::gptq8:
      return {n, blocks(n, q.block_size) * 3 + 4 * p.in * p.copies};
    case Scheme::awq4:  // casper-hansen/AutoAWQ@88e4c76 awq/modules/linear/gemm.py:135
      return {blocks(n, 2), blocks(n, q.block_size) * 2 + blocks(n, 2 * q.block_size)};
    case Scheme::hqq4:  // mobiusml/hqq@e0b1d00 hqq/core/quantize.py:40: scale and zero point of a group in the compute type
      return {blocks(n, 2), blocks(n, q.block_size) * 4};
    case Scheme::hqq2:
      return {blocks(n, 4), blocks(n, q.block_size) * 4};
    case Scheme::aqlm2:  // Vahe1994/AQLM@e79a896 inference_lib/src/aqlm/inference.py:39: 16-bit codes of 8 values, a code book a module
      return {blocks(n, 4), ((std::int64_t{1} << 16) * 8 * 2 + 2 * p.out) * p.copies};
    case Scheme::fp8:  // huggingface/transformers src/transformers/integrations/finegrained_fp8.py:231: an fp32 scale for 128 x 128 values
      return {n, 4 * blocks(p.in, 128) * blocks(p.out, 128) * p.copies};
  }
  return {};
}

bool keeps_input(Scheme s, bool bnb_keeps_input) {
  switch (s) {
    case Scheme::nf4:
    case Scheme::fp4:
      return bnb_keeps_input;  // bitsandbytes autograd/_functions.py: MatMul4Bit before 0.43.2
    case Scheme::int8:         // MatMul8bitLt
    case Scheme::awq4:         // AutoAWQ awq/modules/linear/gemm.py:24 WQLinearMMFunction
    case Scheme::hqq4:
    case Scheme::hqq2:   // hqq/core/quantize.py:269 HQQMatmulNoCacheMul
    case Scheme::aqlm2:  // aqlm/inference.py:99
      return true;
    case Scheme::gptq4:
    case Scheme::gptq8:
    case Scheme::fp8:
      return false;
  }
  return false;
}

void add_quantized_linear(const Parameter& w, const Tensor& x, DType compute, std::int64_t batch, bool input_gradient, Rule& rule) {
  const std::int64_t n = w.numel() / w.copies;
  switch (w.scheme) {
    case Scheme::nf4:
    case Scheme::fp4:
    case Scheme::int8:
      dequantize_bitsandbytes(w, x, compute, rule.forward_temporary);
      if (input_gradient) dequantize_bitsandbytes(w, x, compute, rule.backward_temporary);
      return;
    // AutoGPTQ's torch path, which trains (qlinear_cuda_old.py:295): unpacked to int32 and int8 (5 B a value at once), scaled to 16 bit,
    // and the product keeps that weight until backward. The triton kernels keep nothing, but the default does not take them.
    case Scheme::gptq4:
    case Scheme::gptq8:
      rule.forward_temporary.push_back((w.scheme == Scheme::gptq4 ? 3 : 4) * n);
      if (input_gradient)
        rule.kept.push_back(2 * w.numel());
      else
        rule.forward_temporary.push_back(2 * n);
      return;
    case Scheme::awq4:  // gemm.py:100: backward repeats the dequantised weight for every row of the batch
      rule.forward_temporary.push_back(2 * n);
      if (input_gradient) rule.backward_temporary.push_back(2 * n * (1 + batch));
      return;
    case Scheme::hqq4:
    case Scheme::hqq2:  // quantize.py:431: unpacked, shifted and scaled, 6 B a value at once, in forward and again in backward
      rule.forward_temporary.push_back(6 * n);
      if (input_gradient) rule.backward_temporary.push_back(6 * n);
      return;
    case Scheme::aqlm2:  // cuda_kernel.cpp:249: the weight, and a copy of the output
      rule.forward_temporary.push_back(2 * n);
      if (input_gradient) rule.backward_temporary.push_back(2 * n);
      return;
    case Scheme::fp8:  // unslothai/unsloth@015bdef unsloth/kernels/fp8.py:374: input in fp8; backward dequantises
      rule.forward_temporary.push_back(x.numel);
      if (input_gradient) rule.backward_temporary.push_back(2 * n);
      return;
  }
}

}  // namespace tunefit

// Element types, by the names of the request (docs/contract.md).
#pragma once
#include <cstdint>

namespace tunefit {

enum class DType : std::uint8_t { fp32, bf16, fp16, fp8 };

// Quantised storage of frozen weights (quantization.scheme).
enum class Scheme : std::uint8_t { nf4, fp4, int8, gptq4, gptq8, awq4, hqq4, hqq2, aqlm2, fp8 };

constexpr bool is_bitsandbytes(Scheme s) { return s == Scheme::nf4 || s == Scheme::fp4 || s == Scheme::int8; }

// Bytes of one element.
constexpr std::int64_t size_of(DType t) { return t == DType::fp32 ? 4 : t == DType::fp8 ? 1 : 2; }

// Result type of an operation on two types (torch.result_type for floating tensors): the wider one; bf16 with fp16 is fp32.
constexpr DType promote(DType a, DType b) {
  if (a == b) return a;
  if (size_of(a) != size_of(b)) return size_of(a) > size_of(b) ? a : b;
  return DType::fp32;
}

}  // namespace tunefit

// Bytes of stored parameters and optimizer states.
#include "tunefit/storage.h"

#include <numeric>

#include "catch.h"

namespace tunefit::test {
namespace {

std::int64_t state(const Parameter& p, const Recipe& r) {
  const auto s = optimizer_state(p, r);
  return std::accumulate(s.begin(), s.end(), std::int64_t{0});
}

}  // namespace

TEST_CASE("4-bit weights: 4.5 bits a value, 4.126953 with double quantisation, and the code books") {
  Parameter p{"q_proj", ParamKind::linear, 4096, 4096};
  p.quantized = true;
  Recipe r;
  r.quantization = Quantization{Scheme::nf4, false, 64};
  CHECK(weight_storage(p, r).weight == 8'388'608);
  CHECK(weight_storage(p, r).constants == 4 * 262'144 + 64);
  r.quantization->double_quant = true;
  const WeightStorage w = weight_storage(p, r);
  CHECK(double(w.weight + w.constants) * 8 / (4096.0 * 4096) == Approx(4.126953).epsilon(2e-4));
  r.quantization->scheme = Scheme::int8;
  CHECK(weight_storage(p, r).weight + weight_storage(p, r).constants == 4096 * 4096 + 4 * 4096);
}

TEST_CASE("optimizer state follows the parameter's dtype; 8 bit 2.03125 B a value, small tensors in fp32") {
  Parameter p{"q_proj", ParamKind::linear, 4096, 4096};
  p.trainable = true;
  Recipe r;
  const double n = 4096.0 * 4096;
  p.dtype = DType::fp32;
  CHECK(double(state(p, r)) == 8 * n);
  p.dtype = DType::bf16;
  CHECK(double(state(p, r)) == 4 * n);
  r.fp32_master_weights = true;
  CHECK(double(state(p, r)) == 8 * n);
  CHECK(double(master_weight(p, r)) == 4 * n);
  r.fp32_master_weights = false;
  r.optimizer = Optimizer::adamw_8bit;
  CHECK(double(state(p, r)) == 2.03125 * n);
  r.optimizer = Optimizer::paged_adamw_8bit;
  CHECK(state(p, r) == 0);  // managed memory, outside PyTorch's allocator
  Parameter norm{"norm", ParamKind::norm, 1, 4000};
  norm.trainable = true;
  CHECK(state(norm, r) == 8 * 4000);
  r.optimizer = Optimizer::sgd;
  CHECK(state(p, r) == 0);
  r.optimizer = Optimizer::sgd_momentum;
  CHECK(double(state(p, r)) == 2 * n);
}

}  // namespace tunefit::test

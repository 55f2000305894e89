#include "tunefit/passes.h"
#include "tunefit/quantization.h"

namespace tunefit {

void quantize(Block& block, const Recipe& r) {
  if (!r.quantization || r.method == Method::full || r.method == Method::freeze) return;
  const Scheme scheme = r.quantization->scheme;
  for (Op& op : block.ops) {
    if (op.kind != OpKind::linear) continue;
    Parameter& w = block.parameter(op.weight);
    const bool head = w.kind == ParamKind::lm_head;
    if (w.kind == ParamKind::adapter || w.trainable || w.fused || (head && !r.habits.quantizes_lm_head)) continue;
    if (r.habits.quantizes_adapted_only && !is_target(r, w)) continue;
    w.quantized = true, w.scheme = scheme;
    w.restores_absmax = (scheme == Scheme::nf4 || scheme == Scheme::fp4) && r.quantization->double_quant;
    const bool bf16 = r.mixed_precision == MixedPrecision::bf16 || (r.mixed_precision == MixedPrecision::no && r.base_dtype == DType::bf16);
    w.cast_after_dequantizing = r.habits.bnb_quantizes_from_fp16 && bf16;
    op.keeps_input = keeps_input(scheme, r.habits.bnb_keeps_input);
  }
}

void prepare_kbit(Block& block, const Recipe& r) {
  if (!r.kbit_prep || !r.quantization) return;
  // peft/utils/other.py: every fp16 or bf16 parameter that is not quantised; adapters come later.
  for (Parameter& p : block.parameters)
    if (!p.quantized && p.kind != ParamKind::adapter &&
        !(r.habits.kbit_heads_16bit && (p.kind == ParamKind::embedding || p.kind == ParamKind::lm_head)))
      p.dtype = DType::fp32;
}

}  // namespace tunefit

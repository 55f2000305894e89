#include "tunefit/passes.h"

namespace tunefit {

void quantize(Block& block, const Recipe& r) {
  if (!r.quantization || r.method == Method::full) return;
  const bool int8 = r.quantization->scheme == Scheme::int8;
  for (Op& op : block.ops) {
    if (op.kind != OpKind::linear) continue;
    Parameter& w = block.parameter(op.weight);
    const bool head = w.kind == ParamKind::lm_head;
    if (w.kind == ParamKind::adapter || w.trainable || (head && !r.habits.quantizes_lm_head)) continue;
    if (r.habits.quantizes_adapted_only && !is_target(r, w)) continue;
    w.quantized = true;
    w.restores_absmax = !int8 && r.quantization->double_quant;
    op.keeps_input = int8 || r.habits.bnb_keeps_input;  // bitsandbytes autograd/_functions.py: MatMul8bitLt; MatMul4Bit before 0.43.2
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

#include <algorithm>

#include "tunefit/passes.h"

namespace tunefit {

bool is_target(const Recipe& r, const Parameter& p) {
  if (!r.lora || (p.kind != ParamKind::linear && p.kind != ParamKind::lm_head)) return false;
  const auto& targets = r.lora->target_modules;
  return std::any_of(targets.begin(), targets.end(), [&](const std::string& target) {
    if (target == "all-linear") return p.kind == ParamKind::linear;
    if (target == "attention") return p.attention;
    return target == p.module || std::find(p.aliases.begin(), p.aliases.end(), target) != p.aliases.end();
  });
}

void insert_adapters(Block& block, const Recipe& r) {
  if (!r.lora || r.method == Method::full) return;
  const Lora& lora = *r.lora;
  std::vector<Op> ops;
  ops.reserve(block.ops.size() * 2);
  for (const Op& base : block.ops) {
    if (base.kind != OpKind::linear || !is_target(r, block.parameter(base.weight))) {
      ops.push_back(base);
      continue;
    }
    const Parameter weight = block.parameter(base.weight);
    auto emit = [&](OpKind kind, std::initializer_list<int> inputs, std::int64_t numel) -> Op& {
      Op op;
      op.kind = kind;
      for (int t : inputs) op.inputs.push_back(t);
      op.output = block.add_tensor(numel);
      op.rows = base.rows;
      ops.push_back(op);
      return ops.back();
    };
    auto adapter = [&](const char* suffix, std::int64_t in, std::int64_t out) {
      Parameter p{weight.module + suffix, ParamKind::adapter, in, out};
      p.dtype = lora.dtype;
      p.trainable = true;
      return block.add_parameter(p);
    };
    const std::int64_t out_numel = block.at(base.output).numel, in_numel = block.at(base.inputs[0]).numel;
    const bool quantized = r.quantization.has_value();
    const bool autocast = r.mixed_precision != MixedPrecision::no;
    const bool peft = r.habits.adapter_style == AdapterStyle::peft;
    // peft/tuners/lora/layer.py casts x to the adapter's dtype; lora/bnb.py only where autocast is off.
    const bool converts = peft && (!quantized || !autocast);

    Op frozen = base;
    frozen.output = block.add_tensor(out_numel);
    ops.push_back(frozen);
    int result = frozen.output;
    if (peft && quantized && r.habits.lora_result_clone) {  // result.clone() in peft/tuners/lora/bnb.py
      Op& clone = emit(OpKind::copy, {result}, out_numel);
      clone.gradient_passes = true;
      result = clone.output;
    }
    int x = base.inputs[0];
    if (converts) {
      Op& cast = emit(OpKind::cast, {x}, in_numel);
      cast.to = lora.dtype;
      x = cast.output;
    }
    if (lora.dropout > 0) x = emit(OpKind::dropout, {x}, in_numel).output;
    Op& a = emit(OpKind::linear, {x}, base.rows * lora.r);
    a.weight = adapter(".lora_A", weight.in, lora.r);
    const int low = a.output;
    Op& b = emit(OpKind::linear, {low}, out_numel);
    b.weight = adapter(".lora_B", lora.r, weight.out);
    const int scaled = emit(OpKind::scale, {b.output}, out_numel).output;
    if (converts && !autocast) {  // result.to(torch_result_dtype)
      const int sum = emit(OpKind::add, {result, scaled}, out_numel).output;
      Op& back = emit(OpKind::cast, {sum}, out_numel);
      back.to = r.base_dtype;
      back.output = base.output;
    } else {
      emit(OpKind::add, {result, scaled}, out_numel).output = base.output;
    }
  }
  block.ops = std::move(ops);
}

}  // namespace tunefit

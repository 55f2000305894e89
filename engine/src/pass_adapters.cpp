#include <algorithm>
#include <array>
#include <utility>

#include "tunefit/passes.h"

namespace tunefit {
namespace {

// Names of the same module in other model classes (modeling_*.py of transformers; litgpt; Qwen's remote code).
constexpr std::array<std::pair<const char*, const char*>, 23> kAliases{{
    {"query_key_value", "qkv_proj"}, {"c_attn", "qkv_proj"},      {"W_pack", "qkv_proj"},    {"Wqkv", "qkv_proj"},
    {"wqkv", "qkv_proj"},            {"attn", "qkv_proj"},        {"dense", "o_proj"},       {"out_proj", "o_proj"},
    {"c_proj", "o_proj"},            {"c_proj", "down_proj"},     {"wo", "o_proj"},          {"proj", "o_proj"},
    {"fc1", "up_proj"},              {"fc2", "down_proj"},        {"c_fc", "up_proj"},       {"dense_h_to_4h", "up_proj"},
    {"dense_4h_to_h", "down_proj"},  {"w1", "up_proj"},           {"w2", "gate_proj"},       {"w3", "up_proj"},
    {"gate_up", "gate_up_proj"},     {"fc_1", "gate_proj"},       {"fc_2", "up_proj"},
}};

bool names(const std::string& target, const std::string& module) {
  if (target == module) return true;
  if (target == "attention") return module == "q_proj" || module == "k_proj" || module == "v_proj" || module == "o_proj" || module == "qkv_proj";
  return std::any_of(kAliases.begin(), kAliases.end(), [&](const auto& a) { return target == a.first && module == a.second; });
}

}  // namespace

bool is_target(const Recipe& r, const std::string& module) {
  if (!r.lora) return false;
  for (const std::string& target : r.lora->target_modules) {
    if (target == "all-linear" ? module != "lm_head" : names(target, module)) return true;
    // One module for q, k and v by framework habit: adapters of any of the three stand on it.
    if (r.habits.fused_qkv && module == "qkv_proj" && (target == "q_proj" || target == "k_proj" || target == "v_proj")) return true;
    // Qwen's first remote code names its fused attention c_attn; models read as separate q, k, v take it for all three.
    if (target == "c_attn" && (module == "q_proj" || module == "k_proj" || module == "v_proj")) return true;
  }
  return false;
}

void insert_adapters(Block& block, const Recipe& r) {
  if (!r.lora || r.method == Method::full) return;
  const Lora& lora = *r.lora;
  std::vector<Op> ops;
  ops.reserve(block.ops.size() * 2);
  for (const Op& base : block.ops) {
    if (base.kind != OpKind::linear || !is_target(r, block.parameter(base.weight).module)) {
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
    if (peft && quantized && r.habits.lora_result_clone) {                                  // result.clone() in peft/tuners/lora/bnb.py
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
    if (converts && !autocast) {                              // result.to(torch_result_dtype)
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

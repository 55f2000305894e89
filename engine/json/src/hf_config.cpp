#include "hf_config.h"

#include <algorithm>

#include "hf_choose.h"
#include "hf_classes.h"
#include "hf_decoder.h"
#include "hf_fields.h"
#include "hf_generic.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr const char* kLayerKindNames[] = {"full", "full_nope", "sliding", "chunked", "gated_deltanet"};

bool check_checkpoint(Fields& f) {
  if (f.find("quantization_config")) {
    const auto& q = *f.find("quantization_config");
    const auto method = q.is_object() ? q.find("quant_method") : q.end();
    const bool named = q.is_object() && method != q.end() && method->is_string();
    f.warn("quantized_checkpoint", "quantization_config",
           "The checkpoint is quantised" + (named ? " (" + quoted(*method) + ")" : std::string()) + ".",
           "sized as its unquantised base; say in recipe.quantization how the run holds the weights");
  }
  for (const char* name : {"num_nextn_predict_layers", "_num_mtp_layers", "mtp_num_hidden_layers", "num_mtp_modules"})
    if (f.positive(name)) f.warn("left_out", name, "Layers for multi-token prediction are left out, as transformers leaves them out.", "0");
  return f.find("quantization_config") != nullptr;
}

std::string read_dtype(Fields& f, bool nested, bool quantized) {
  const char* field = f.find("torch_dtype") ? "torch_dtype" : "dtype";
  std::string name = f.text(field, "");
  if (name.starts_with("torch.")) name.erase(0, 6);
  if (name == "auto") name.clear();
  for (const auto& [flag, dtype] : {std::pair("bf16", "bfloat16"), std::pair("fp16", "float16"), std::pair("fp32", "float32")})
    if (name.empty() && f.find(flag) && f.boolean(flag, false)) name = dtype;
  for (const char* known : {"bfloat16", "float16", "float32"})
    if (name == known) return name;
  if (name.empty() && nested) return name;
  if (name.empty() && quantized) return "bfloat16";
  if (name.empty())
    f.warn("assumed_default", "torch_dtype", "The dtype of the weights is not stated; taken as float32, as transformers does.",
           "bfloat16, float16 or float32");
  else if (name.starts_with("float8"))
    return f.warn("quantized_checkpoint", field, "The checkpoint is stored in 8-bit floats; sized as its bfloat16 base.", "bfloat16"),
           "bfloat16";
  else
    f.error("wrong_type", field, "The dtype " + quoted(std::string_view(name)) + " is not known.", "bfloat16, float16 or float32");
  return "float32";
}

// The shortest list that repeats to all layers.
json layer_types(const std::vector<LayerKind>& kinds) {
  std::size_t period = 1;
  while (period < kinds.size() && !std::equal(kinds.begin() + static_cast<std::ptrdiff_t>(period), kinds.end(), kinds.begin())) ++period;
  json list = json::array();
  for (std::size_t i = 0; i < std::min(period, kinds.size()); ++i) list.push_back(kLayerKindNames[static_cast<std::size_t>(kinds[i])]);
  return list;
}

json entry_of(const Draft& d, const std::string& name, const std::string& model_type, const std::string& dtype) {
  json e = {{"kind", d.kind},
            {"architectures", json::array({name})},
            {"model_type", model_type},
            {"basis", "config"},
            {"dtype", dtype},
            {"hidden_size", d.hidden},
            {"intermediate_size", d.intermediate},
            {"num_layers", d.layers},
            {"num_attention_heads", d.heads},
            {"num_kv_heads", d.kv_heads},
            {"head_dim", d.head_dim},
            {"vocab_size", d.vocab},
            {"tie_word_embeddings", d.tied},
            {"qk_norm", d.qk_norm},
            {"gated", d.gated},
            {"activation", d.activation},
            {"mlp_bias", d.mlp_bias},
            {"norm_type", d.norm},
            {"norms_per_layer", d.norms},
            {"attention_bias", std::string(d.bias_qkv ? "qkv" : "") + (d.bias_o ? "o" : "") + (d.bias_qkv || d.bias_o ? "" : "none")}};
  if (d.positions > 0) e["max_position_embeddings"] = d.positions;
  if (d.learned_positions > 0) e["learned_positions"] = d.learned_positions;
  if (!d.position.empty()) e["position"] = d.position;
  if (d.lm_head_bias) e["lm_head_bias"] = true;
  if (d.parallel_residual_stated) e["parallel_residual"] = d.parallel_residual;
  const bool plain = std::all_of(d.kinds.begin(), d.kinds.end(), [](LayerKind k) { return k == LayerKind::full; });
  if (!plain) {
    e["layer_types"] = layer_types(d.kinds);
    if (std::find(d.kinds.begin(), d.kinds.end(), LayerKind::sliding) != d.kinds.end()) e["sliding_window"] = d.window;
  }
  e.update(d.members);
  return e;
}

// Which row a nested decoder belongs to: by its own class or model_type, else what the outer class usually has.
const ClassFacts* decoder_of(Fields& f, const NestedFacts& nested) {
  const ClassFacts* facts = nullptr;
  if (const auto* list = f.find("architectures"); list && list->is_array() && !list->empty() && (*list)[0].is_string())
    facts = class_named((*list)[0].get_ref<const std::string&>());
  if (!facts) facts = class_of_model_type(f.text("model_type", ""));
  if (!facts || facts->nested || facts->encoder) facts = class_named(nested.decoder);
  return facts ? facts : &generic_decoder();
}

Fields outer_of(Fields& root, const NestedFacts& nested) {
  const auto* object = nested.outer ? root.object(nested.outer) : nullptr;
  return object ? root.below(nested.outer, *object) : root;
}

// The decoder one level down (older files of some classes have it at the root) and the towers.
void read_nested(Fields& root, const NestedFacts& nested, Draft& d) {
  static const json kEmpty = json::object();
  auto outer = outer_of(root, nested);
  const auto* text = outer.object(nested.field);
  const bool at_root = !text && root.find("hidden_size");
  auto inner = outer.below(nested.field, text ? *text : kEmpty);
  Fields& f = at_root ? root : inner;
  read_decoder(f, *decoder_of(f, nested), !at_root, d);
  const bool tied = d.tied;
  d.tied = root.boolean("tie_word_embeddings", tied) || (nested.either_ties && tied);
  const bool towers = root.name_of({"vision_config", "audio_config", "img_processor"}) != nullptr || nested.tower_by_default;
  if (towers)
    nested.towers(root, f, d);
  else
    root.warn("left_out", "vision_config", "There is no vision_config: the decoder is sized alone.",
              "an object, as transformers writes it");
  d.kind = "vlm";
}

}  // namespace

std::vector<std::string> hf_config_classes() {
  std::vector<std::string> names;
  for (const auto* c : hf_classes()) names.emplace_back(c->name);
  return names;
}

bool entry_from_hf_config(const json& config, json& entry, Findings& findings) {
  if (!config.is_object()) {
    findings.push_back({"error", "wrong_type", "", "The config.json is " + quoted(config) + ".", "an object, as transformers writes it"});
    return false;
  }
  Fields f(config, findings);
  const Chosen chosen = choose_class(f);
  if (!chosen.facts) return false;
  const ClassFacts& facts = *chosen.facts;

  Draft d;
  if (facts.encoder) {
    facts.encoder(f, d);
  } else if (facts.nested) {
    read_nested(f, *facts.nested, d);
  } else {
    read_decoder(f, facts, false, d);
  }
  if (chosen.no_head) d.tied = true;
  bool quantized = check_checkpoint(f);
  std::string dtype;
  if (facts.nested) {
    auto outer = outer_of(f, *facts.nested);
    const auto* inner = outer.find(facts.nested->field);
    if (inner && inner->is_object()) {
      auto text = outer.below(facts.nested->field, *inner);
      quantized = check_checkpoint(text) || quantized;
      dtype = read_dtype(text, true, quantized);
    }
  }
  if (dtype.empty() || f.find("torch_dtype") || f.find("dtype")) dtype = read_dtype(f, false, quantized);
  if (f.failed()) return false;
  entry = entry_of(d, chosen.name.empty() ? facts.name : chosen.name,
                   *facts.model_type ? facts.model_type : f.text("model_type", "unknown"), dtype);
  return true;
}

}  // namespace tunefit::json

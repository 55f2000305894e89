#include "hf_generic.h"

#include <array>
#include <optional>

#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr std::array kTowers{"vision_config", "audio_config", "img_processor", "vision_tower", "audio_tower"};
constexpr std::array kOtherMixers{
    "ssm_cfg",       "state_size",   "ssm_state_size",       "mamba_d_state",           "linear_attn_config", "mamba_d_ssm",
    "block_configs", "conv_L_cache", "linear_num_key_heads", "hybrid_override_pattern", "layers_block_type",  "sparse_attention_config"};

bool has_dimensions(const Fields& f) {
  return f.name_of({"hidden_size", "n_embd", "n_embed", "d_model"}) &&
         f.name_of({"num_hidden_layers", "n_layer", "n_layers", "num_layers"}) && f.name_of({"num_attention_heads", "n_head", "n_heads"}) &&
         f.name_of({"vocab_size", "padded_vocab_size"});
}

bool has_encoder(const Fields& f) {
  for (const char* name : {"is_encoder_decoder", "add_cross_attention"})
    if (const auto* value = f.find(name); value && *value == json(true)) return true;
  return f.name_of({"encoder_layers", "decoder_layers", "encoder_config"}) != nullptr;
}

bool yes(const Fields& f, std::initializer_list<const char*> names) {
  for (const char* name : names)
    if (const auto* value = f.find(name); value && *value == json(true)) return true;
  return false;
}

bool is_latent(const Fields& f) { return f.positive("kv_lora_rank") && f.positive("qk_rope_head_dim"); }

void prepare_generic(Fields& f, Draft& d) {
  if (is_latent(f)) {
    d.heads = d.kv_heads = f.integer("num_attention_heads", kHeads).value_or(0);
    d.head_dim = f.integer("qk_nope_head_dim", {0, 8192}).value_or(0) + f.integer("qk_rope_head_dim", {0, 8192}).value_or(0);
  }
  if (f.name_of({"intermediate_size", "n_inner", "ffn_dim", "ffn_hidden_size"})) return;
  if (const char* width = f.name_of({"moe_intermediate_size", "mlp_hidden_size", "d_ff"})) {
    d.intermediate = same_integer(f, width, kIntermediate).value_or(1);
    return;
  }
  const auto hidden = f.integer({"hidden_size", "n_embd", "n_embed", "d_model"}, kHidden).value_or(0);
  d.intermediate = (8 * hidden / 3 + 255) / 256 * 256;
  if (d.intermediate > 0)
    f.warn("assumed_default", "intermediate_size",
           "The width of the MLP is not stated; taken as 8/3 of the hidden size, " + std::to_string(d.intermediate) + ".",
           "a whole number");
}

void finish_generic(Fields& f, Draft& d) {
  d.bias_qkv = yes(f, {"attention_bias", "qkv_bias", "use_qkv_bias", "add_qkv_bias", "use_bias", "bias"});
  d.bias_o = yes(f, {"attention_bias", "use_bias", "bias"});
  d.mlp_bias = yes(f, {"mlp_bias", "use_bias", "bias"});
  if (yes(f, {"use_qk_norm", "qk_norm", "qk_layernorm"})) d.qk_norm = "per_head";
  if (const auto* act = f.find("hidden_act"); act && act->is_string()) {
    const auto& name = act->get_ref<const std::string&>();
    if (name.starts_with("gelu")) d.activation = "gelu";
    if (name == "relu2") d.activation = "relu_squared", d.gated = false;
  }
  if (is_latent(f)) read_latent(f, d);
}

constexpr ClassFacts kGeneric{
    .name = "", .model_type = "", .activation_field = nullptr, .own_layers = true, .prepare = prepare_generic, .finish = finish_generic};

void no_towers(Fields&, Fields&, Draft&) {}  // told by read_what_is_unexpected

// The nested decoder may be of a known class; kGeneric stands for an unknown one.
constexpr NestedFacts kText{.field = "text_config", .decoder = "", .towers = no_towers};
constexpr NestedFacts kLlm{.field = "llm_config", .decoder = "", .towers = no_towers};
constexpr NestedFacts kLanguage{.field = "language_config", .decoder = "", .towers = no_towers};
constexpr NestedFacts kThinker{.field = "text_config", .outer = "thinker_config", .decoder = "", .towers = no_towers};
constexpr std::array<ClassFacts, 4> kGenericNested{
    ClassFacts{.name = "", .model_type = "", .nested = &kText}, ClassFacts{.name = "", .model_type = "", .nested = &kLlm},
    ClassFacts{.name = "", .model_type = "", .nested = &kLanguage}, ClassFacts{.name = "", .model_type = "", .nested = &kThinker}};

bool has_object(const nlohmann::json& in, const char* name) { return in.is_object() && in.contains(name) && in[name].is_object(); }

const ClassFacts* row_for(const Fields& f) {
  if (has_encoder(f)) return nullptr;
  if (has_dimensions(f)) return &kGeneric;
  for (const auto& row : kGenericNested) {
    const auto* outer = row.nested->outer ? f.find(row.nested->outer) : nullptr;
    const auto* text = row.nested->outer ? nullptr : f.find(row.nested->field);
    if ((text && text->is_object()) || (outer && has_object(*outer, row.nested->field))) return &row;
  }
  return nullptr;
}

}  // namespace

const ClassFacts& generic_decoder() { return kGeneric; }

const ClassFacts* generic_class(Fields& f, const std::string& name, const char* field, const std::string& perhaps) {
  const auto* row = row_for(f);
  if (!row) return nullptr;
  const std::string where = row->nested ? std::string(" in ") + row->nested->field : "";
  f.warn("generic_reading", field,
         quoted(std::string_view(name)) + " is not a known class: read as a decoder like Llama from the dimensions" + where +
             ". The answer is rough.",
         perhaps + "add the safetensors headers: they give the exact count of parameters");
  const auto* outer = row->nested && row->nested->outer ? f.find(row->nested->outer) : nullptr;
  for (const char* tower : kTowers)
    if (f.find(tower) || (outer && has_object(*outer, tower)))
      f.warn("left_out", tower, "The tower that " + std::string(tower) + " describes is left out.", "a known class");
  return row;
}

std::string why_not_generic(const Fields& f) {
  if (has_encoder(f)) return "it has an encoder";
  return "hidden size, layers, heads and vocabulary are not all there";
}

void read_what_is_unexpected(Fields& f, bool unknown_class, Draft& d) {
  if (!d.members.contains("moe") && f.name_of({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"})) {
    using Shared = ExpertFacts::Shared;
    ExpertFacts facts{.width = f.find("moe_intermediate_size") ? "moe_intermediate_size" : "intermediate_size"};
    facts.shared =
        f.name_of({"shared_expert_intermediate_size", "moe_shared_expert_intermediate_size"}) ? Shared::by_width : Shared::by_number;
    if (f.name_of(
            {"num_experts_per_tok", "num_experts_per_token", "experts_per_token", "top_k_experts", "moe_topk", "moe_top_k", "moe_k"}) &&
        read_experts(f, d, facts))
      f.warn("generic_reading", f.name_of({"num_experts", "num_local_experts", "n_routed_experts", "moe_num_experts"}),
             "Experts are read by their usual fields: " + std::to_string(d.members["moe"]["num_experts"].get<std::int64_t>()) +
                 " of width " + std::to_string(d.members["moe"]["moe_intermediate_size"].get<std::int64_t>()) + ".",
             "add the safetensors headers: they give the exact count of parameters");
  }
  if (!unknown_class) return;
  for (const char* name : kOtherMixers)
    if (f.positive(name) || (f.find(name) && f.find(name)->is_structured()))
      return f.warn("left_out", name, std::string(name) + " speaks of layers that are not read; all are taken as full attention.",
                    "a known class");
}

}  // namespace tunefit::json

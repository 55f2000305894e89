#include "model.h"

#include "model_entry.h"

namespace tunefit::json {

namespace {

// The words of an entry that stand for one of a few things. False if a word is not known.
bool read_words(const Entry& e, Architecture& out, std::string& why_not) {
  static const Names<NormKind> kNorms = {{"rmsnorm", NormKind::rmsnorm},
                                         {"layernorm", NormKind::layernorm},
                                         {"layernorm_nobias", NormKind::layernorm_nobias},
                                         {"nonparametric", NormKind::nonparametric}};
  static const Names<DType> kTypes = {{"bfloat16", DType::bf16}, {"float16", DType::fp16}, {"float32", DType::fp32}};
  const auto unknown = [&](const char* what, std::string_view word) {
    why_not = std::string("its ") + what + " (" + std::string(word) + ") is not known to the engine";
    return false;
  };
  if (!choose(kNorms, e.text("norm_type", "rmsnorm"), out.norm)) return unknown("norm", e.text("norm_type"));
  if (!choose(kTypes, e.text("dtype", "bfloat16"), out.checkpoint_dtype)) return unknown("weight type", e.text("dtype"));
  return true;
}

void read_module_names(const Entry& e, ModuleNames& out) {
  const Json* names = e.find("modules");
  if (!names) return;
  const auto read = [&](const char* role, std::string& to) {
    if (const Json* name = member(*names, role)) to = text_of(*name);
  };
  read("qkv", out.qkv), read("q", out.q), read("k", out.k), read("v", out.v), read("o", out.o);
  read("gate_up", out.gate_up), read("gate", out.gate), read("up", out.up), read("down", out.down);
  read("router", out.router), read("expert_gate", out.expert_gate), read("expert_up", out.expert_up), read("expert_down", out.expert_down);
}

}  // namespace

std::int64_t extra_parameters(const Entry& e) {
  std::int64_t n = 0;
  const Json* extra = e.find("extra_params");
  if (!extra || !extra->is_array()) return 0;
  for (const Json& part : *extra) {
    std::int64_t count = 0;
    const Json* stated = part.is_object() ? member(part, "count") : nullptr;
    if (stated && whole_number(*stated, count) && within(count, kMostParameters)) n = std::min(n + count, kMostParameters);
  }
  return n;
}

bool read_architecture(const Json& entry, Architecture& out, std::string& why_not) {
  out = {};
  if (!entry.is_object()) {
    why_not = "its entry is no object";
    return false;
  }
  const Entry e(entry);
  out.id = e.text("id");
  out.hf_id = e.text("hf_id");
  out.model_type = e.text("model_type");
  out.hidden = e.integer("hidden_size");
  out.vocab = e.integer("vocab_size");
  if (!within(out.hidden, kWidest) || !within(out.vocab, kLargestVocabulary) || !within(e.integer("num_layers"), kMostLayers) ||
      e.integer("lm_head_vocab_size") < 0 || e.integer("lm_head_vocab_size") > kLargestVocabulary) {
    why_not = "a dimension is missing or beyond all measure (hidden_size, num_layers, vocab_size)";
    return false;
  }
  out.max_position_embeddings = e.integer("max_position_embeddings");
  out.learned_positions = std::clamp<std::int64_t>(e.integer("learned_positions"), 0, kLargestVocabulary);
  out.norm_scales_in_fp32 = e.flag("norm_scales_in_fp32", false);
  out.embedding_norm = e.has("embedding_norm");
  out.final_norm = e.flag("final_norm", true);
  out.tied = e.flag("tie_word_embeddings", false);
  out.lm_head_bias = e.flag("lm_head_bias", false);
  if (const std::int64_t rows = e.integer("lm_head_vocab_size"); rows != out.vocab) out.head_vocab = rows;
  if (!read_words(e, out, why_not)) return false;
  if (out.embedding_norm && e.text("embedding_norm") != e.text("norm_type", "rmsnorm")) {
    why_not = "the norm after its embedding is of another kind than the others";
    return false;
  }
  read_module_names(e, out.modules);
  out.other = extra_parameters(e);
  if (e.has("encoder_type")) return read_encoder(e, out, why_not);
  return read_layers(e, out, why_not) && read_tower(e, out, why_not);
}

}  // namespace tunefit::json

// Entries that the importer makes of real config.json files, member by member against the catalogue's own entries.
#include <set>
#include <vector>

#include "hf_files.h"
#include "schema.h"

using namespace tunefit;
using namespace tunefit::json;

namespace {

// Members whose values decide shapes; the rest is words, dates and dtypes.
const std::vector<const char*> kMembers = {"encoder_type",
                                           "hidden_size",
                                           "intermediate_size",
                                           "num_layers",
                                           "num_decoder_layers",
                                           "num_attention_heads",
                                           "num_kv_heads",
                                           "head_dim",
                                           "vocab_size",
                                           "tie_word_embeddings",
                                           "lm_head_bias",
                                           "embedding_norm",
                                           "learned_positions",
                                           "position_rows",
                                           "type_vocab_size",
                                           "pooler",
                                           "rel_buckets",
                                           "rel_rows",
                                           "num_mel_bins",
                                           "decoder_positions",
                                           "attention_bias",
                                           "attention_output_gate",
                                           "attention_sinks",
                                           "qk_norm",
                                           "sliding_window",
                                           "layer_types",
                                           "gated",
                                           "activation",
                                           "mlp_bias",
                                           "norm_type",
                                           "norms_per_layer",
                                           "moe",
                                           "mla",
                                           "indexer",
                                           "ssm",
                                           "linear_attention",
                                           "vision",
                                           "audio",
                                           "q_lora_rank",
                                           "o_lora_rank",
                                           "o_groups"};

// Groups of layers, whatever their order: equal ones added up, descriptions left out.
Json groups(const Json& entry, const char* member) {
  std::map<std::string, std::int64_t> layers;
  if (const auto list = entry.find(member); list != entry.end() && list->is_array())
    for (auto group : *list) {
      const auto n = count_at(group, "layers");
      group.erase("layers"), group.erase("formula");
      layers[group.dump()] += n;
    }
  return layers;
}

std::int64_t extra(const Json& entry) {
  std::int64_t sum = 0;
  if (const auto list = entry.find("extra_params"); list != entry.end())
    for (const auto& part : *list) sum += count_at(part, "count");
  return sum;
}

// The value, or the schema's default: the compiled-in catalogue leaves defaults out.
Json value(const Json& entry, const char* member) {
  static const Json kDefaults = {{"attention_bias", "none"}, {"qk_norm", "none"},      {"gated", true},
                                 {"activation", "silu"},     {"norm_type", "rmsnorm"}, {"norms_per_layer", 2}};
  const auto it = entry.find(member);
  if (it == entry.end() || it->is_null()) return kDefaults.value(member, Json());
  Json v = *it;
  if (v == Json(false) && !kDefaults.contains(member)) return {};
  if (v.is_object()) v.erase("image_size");
  return v;
}

}  // namespace

TEST_CASE("config.json gives the members that the catalogue has") {
  // What the catalogue's entry leaves out or has otherwise.
  const std::map<std::string, std::set<std::string>> kOther = {
      {"microsoft/Phi-3.5-MoE-instruct", {"sliding_window", "layer_types"}},  // a window as long as the context
      {"microsoft/Phi-3.5-mini-instruct", {"sliding_window", "layer_types"}},
      {"google/paligemma2-3b-mix-224", {"sliding_window", "layer_types"}},  // Gemma 2's windows
      {"MiniMaxAI/MiniMax-M3", {"activation"}},                             // swigluoai
      {"XiaomiMiMo/MiMo-7B-Base", {"extra_params"}},                        // its multi-token-prediction layer
  };
  Catalogue catalogue;
  int compared = 0;
  std::set<std::string> classes;
  for (const auto& [id, config] : configs("")) {
    CAPTURE(id);
    REQUIRE(config.is_object());
    CHECK_FALSE(text_at(config, "_source", "").empty());
    const auto r = read_config(config);
    for (const auto& f : r.findings) UNSCOPED_INFO(f.pointer << " " << f.message);
    REQUIRE(r.ok);
    const auto* known = catalogue.find_model(id);
    if (!known) continue;
    const auto it = kOther.find(id);
    const auto skipped = [&](const char* name) { return it != kOther.end() && it->second.count(name) > 0; };
    for (const char* name : kMembers) {
      CAPTURE(name);
      if (!skipped(name)) CHECK(value(r.entry, name) == value(*known, name));
    }
    CHECK(groups(r.entry, "attention_groups") == groups(*known, "attention_groups"));
    CHECK(groups(r.entry, "mlp_groups") == groups(*known, "mlp_groups"));
    if (!skipped("extra_params")) CHECK(extra(r.entry) == extra(*known));
    ++compared;
    classes.insert(config["architectures"][0].get<std::string>());
  }
  CHECK(compared >= 150);
  CHECK(classes.size() >= 95);
}

TEST_CASE("more than forty classes are read without a finding") {
  std::set<std::string> classes;
  for (const auto& [id, config] : configs(""))
    if (const auto r = read_config(config); r.ok && r.findings.empty()) classes.insert(config["architectures"][0].get<std::string>());
  CHECK(classes.size() >= 60);
}

TEST_CASE("an entry that the importer makes is in the shape of the catalogue's schema") {
  const Json* overlay = schema_at(request_schema(), "/catalogue_overlay");
  REQUIRE(overlay);
  Catalogue catalogue;
  for (const auto& [id, config] : configs("")) {
    CAPTURE(id);
    auto entry = read_config(config).entry;
    entry["id"] = "own-" + std::to_string(entry.dump().size());
    Findings findings;
    Catalogue own;
    own.apply_overlay({{"models", Json::array({entry})}}, findings);
    for (const auto& f : findings) UNSCOPED_INFO(f.pointer << " " << f.message);
    CHECK(findings.empty());
  }
}

TEST_CASE("a nested decoder: the root's value wins, and sparse files take the defaults of their class") {
  const auto all = configs("");
  auto llava = all.at("llava-hf/llava-1.5-7b-hf");
  const auto r = read_config(llava);
  REQUIRE(r.ok);
  CHECK(r.entry["hidden_size"] == 4096);  // text_config says only vocab_size and model_type
  CHECK(r.entry["num_layers"] == 32);
  CHECK(r.entry["dtype"] == "float16");
  llava["text_config"]["tie_word_embeddings"] = true;
  CHECK(read_config(llava).entry["tie_word_embeddings"] == true);  // LLaVA is tied if either says so
  auto qwen = all.at("Qwen/Qwen3-VL-8B-Instruct");
  qwen["tie_word_embeddings"] = true;
  CHECK(read_config(qwen).entry["tie_word_embeddings"] == true);
  qwen["tie_word_embeddings"] = false, qwen["text_config"]["tie_word_embeddings"] = true;
  CHECK(read_config(qwen).entry["tie_word_embeddings"] == false);
  // Older files of Qwen2.5-VL have the decoder at the root, newer ones in text_config.
  auto older = all.at("Qwen/Qwen2.5-VL-7B-Instruct"), newer = older;
  for (const char* field : {"hidden_size", "intermediate_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads",
                            "vocab_size", "max_position_embeddings"})
    newer["text_config"][field] = older[field], newer.erase(field);
  newer["text_config"]["model_type"] = "qwen2_5_vl_text";
  CHECK(read_config(newer).entry == read_config(older).entry);
  auto alone = all.at("google/gemma-3-4b-it");
  alone.erase("vision_config");
  const auto decoder = read_config(alone);
  REQUIRE(decoder.ok);
  CHECK_FALSE(decoder.entry.contains("vision"));
  REQUIRE(finding(decoder, "/vision_config"));
  CHECK(finding(decoder, "/vision_config")->severity == "warning");
}

TEST_CASE("an unknown class is read roughly and says so") {
  const auto rough = configs("rough");
  REQUIRE(rough.size() >= 2);
  for (const auto& [id, config] : rough) {
    CAPTURE(id);
    const auto r = read_config(config);
    for (const auto& f : r.findings) UNSCOPED_INFO(f.pointer << " " << f.message);
    CHECK(r.ok);
    CHECK(std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.code == "generic_reading"; }));
  }
  CHECK(read_config(rough.at("openbmb/MiniCPM-MoE-8x2B")).entry["moe"]["num_experts"] == 8);
  const auto k3 = read_config(rough.at("moonshotai/Kimi-K3"));  // a known decoder in an unknown class
  CHECK(k3.entry["architectures"][0] == "KimiK3ForConditionalGeneration");
  CHECK(k3.entry["mla"]["kv_lora_rank"] == 512);
  CHECK(finding(k3, "/vision_config"));

  auto own = with(llama(), "architectures", Json::array({"OurOwnForCausalLM"}));
  own["model_type"] = "ours";
  const auto r = import_config(own);
  REQUIRE(r.ok);
  CHECK(parameter_count(r.architecture) == parameter_count(import_config(llama()).architecture));
  REQUIRE(finding(r, "/architectures"));
  CHECK(finding(r, "/architectures")->code == "generic_reading");
  own.erase("intermediate_size");
  const auto wide = read_config(own);
  CHECK(wide.entry["intermediate_size"] == 11008);
  CHECK(finding(wide, "/intermediate_size"));
  for (const char* field : {"hidden_size", "num_hidden_layers", "num_attention_heads", "vocab_size"}) {
    auto less = own;
    less.erase(field);
    const auto refused = read_config(less);
    CHECK_FALSE(refused.ok);
    REQUIRE(refused.findings.size() == 1);
    CHECK(refused.findings[0].code == "unsupported_class");
    CHECK(refused.findings[0].hint.find("LlamaForCausalLM") != std::string::npos);
  }
  CHECK_FALSE(read_config(with(own, "is_encoder_decoder", true)).ok);
  // Wherever the decoder stands; a known one keeps its class.
  auto decoder = llama();
  for (const char* field : {"text_config", "llm_config", "language_config"}) {
    const auto nested =
        read_config({{"architectures", {"OurVLForConditionalGeneration"}}, {field, decoder}, {"vision_config", Json::object()}});
    REQUIRE(nested.ok);
    CHECK(nested.entry["hidden_size"] == 4096);
    CHECK(nested.entry["dtype"] == "bfloat16");
  }
  decoder["architectures"] = Json::array({"Qwen3ForCausalLM"});
  const auto omni =
      read_config({{"architectures", {"OurOmniModel"}}, {"thinker_config", {{"text_config", decoder}, {"audio_config", Json::object()}}}});
  REQUIRE(omni.ok);
  CHECK(omni.entry["qk_norm"] == "per_head");
  // A slip of a known name is read roughly too, and told.
  const auto slip = read_config(with(llama(), "architectures", Json::array({"LlamaForCasualLM"})));
  REQUIRE(slip.ok);
  CHECK(finding(slip, "/architectures")->hint.find("perhaps LlamaForCausalLM") != std::string::npos);
}

TEST_CASE("a model with another head is sized as its body") {
  const auto bert = configs("").at("google-bert/bert-large-uncased");
  const auto masked = read_config(with(bert, "architectures", Json::array({"BertForMaskedLM"})));
  REQUIRE(masked.ok);
  CHECK(masked.entry["architectures"][0] == "BertModel");
  CHECK(finding(masked, "/architectures")->code == "no_lm_head");
  const auto judge = read_config(with(llama(), "architectures", Json::array({"LlamaForSequenceClassification"})));
  REQUIRE(judge.ok);
  CHECK(judge.entry["tie_word_embeddings"] == true);
}

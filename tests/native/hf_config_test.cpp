// The importer of config.json: real files of public models against their published counts, every dense entry of the catalogue
// there and back, what must be refused, and broken files.
#include "hf_config.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "catalogue.h"
#include "catch.h"
#include "model.h"
#include "tunefit/architecture.h"

using namespace tunefit;
using namespace tunefit::json;

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// tests/native/configs/OWNER--NAME.json of a folder, by Hugging Face id.
std::map<std::string, Json> configs(const std::string& folder) {
  std::map<std::string, Json> found;
  for (const auto& file : fs::directory_iterator(fs::path(__FILE__).parent_path() / "configs" / folder)) {
    if (file.path().extension() != ".json") continue;
    std::ifstream in(file.path());
    const std::string text((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    std::string id = file.path().stem().string();
    id.replace(id.find("--"), 2, "/");
    found[id] = Json::parse(text, nullptr, false);
  }
  return found;
}

struct Imported {
  bool ok = false;
  Json entry;
  Findings findings;
  Architecture architecture;
};

Imported import_config(const Json& config) {
  Imported r;
  r.ok = entry_from_hf_config(config, r.entry, r.findings);
  std::string why_not;
  if (r.ok) {
    const bool readable = read_architecture(r.entry, r.architecture, why_not);
    CAPTURE(config.dump(-1, ' ', false, Json::error_handler_t::replace), r.entry.dump(), why_not);
    REQUIRE(readable);
  }
  return r;
}

const Finding* finding(const Imported& r, std::string_view pointer) {
  const auto it = std::find_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.pointer == pointer; });
  return it == r.findings.end() ? nullptr : &*it;
}

Json llama() {
  return Json::parse(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16"})",
                     nullptr, false);
}

Json with(Json config, const char* field, Json value) {
  config[field] = std::move(value);
  return config;
}

std::string text_at(const Json& entry, const char* field, const std::string& if_absent) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_string() ? it->get<std::string>() : if_absent;
}

std::int64_t count_at(const Json& entry, const char* field) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_number_integer() ? it->get<std::int64_t>() : 0;
}

bool yes_at(const Json& entry, const char* field, bool if_absent) {
  const auto it = entry.find(field);
  return it != entry.end() && it->is_boolean() ? it->get<bool>() : if_absent;
}

// A config.json as the class of a catalogue entry would write it.
Json config_of(const Json& e) {
  const std::string type = text_at(e, "model_type", "");
  const bool gpt = type == "gpt2" || type == "gpt_bigcode" || type == "gptj", mpt = type == "mpt", glm = type == "chatglm";
  const auto kv = count_at(e, "num_kv_heads"), heads = count_at(e, "num_attention_heads"), layers = count_at(e, "num_layers");
  const std::string bias = text_at(e, "attention_bias", "none"), activation = text_at(e, "activation", "silu");
  const bool has_bias = bias.find('q') != std::string::npos;
  Json c = {{"architectures", e["architectures"]}, {"model_type", type}, {"torch_dtype", text_at(e, "dtype", "bfloat16")}};
  c[gpt ? "n_embd" : mpt ? "d_model" : "hidden_size"] = e["hidden_size"];
  c[gpt || type == "bloom" ? "n_layer" : mpt ? "n_layers" : glm || type == "exaone" ? "num_layers" : "num_hidden_layers"] = layers;
  c[gpt ? "n_head" : mpt ? "n_heads" : "num_attention_heads"] = heads;
  const bool alibi = text_at(e, "position", "rope") == "alibi";
  c[gpt                           ? "n_positions"
    : mpt                         ? "max_seq_len"
    : glm                         ? "seq_length"
    : type == "baichuan" && alibi ? "model_max_length"
                                  : "max_position_embeddings"] = e["max_position_embeddings"];
  c[glm ? "padded_vocab_size" : "vocab_size"] = e["vocab_size"];
  c["tie_word_embeddings"] = e["tie_word_embeddings"];
  if (type != "bloom" && !mpt)
    c[gpt                          ? "n_inner"
      : type == "opt"              ? "ffn_dim"
      : glm || type == "falcon"    ? "ffn_hidden_size"
      : type == "granitemoehybrid" ? "shared_intermediate_size"
                                   : "intermediate_size"] = e["intermediate_size"];
  if (glm)
    c["multi_query_attention"] = true, c["multi_query_group_num"] = kv, c["kv_channels"] = e["head_dim"];
  else if (type == "falcon")
    c["new_decoder_architecture"] = kv > 1, c["multi_query"] = true, c["num_kv_heads"] = kv;
  else if (type == "gpt_bigcode")
    c["multi_query"] = kv == 1;
  else if (!gpt && !mpt && type != "gpt_neox" && type != "bloom" && type != "opt")
    c["num_key_value_heads"] = kv;
  if (count_at(e, "head_dim") * heads != count_at(e, "hidden_size") || type.starts_with("gemma")) c["head_dim"] = e["head_dim"];
  for (const char* flag : {"attention_bias", "use_qkv_bias", "use_bias", "bias", "qkv_bias", "add_qkv_bias"}) c[flag] = has_bias;
  c["attention_out_bias"] = bias.find('o') != std::string::npos && bias != "none";
  c["mlp_bias"] = yes_at(e, "mlp_bias", false);
  c["use_qk_norm"] = text_at(e, "qk_norm", "none") != "none";
  for (const char* field : {"hidden_act", "activation_function", "hidden_activation"})
    c[field] = activation == "relu_squared" ? "relu2" : activation == "gelu" ? "gelu_pytorch_tanh" : activation;
  c["sliding_window"] = e.contains("layer_types") && e.contains("sliding_window") ? e["sliding_window"] : Json();
  if (const auto order = e.find("layer_types"); order != e.end() && type != "smollm3")
    for (std::int64_t i = 0; i < layers; ++i)
      c["layer_types"].push_back((*order)[static_cast<std::size_t>(i) % order->size()] == Json("sliding") ? "sliding_attention"
                                                                                                          : "full_attention");
  if (type == "granitemoehybrid") {
    c["layer_types"] = Json(static_cast<std::size_t>(layers), Json("attention"));
    c["position_embedding_type"] = "rope", c["num_local_experts"] = 0;
  }
  return c;
}

}  // namespace

TEST_CASE("config.json of public models gives the published parameter count") {
  // Where the published number is not the model's own: rotary buffers counted (64 a layer), a rounded name, or from memory.
  const std::map<std::string, std::int64_t> kOff = {
      {"meta-llama/Llama-2-7b-hf", 2048}, {"OrionStarAI/Orion-14B-Base", 1296640}, {"Qwen/Qwen3-Embedding-4B", 225664}};
  Catalogue catalogue;
  int compared = 0;
  for (const auto& [id, config] : configs("")) {
    CAPTURE(id);
    REQUIRE(config.is_object());
    const auto r = import_config(config);
    for (const auto& f : r.findings) UNSCOPED_INFO(f.pointer << " " << f.message);
    REQUIRE(r.ok);
    const auto* known = catalogue.find_model(id);
    if (!known) continue;
    const auto off = kOff.find(id);
    CHECK(parameter_count(r.architecture) == count_at(*known, "params_total") - (off == kOff.end() ? 0 : off->second));
    ++compared;
  }
  CHECK(compared >= 55);
}

TEST_CASE("config.json counts that are known elsewhere") {
  const auto all = configs("");
  const auto count = [&](const char* id) { return parameter_count(import_config(all.at(id)).architecture); };
  // Hub counts, facts list section 7; Qwen-1.8B from its shapes (the same as Qwen1.5-1.8B).
  CHECK(count("meta-llama/Llama-3.1-8B") == 8030261248);
  CHECK(count("meta-llama/Llama-3.2-1B") == 1235814400);
  CHECK(count("Qwen/Qwen2.5-7B-Instruct") == 7615616512);
  CHECK(count("Qwen/Qwen3-8B") == 8190735360);
  CHECK(count("google/gemma-2-9b") == 9241705984);
  CHECK(count("mistralai/Mistral-7B-Instruct-v0.3") == 7248023552);
  CHECK(count("microsoft/Phi-3-mini-4k-instruct") == 3821079552);
  CHECK(count("HuggingFaceTB/SmolLM2-135M") == 134515008);
  CHECK(count("Qwen/Qwen-1_8B") == 1836828672);
}

TEST_CASE("every dense entry of the catalogue survives a config.json of its dimensions") {
  // Classes with parts the engine has no block for yet.
  const std::set<std::string> kRefused = {"MiMoForCausalLM", "ApertusForCausalLM", "BitNetForCausalLM", "MiniCPM3ForCausalLM",
                                          "DeciLMForCausalLM"};
  Catalogue catalogue;
  int compared = 0;
  for (const Json* e : catalogue.all(Kind::models)) {
    if (text_at(*e, "kind", "") != "dense") continue;
    CAPTURE(text_at(*e, "hf_id", ""));
    const auto r = import_config(config_of(*e));
    if (kRefused.count((*e)["architectures"][0].get<std::string>())) {
      CHECK_FALSE(r.ok);
      REQUIRE_FALSE(r.findings.empty());
      CHECK(r.findings[0].code == "unsupported_class");
      continue;
    }
    for (const auto& f : r.findings) UNSCOPED_INFO(f.pointer << " " << f.message);
    REQUIRE(r.ok);
    Architecture known;
    std::string why_not;
    REQUIRE(read_architecture(*e, known, why_not));
    CHECK(parameter_count(r.architecture) == parameter_count(known));
    CHECK(r.architecture.tied == known.tied);
    CHECK(r.architecture.learned_positions == known.learned_positions);
    CHECK(r.architecture.kinds == known.kinds);
    CHECK(r.architecture.layers == known.layers);
    ++compared;
  }
  CHECK(compared >= 280);
}

TEST_CASE("what cannot be read yet is named with the classes that can") {
  const auto all = configs("refused");
  REQUIRE(all.size() >= 8);
  for (const auto& [id, config] : all) {
    CAPTURE(id);
    const auto r = import_config(config);
    CHECK_FALSE(r.ok);
    REQUIRE(r.findings.size() == 1);
    CHECK(r.findings[0].code == "unsupported_class");
    CHECK(r.findings[0].message.find(config["architectures"][0].get<std::string>()) != std::string::npos);
    CHECK(r.findings[0].hint.find("LlamaForCausalLM") != std::string::npos);
  }
  const auto says = [&](const char* id, const char* words) {
    return import_config(all.at(id)).findings[0].message.find(words) != std::string::npos;
  };
  CHECK(says("mistralai/Mixtral-8x7B-v0.1", "mixture of experts"));
  CHECK(says("openbmb/MiniCPM-MoE-8x2B", "mixture of experts"));
  CHECK(says("llava-hf/llava-1.5-7b-hf", "multimodal"));
  CHECK(says("deepseek-ai/DeepSeek-V2-Lite", "mixture of experts"));
  CHECK(import_config(all.at("llava-hf/llava-1.5-7b-hf")).findings[0].hint.find("text_config") != std::string::npos);
}

TEST_CASE("all that is wrong in a config.json is told at once, each with its field") {
  const auto bad = Json::parse(R"({"architectures": ["Qwen2ForCausalLM"], "hidden_size": "4096", "num_hidden_layers": [32],
    "num_attention_heads": 0, "num_key_value_heads": -8, "vocab_size": 1e308, "tie_word_embeddings": "yes", "hidden_act": 3,
    "torch_dtype": "bfloat16"})",
                               nullptr, false);
  const auto r = import_config(bad);
  CHECK_FALSE(r.ok);
  for (const char* field : {"hidden_size", "num_hidden_layers", "num_attention_heads", "num_key_value_heads", "vocab_size",
                            "tie_word_embeddings", "hidden_act", "intermediate_size"}) {
    CAPTURE(field);
    const auto* f = finding(r, std::string("/") + field);
    REQUIRE(f);
    CHECK(f->severity == "error");
    CHECK_FALSE(f->hint.empty());
    CHECK(f->message.find(field) != std::string::npos);
  }
}

TEST_CASE("dimensions of a config.json that contradict each other") {
  CHECK(finding(import_config(with(llama(), "num_attention_heads", 31)), "/num_attention_heads"));
  CHECK(finding(import_config(with(llama(), "num_key_value_heads", 7)), "/num_key_value_heads"));
  CHECK(finding(import_config(with(llama(), "hidden_size", 1 << 21)), "/hidden_size"));
  CHECK(finding(import_config(with(llama(), "layer_types", Json::array({"full_attention"}))), "/layer_types"));
  CHECK(finding(import_config(with(llama(), "layer_types", Json(32, Json("mamba")))), "/layer_types/0"));
  CHECK(finding(import_config(with(llama(), "architectures", "LlamaForCausalLM")), "/architectures"));
  CHECK(finding(import_config(Json(3)), ""));
  CHECK(import_config(with(with(llama(), "num_attention_heads", 30), "head_dim", 128)).findings.size() == 1);  // 30 heads, 8 kv heads
}

TEST_CASE("absent fields take the default of their class") {
  auto qwen3 = with(llama(), "architectures", Json::array({"Qwen3ForCausalLM"}));
  CHECK(import_config(qwen3).entry["head_dim"] == 128);
  auto gemma = with(llama(), "architectures", Json::array({"Gemma2ForCausalLM"}));
  const auto g = import_config(gemma);
  REQUIRE(g.ok);
  CHECK(g.entry["head_dim"] == 256);
  CHECK(g.entry["tie_word_embeddings"] == true);
  CHECK(g.entry["activation"] == "gelu");
  CHECK(g.entry["layer_types"] == Json::array({"sliding", "full"}));
  CHECK(g.entry["sliding_window"] == 4096);
  auto mha = llama();
  mha.erase("num_key_value_heads");
  CHECK(import_config(mha).entry["num_kv_heads"] == 32);
  CHECK(import_config(with(with(llama(), "architectures", Json::array({"MistralForCausalLM"})), "num_key_value_heads", Json()))
            .entry["num_kv_heads"] == 32);
  auto mistral = with(mha, "architectures", Json::array({"MistralForCausalLM"}));
  CHECK(import_config(mistral).entry["num_kv_heads"] == 8);
  CHECK(import_config(mistral).entry["sliding_window"] == 4096);
  CHECK_FALSE(import_config(with(mistral, "sliding_window", Json())).entry.contains("sliding_window"));
  auto qwen2 = with(llama(), "architectures", Json::array({"Qwen2ForCausalLM"}));
  CHECK(import_config(qwen2).entry["attention_bias"] == "qkv");
  CHECK_FALSE(import_config(with(qwen2, "sliding_window", 4096)).entry.contains("sliding_window"));
  qwen2["use_sliding_window"] = true, qwen2["max_window_layers"] = 30, qwen2["sliding_window"] = 1024;
  const auto q = import_config(qwen2);
  CHECK(std::count_if(q.architecture.layers.begin(), q.architecture.layers.end(),
                      [&](auto k) { return q.architecture.kinds[k].attention.window == 1024; }) == 2);
}

TEST_CASE("full layers of EXAONE 4 have no rotary positions where others have a window") {
  auto c = with(llama(), "architectures", Json::array({"Exaone4ForCausalLM"}));
  CHECK(import_config(c).entry["layer_types"] == Json::array({"sliding", "sliding", "sliding", "full_nope"}));
  CHECK(import_config(with(c, "sliding_window_pattern", 2)).entry["layer_types"] == Json::array({"sliding", "full_nope"}));
  CHECK(finding(import_config(with(c, "sliding_window_pattern", "LG")), "/sliding_window_pattern"));
  c["sliding_window"] = Json(), c["layer_types"] = Json(32, Json("full_attention"));
  CHECK_FALSE(import_config(c).entry.contains("layer_types"));
}

TEST_CASE("what a config.json leaves in doubt is a warning, not an error") {
  auto no_class = llama();
  no_class.erase("architectures"), no_class.erase("torch_dtype");
  const auto r = import_config(no_class);
  CHECK(r.ok);
  CHECK(finding(r, "/architectures")->severity == "warning");
  CHECK(r.entry["dtype"] == "float32");
  const auto quantised = import_config(with(llama(), "quantization_config", Json{{"quant_method", "gptq"}, {"bits", 4}}));
  CHECK(quantised.ok);
  REQUIRE(finding(quantised, "/quantization_config"));
  CHECK(finding(quantised, "/quantization_config")->message.find("gptq") != std::string::npos);
  CHECK(import_config(with(llama(), "auto_map", Json{{"AutoModel", "evil--code.Run"}})).findings.empty());
  CHECK(import_config(with(llama(), "architectures", Json::array({"LlamaModel"}))).entry["tie_word_embeddings"] == true);
}

TEST_CASE("a broken config.json gives an entry or findings, never neither") {
  const std::vector<Json> kNasty = {Json(),
                                    true,
                                    -1,
                                    0,
                                    1,
                                    7,
                                    1 << 30,
                                    INT64_MIN,
                                    UINT64_MAX,
                                    0.5,
                                    1e308,
                                    "4096",
                                    "",
                                    "\xff\xfe broken utf-8",
                                    std::string(100000, 'x'),
                                    Json::array(),
                                    Json::array({1, "a", Json()}),
                                    Json::object(),
                                    Json{{"a", Json{{"b", 1}}}}};
  std::uint64_t state = 1;
  const auto next = [&](std::size_t below) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state >> 33) % below;
  };
  for (const auto& [id, original] : configs("")) {
    std::vector<std::string> fields;
    for (const auto& [key, value] : original.items()) fields.push_back(key);
    for (int round = 0; round < 60; ++round) {
      auto config = original;
      for (std::size_t n = next(3) + 1; n > 0; --n) {
        const auto& field = fields[next(fields.size())];
        if (next(3) == 0)
          config.erase(field);
        else
          config[field] = kNasty[next(kNasty.size())];
      }
      const auto classes = hf_config_classes();
      if (next(4) == 0) config["architectures"] = Json::array({classes[next(classes.size())]});
      const auto r = import_config(config);
      const bool errors = std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.severity == "error"; });
      if (r.ok == errors) FAIL(id << " " << config.dump(-1, ' ', false, Json::error_handler_t::replace));
      if (r.ok && parameter_count(r.architecture) <= 0) FAIL(id << " has no parameters");
      for (const auto& f : r.findings)
        if (f.code.empty() || f.message.empty() || f.hint.empty() || f.message.size() > 400)
          FAIL(id << " " << f.pointer << " " << f.message);
    }
  }
}

// The importer of config.json: real files of public models against their published counts, every dense entry of the catalogue
// there and back, defaults and contradictions. Families: hf_families_test.cpp; broken files: hf_broken_test.cpp.
#include <set>
#include <vector>

#include "hf_files.h"

using namespace tunefit;
using namespace tunefit::json;

namespace {

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
                                   : "intermediate_size"] =
        type == "qwen" ? Json(2 * count_at(e, "intermediate_size")) : e["intermediate_size"];
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
  // Where the published number is not the model's own.
  const std::map<std::string, std::int64_t> kOff = {// Rotary buffers counted (64 a layer), and BERT's position numbers.
                                                    {"meta-llama/Llama-2-7b-hf", 2048},
                                                    {"BAAI/bge-small-en-v1.5", 512},
                                                    // Rounded names.
                                                    {"OrionStarAI/Orion-14B-Base", 1296640},
                                                    {"Qwen/Qwen3-Embedding-4B", 225664},
                                                    {"meta-llama/Llama-3.2-90B-Vision-Instruct", 6644677},
                                                    {"microsoft/bitnet-b1.58-2B-4T", -2820480},
                                                    {"openbmb/MiniCPM3-4B", -3875968},
                                                    {"mistralai/Voxtral-Mini-3B-2507", -271104},
                                                    {"moonshotai/Kimi-K2.5", 3120623632},
                                                    {"nvidia/Nemotron-H-56B-Base-8K", -324350464},
                                                    {"nvidia/NVIDIA-Nemotron-3-Ultra-550B-A55B-BF16", 691006464},
                                                    {"zai-org/GLM-5.2", 622980096},
                                                    // Scales of 8-bit blocks counted, and the correction bias not.
                                                    {"MiniMaxAI/MiniMax-M2.5", 13880064},
                                                    {"moonshotai/Kimi-K2-Instruct", 62498608},
                                                    {"XiaomiMiMo/MiMo-V2-Flash", 1006537536},
                                                    {"moonshotai/Moonlight-16B-A3B", 1728},
                                                    {"moonshotai/Kimi-VL-A3B-Instruct", 1728},
                                                    {"LiquidAI/LFM2-8B-A1B", -704},
                                                    {"nvidia/NVIDIA-Nemotron-3-Nano-30B-A3B-BF16", -2944},
                                                    // layer_scalar, a buffer.
                                                    {"google/gemma-4-26B-A4B", -30},
                                                    // A layer for multi-token prediction.
                                                    {"XiaomiMiMo/MiMo-7B-Base", 210790400}};
  Catalogue catalogue;
  int compared = 0;
  for (const auto& [id, config] : configs("")) {
    CAPTURE(id);
    REQUIRE(config.is_object());
    const auto r = import_config(config);
    for (const auto& f : r.findings) UNSCOPED_INFO(f.pointer << " " << f.message);
    REQUIRE(r.ok);
    const auto* known = catalogue.find_model(id);
    if (!known || count_at(*known, "params_total") == 0) continue;
    const auto off = kOff.find(id);
    CHECK(parameter_count(r.architecture) == count_at(*known, "params_total") - (off == kOff.end() ? 0 : off->second));
    ++compared;
  }
  CHECK(compared >= 145);
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
  CHECK(count("Qwen/Qwen3-30B-A3B") == 30532122624);
  CHECK(count("google/gemma-3-4b-it") == 4300079472);
  CHECK(count("mistralai/Mixtral-8x7B-v0.1") == 46702792704);
  CHECK(count("deepseek-ai/DeepSeek-V2-Lite") == 15706484224);
  CHECK(count("allenai/OLMoE-1B-7B-0125") == 6919161856);
  CHECK(count("Qwen/Qwen2.5-VL-7B-Instruct") == 8292166656);
  CHECK(count("Qwen/Qwen3-VL-8B-Instruct") == 8767123696);
  CHECK(count("llava-hf/llava-1.5-7b-hf") == 7063427072);
  CHECK(count("meta-llama/Llama-3.2-11B-Vision-Instruct") == 10670220835);
  CHECK(count("meta-llama/Llama-4-Maverick-17B-128E-Instruct") == 401583781376);
  CHECK(count("moonshotai/Kimi-Linear-48B-A3B-Instruct") == 49122681728);
  CHECK(count("LiquidAI/LFM2-1.2B") == 1170340608);
  CHECK(count("nvidia/NVIDIA-Nemotron-Nano-9B-v2") == 8888227328);
  CHECK(count("ibm-granite/granite-4.0-h-micro") == 3191396096);
  CHECK(count("tiiuae/Falcon-H1-0.5B-Base") == 521411104);
  CHECK(count("state-spaces/mamba-130m-hf") == 129135360);
  CHECK(count("Snowflake/snowflake-arctic-embed-m") == 109482240);
}

TEST_CASE("every dense entry of the catalogue survives a config.json of its dimensions") {
  // Their files have fields of their own: hf_families_test.cpp reads real ones.
  const std::set<std::string> kOwn = {"MiMoForCausalLM", "ApertusForCausalLM", "BitNetForCausalLM", "MiniCPM3ForCausalLM",
                                      "DeciLMForCausalLM"};
  Catalogue catalogue;
  int compared = 0;
  for (const Json* e : catalogue.all(Kind::models)) {
    if (text_at(*e, "kind", "") != "dense") continue;
    if (kOwn.count((*e)["architectures"][0].get<std::string>())) continue;
    CAPTURE(text_at(*e, "hf_id", ""));
    const auto r = import_config(config_of(*e));
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
                      [&](auto k) { return q.architecture.kinds[k].attention->window == 1024; }) == 2);
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

// What safetensors and GGUF headers tell: counts, types, packed weights, and where they disagree with the config.json.
#include "headers.h"
#include "hf_files.h"
#include "json_door.h"
#include "size_only.h"
#include "tensors.h"
#include "tunefit/architecture.h"

using namespace tunefit::json;

namespace {

Json tensor(const std::string& name, const char* dtype, Json shape, std::int64_t count = 1) {
  return {{"name", name}, {"dtype", dtype}, {"shape", std::move(shape)}, {"count", count}};
}

// A decoder of two layers: hidden 64, MLP 128, 4 heads, 2 key and value heads, vocabulary 1000.
Json config() {
  return {{"architectures", {"LlamaForCausalLM"}},
          {"hidden_size", 64},
          {"intermediate_size", 128},
          {"num_hidden_layers", 2},
          {"num_attention_heads", 4},
          {"num_key_value_heads", 2},
          {"vocab_size", 1000},
          {"torch_dtype", "bfloat16"}};
}

Json tensors(std::int64_t vocab = 1000, bool head = true, int layers = 2) {
  Json list = Json::array({tensor("model.embed_tokens.weight", "BF16", {vocab, 64}), tensor("model.norm.weight", "BF16", {64})});
  if (head) list.push_back(tensor("lm_head.weight", "BF16", {vocab, 64}));
  for (int i = 0; i < layers; ++i) {
    const std::string at = "model.layers." + std::to_string(i) + ".";
    for (const auto& [name, rows, columns] :
         {std::tuple("self_attn.q_proj", 64, 64), std::tuple("self_attn.k_proj", 32, 64), std::tuple("self_attn.v_proj", 32, 64),
          std::tuple("self_attn.o_proj", 64, 64), std::tuple("mlp.gate_proj", 128, 64), std::tuple("mlp.up_proj", 128, 64),
          std::tuple("mlp.down_proj", 64, 128)})
      list.push_back(tensor(at + name + ".weight", "BF16", {rows, columns}));
    list.push_back(tensor(at + "input_layernorm.weight", "BF16", {64}));
    list.push_back(tensor(at + "post_attention_layernorm.weight", "BF16", {64}));
  }
  return {{"tensors", list}};
}

Json imported(const char* kind, const Json& content) { return document(import(Json{{"kind", kind}, {"text", content.dump()}}.dump())); }

Json facts(const Json& header) { return imported("safetensors-header", header)["request"]["model"]["safetensors_index"]; }

Json sized_with(const Json& own, const Json& index) {
  auto request = plain_request();
  request["model"] = {{"name", "ours"}, {"config", own}, {"safetensors_index", index}};
  return sized(request);
}

// What is said of disagreements.
std::string said(const Json& answer) {
  std::string all;
  if (const auto list = answer.find("findings"); list != answer.end())
    for (const auto& f : *list)
      if (f["code"] == "header_disagrees" && f["pointer"] == "/model/safetensors_index") all += f["message"].get<std::string>() + " ";
  return all;
}

bool has_word(const std::string& text, const char* word) { return text.find(word) != std::string::npos; }

constexpr std::int64_t kLayer = 64 * 64 * 2 + 32 * 64 * 2 + 3 * 128 * 64 + 2 * 64;
constexpr std::int64_t kWhole = 2 * kLayer + 2 * 1000 * 64 + 64;

}  // namespace

TEST_CASE("a header counts exactly and keeps no names") {
  const auto f = facts(tensors());
  CHECK(f["parameters"] == kWhole);
  CHECK(f["total_size"] == 2 * kWhole);
  CHECK(f["by_dtype"] == Json({{"BF16", kWhole}}));
  CHECK(f["embedding"] == Json::array({1000, 64}));
  CHECK(f["layer_parameters"] == Json::array({kLayer, kLayer}));
  CHECK(f.dump().find("q_proj") == std::string::npos);
  // As it stands in the file, without grouping.
  Json raw = {{"__metadata__", {{"format", "pt"}}}};
  const auto grouped = tensors();
  for (const auto& t : grouped["tensors"])
    raw[t["name"].get<std::string>()] = {{"dtype", t["dtype"]}, {"shape", t["shape"]}, {"data_offsets", {0, 1}}};
  CHECK(facts(raw) == f);
}

TEST_CASE("with headers that agree the basis is safetensors") {
  const auto answer = sized_with(config(), facts(tensors()));
  CHECK(answer["model"]["basis"] == "safetensors");
  CHECK(answer["model"]["parameters"] == kWhole);
  CHECK(said(answer).empty());
  CHECK(sized_with(config(), tensors())["model"]["basis"] == "safetensors");  // the header itself
}

TEST_CASE("a copy of a tied head, layers for multi-token prediction and buffers are not counted") {
  auto tied = config();
  tied["tie_word_embeddings"] = true;
  auto header = tensors(1000, true, 3);  // the head stored all the same, and one layer more than the config.json has
  header["tensors"].push_back(tensor("model.layers.0.self_attn.rotary_emb.inv_freq", "F32", {8}));
  const auto answer = sized_with(tied, header);
  CHECK(answer["model"]["parameters"] == kWhole - 1000 * 64);
  CHECK(answer["model"]["basis"] == "safetensors");
  CHECK(facts(header)["buffers"] == 8);
}

TEST_CASE("a disagreement names the part") {
  const auto padded = sized_with(config(), tensors(1024));
  CHECK(padded["model"]["parameters"] == kWhole + 2 * 24 * 64);
  CHECK(has_word(said(padded), "1024 rows"));

  auto more = tensors();
  more["tensors"].push_back(tensor("model.layers.1.self_attn.q_proj.bias", "BF16", {64}));
  const auto biased = sized_with(config(), more);
  CHECK(biased["model"]["basis"] == "safetensors");
  CHECK(has_word(said(biased), "Layers:"));

  const auto headless = sized_with(config(), tensors(1000, false));
  CHECK(headless["model"]["parameters"] == kWhole - 1000 * 64);
  CHECK(has_word(said(headless), "lm_head"));

  const auto fewer = sized_with(config(), tensors(1000, true, 1));
  CHECK(fewer["model"]["basis"] == "config");
  CHECK(fewer["model"]["parameters"] == kWhole);
  CHECK(has_word(said(fewer), "1 layers"));
}

TEST_CASE("packed weights count as what they stand for") {
  const auto packed = [](std::initializer_list<Json> list) { return facts({{"tensors", Json(list)}}); };
  const std::string q = "model.layers.0.self_attn.q_proj";
  const auto bnb = packed({tensor(q + ".weight", "U8", {2048, 1}), tensor(q + ".weight.absmax", "U8", {64}),
                           tensor(q + ".weight.quant_map", "F32", {16}), tensor(q + ".weight.quant_state.bitsandbytes__nf4", "U8", {80})});
  CHECK(bnb["parameters"] == 4096);
  CHECK(bnb["quantization"]["scheme"] == "bitsandbytes_4bit");
  // 64 x 64 in 4 bits: eight rows in one integer, one group of scales.
  const auto gptq = packed({tensor(q + ".qweight", "I32", {8, 64}), tensor(q + ".qzeros", "I32", {1, 8}),
                            tensor(q + ".scales", "F16", {1, 64}), tensor(q + ".g_idx", "I32", {64})});
  CHECK(gptq["parameters"] == 4096);
  CHECK(gptq["quantization"]["scheme"] == "gptq");
  CHECK(gptq["quantization"]["bits"] == 4);
  const auto awq =
      packed({tensor(q + ".qweight", "I32", {64, 8}), tensor(q + ".qzeros", "I32", {1, 8}), tensor(q + ".scales", "F16", {1, 64})});
  CHECK(awq["parameters"] == 4096);
  CHECK(awq["quantization"]["scheme"] == "awq");
  const auto fp8 = packed({tensor(q + ".weight", "F8_E4M3", {64, 64}), tensor(q + ".weight_scale_inv", "F32", {1, 1})});
  CHECK(fp8["parameters"] == 4096);
  CHECK(fp8["quantization"]["scheme"] == "fp8");
  const auto mxfp4 = packed({tensor("model.layers.0.mlp.experts.gate_up_proj_blocks", "U8", {32, 128, 2, 16}),
                             tensor("model.layers.0.mlp.experts.gate_up_proj_scales", "U8", {32, 128, 2})});
  CHECK(mxfp4["parameters"] == 32 * 128 * 64);
  CHECK(mxfp4["quantization"]["scheme"] == "mxfp4");
  const auto nvfp4 = packed({tensor(q + ".weight", "U8", {64, 32}), tensor(q + ".weight_scale", "F8_E4M3", {64, 4}),
                             tensor(q + ".weight_scale_2", "F32", Json::array())});
  CHECK(nvfp4["parameters"] == 4096);
  // Without scales nobody knows the bits: no count rather than a wrong one.
  CHECK_FALSE(packed({tensor(q + ".qweight", "I32", {8, 64})}).contains("parameters"));
  auto answer = sized_with(config(), packed({tensor(q + ".qweight", "I32", {8, 64})}));
  CHECK(finding(answer, "quantized_checkpoint", "/model/safetensors_index"));
}

TEST_CASE("an index tells size and names only") {
  const Json index = {{"metadata", {{"total_size", 2 * kWhole}}},
                      {"weight_map", {{"lm_head.weight", "a"}, {"model.embed_tokens.weight", "a"}}}};
  const auto r = imported("safetensors-index", index);
  CHECK(r["request"]["model"]["safetensors_index"] == Json({{"tensors", 2}, {"total_size", 2 * kWhole}, {"has_lm_head", true}}));
  CHECK(said(sized_with(config(), index)).empty());
  auto other = index;
  other["metadata"]["total_size"] = 3 * kWhole;
  const auto off = sized_with(config(), other);
  CHECK(off["model"]["basis"] == "config");
  CHECK_FALSE(said(off).empty());
}

TEST_CASE("a GGUF header becomes the config.json of its class") {
  const Json gguf = {
      {"version", 3},
      {"metadata",
       {{"general.architecture", "qwen2"},
        {"qwen2.block_count", 2},
        {"qwen2.embedding_length", 64},
        {"qwen2.feed_forward_length", 128},
        {"qwen2.attention.head_count", 4},
        {"qwen2.attention.head_count_kv", 2},
        {"qwen2.context_length", 4096},
        {"tokenizer.ggml.tokens", {{"length", 1000}}}}},
      {"tensors", Json::array({tensor("token_embd.weight", "Q4_K", {64, 1000}), tensor("output_norm.weight", "F32", {64})})}};
  const auto r = imported("gguf", gguf);
  const auto& own = r["request"]["model"]["config"];
  CHECK(own["architectures"][0] == "Qwen2ForCausalLM");
  CHECK(own["vocab_size"] == 1000);
  CHECK(own["tie_word_embeddings"] == true);  // no output.weight
  CHECK(r["request"]["model"]["safetensors_index"]["embedding"] == Json::array({1000, 64}));
  CHECK(r["findings"].dump().find("gguf_not_trainable") != std::string::npos);
  CHECK(r["entry"]["attention_bias"] == "qkv");
  auto request = plain_request();
  request["model"] = r["request"]["model"];
  CHECK(sized(request)["model"].contains("parameters"));
  auto nameless = gguf;
  nameless["metadata"].erase("general.architecture");
  CHECK(imported("gguf", nameless)["error"]["pointer"] == "/metadata/general.architecture");
}

TEST_CASE("bad headers get a finding each") {
  const auto error = [](const char* kind, const char* text) {
    return document(import(Json{{"kind", kind}, {"text", text}}.dump()))["error"]["code"];
  };
  CHECK(error("safetensors-header", "[]") == "wrong_type");
  CHECK(error("safetensors-header", "{}") == "no_tensors");
  CHECK(error("safetensors-header", R"({"a": {"dtype": "BF16"}})") == "bad_tensor");
  CHECK(error("safetensors-header", R"({"a": {"dtype": 3, "shape": [1]}})") == "bad_tensor");
  CHECK(error("safetensors-header", R"({"a": {"dtype": "BF16", "shape": [-1]}})") == "bad_tensor");
  CHECK(error("safetensors-header", R"({"a": {"dtype": "BF16", "shape": [1e12, 1e12]}})") == "bad_tensor");
  CHECK(error("safetensors-header", R"({"tensors": [{"name": "a", "dtype": "BF16", "shape": [1], "count": 0}]})") == "bad_tensor");
  CHECK(error("safetensors-index", R"({"weight_map": 3})") != Json());
  CHECK(error("gguf", R"({"metadata": {"general.architecture": "llama"}})") == "missing_field");
  CHECK(error("gguf", R"({"metadata": {"general.architecture": "llama"}, "tensors": 5})") != Json());
  // A request's own facts are not trusted either.
  for (const char* index :
       {R"({"by_dtype": 3})", R"({"total_size": -5})", R"({"by_dtype": {}, "parameters": 1e300, "layer_parameters": [1e300, "x"]})",
        R"({"by_dtype": {"BF16": 9e15}, "embedding": [1e9, 1e9], "lm_head": [9e15, 9e15], "parameters": 9007199254740992})"}) {
    const auto answer = sized_with(config(), Json::parse(index, nullptr, false));
    CHECK(answer.contains("findings"));
    CHECK(answer["model"]["parameters"].get<std::int64_t>() > 0);
  }
}

TEST_CASE("a model of which only the size is known") {
  Catalogue catalogue;
  for (const double size : {1e6, 3e7, 1.35e8, 6e8, 1.1e9, 3e9, 7e9, 8.03e9, 13e9, 3.25e10, 7e10, 4.05e11, 1e13}) {
    CAPTURE(size);
    Json entry;
    std::string because;
    REQUIRE(entry_of_size(size, catalogue, entry, because));
    tunefit::Architecture architecture;
    REQUIRE(read_architecture(entry, architecture, because));
    CHECK(static_cast<double>(tunefit::parameter_count(architecture)) / size == Approx(1).epsilon(size < 1e8 ? 0.02 : 0.001));
    CHECK(entry["num_attention_heads"].get<std::int64_t>() * entry["head_dim"].get<std::int64_t>() == entry["hidden_size"]);
  }
  Json entry;
  std::string because;
  CHECK_FALSE(entry_of_size(0, catalogue, entry, because));
  CHECK_FALSE(entry_of_size(1e15, catalogue, entry, because));
  CHECK_FALSE(entry_of_size(std::numeric_limits<double>::quiet_NaN(), catalogue, entry, because));

  // The usual shapes: near those of the models that have this size.
  REQUIRE(entry_of_size(7e9, catalogue, entry, because));
  CHECK(entry["hidden_size"] == 4096);
  CHECK(entry["num_layers"].get<int>() >= 26);
  CHECK(entry["num_layers"].get<int>() <= 36);
  auto request = plain_request();
  request["model"] = {{"name", "about 13B"}, {"parameters", 13e9}};
  const auto answer = sized(request);
  CHECK(answer["model"]["basis"] == "size_only");
  CHECK(answer["assumptions"].dump().find("only the size is known") != std::string::npos);
  request["model"] = {{"name", "ours"}, {"safetensors_index", tensors()}};  // below the smallest
  CHECK(sized(request)["error"]["code"] == "out_of_range");
}

TEST_CASE("a config.json as Python writes it: Infinity and NaN") {
  const std::string text =
      R"({"architectures": ["LlamaForCausalLM"], "hidden_size": 4096, "intermediate_size": 14336, "num_hidden_layers": 32,
    "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "torch_dtype": "bfloat16",
    "time_step_limit": [0.0, Infinity], "x": NaN, "y": -Infinity, "said": "NaN \" Infinity"})";
  const auto r = document(import(Json{{"kind", "hf-config"}, {"text", text}}.dump()));
  CHECK(r["request"]["model"]["config"]["hidden_size"] == 4096);
  CHECK_FALSE(r.contains("error"));
  CHECK(r["not_understood"].dump().find("Infinity") != std::string::npos);  // the text keeps its words
}

TEST_CASE("of nested files only what is read is kept") {
  auto config = configs("").at("google/gemma-3-4b-it");
  config["text_config"]["initializer_range"] = 0.02;
  const auto r = import_config(config);
  const auto answer = imported("hf-config", config);
  const auto& kept = answer["request"]["model"]["config"];
  CHECK(kept["text_config"]["hidden_size"] == 2560);
  CHECK_FALSE(kept["text_config"].contains("initializer_range"));
  CHECK_FALSE(kept.contains("_source"));
  CHECK(read_config(kept).entry == r.entry);
}

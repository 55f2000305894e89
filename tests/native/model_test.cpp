#include "model.h"

#include <cstdio>
#include <map>
#include <string>

#include "catalogue.h"
#include "catch.h"
#include "schema.h"

using namespace tunefit;
using json::Catalogue;
using json::Json;
using json::Kind;

namespace {

Architecture read(const char* id) {
  const Catalogue catalogue;
  const Json* entry = catalogue.find_model(id);
  INFO(id);
  REQUIRE(entry != nullptr);
  Architecture a;
  std::string why_not;
  const bool ok = json::read_architecture(*entry, a, why_not);
  INFO(why_not);
  REQUIRE(ok);
  return a;
}

std::string windows(const Architecture& a) {
  std::string out;
  for (const auto index : a.layers) out += a.kinds[index].attention->window > 0 ? 's' : 'f';
  return out;
}

}  // namespace

TEST_CASE("parameters of published models to the unit", "[model]") {
  // Counts in the safetensors headers of the hub, as scraped in AlexsJones/llmfit@5bdc9df hf_models.json.
  const std::map<std::string, std::int64_t> published = {{"meta-llama/Llama-3.1-8B", 8'030'261'248},
                                                         {"meta-llama/Llama-3.2-1B", 1'235'814'400},
                                                         {"Qwen/Qwen2.5-7B", 7'615'616'512},
                                                         {"Qwen/Qwen3-8B", 8'190'735'360},
                                                         {"google/gemma-2-9b", 9'241'705'984},
                                                         {"mistralai/Mistral-7B-Instruct-v0.3", 7'248'023'552},
                                                         {"microsoft/Phi-3-mini-4k-instruct", 3'821'079'552},
                                                         {"HuggingFaceTB/SmolLM2-135M", 134'515'008},
                                                         {"meta-llama/Llama-2-7b-hf", 6'738'415'616},
                                                         {"meta-llama/Llama-2-70b-hf", 68'976'648'192},
                                                         {"meta-llama/Llama-3.2-3B", 3'212'749'824}};
  for (const auto& [id, count] : published) {
    INFO(id);
    CHECK(parameter_count(read(id.c_str())) == count);
  }
}

TEST_CASE("every model of the catalogue can be read and has the published number of parameters", "[model]") {
  const Catalogue catalogue;
  int models = 0, exact = 0;
  for (const Json* entry : catalogue.all(Kind::models)) {
    INFO((*entry)["id"].get<std::string>());
    ++models;
    Architecture a;
    std::string why_not;
    const bool read = json::read_architecture(*entry, a, why_not);
    INFO(why_not);
    CHECK(read);
    const Json* total = json::member(*entry, "params_total");
    if (!read || !total || total->is_null() || json::member(*entry, "diff_note")) continue;
    const double published = total->get<double>(), ours = static_cast<double>(parameter_count(a));
    CHECK(ours == Approx(published).epsilon(0.005));
    exact += parameter_count(a) == total->get<std::int64_t>();
  }
  std::printf("models: %d, %d of them have the published count to the unit\n", models, exact);
  CHECK(models >= 526);
  CHECK(exact >= 460);
}

TEST_CASE("order of layers with a sliding window", "[model]") {
  CHECK(windows(read("google/gemma-2-2b")).substr(0, 6) == "sfsfsf");
  CHECK(windows(read("google/gemma-3-1b-pt")) == "sssssfsssssfsssssfsssssfss");
  CHECK(windows(read("mistralai/Mistral-7B-v0.1")) == std::string(32, 's'));
  CHECK(windows(read("mistralai/Mistral-7B-Instruct-v0.3")) == std::string(32, 'f'));
  CHECK(windows(read("Qwen/Qwen2.5-7B")) == std::string(28, 'f'));
  // The window is wider than the longest sequence: as good as none.
  CHECK(windows(read("microsoft/Phi-3.5-mini-instruct")) == std::string(32, 'f'));
  CHECK(windows(read("microsoft/Phi-3-mini-4k-instruct")) == std::string(32, 's'));
  CHECK(read("google/gemma-2-2b").kinds.size() == 2);
  CHECK(read("google/gemma-2-2b").kinds[0].attention->window == 4096);
}

TEST_CASE("what transformers does with a model_type", "[model]") {
  const auto phi3 = read("microsoft/Phi-3-mini-4k-instruct");
  CHECK(phi3.kinds[0].attention->fused_qkv);
  CHECK(phi3.kinds[0].mlp->fused_gate_up);
  const auto llama = read("meta-llama/Llama-3.1-8B");
  CHECK_FALSE(llama.kinds[0].attention->fused_qkv);
  CHECK_FALSE(llama.kinds[0].parallel_residual);
  CHECK(llama.checkpoint_dtype == DType::bf16);
  const auto neox = read("EleutherAI/pythia-1.4b");
  CHECK(neox.kinds[0].attention->fused_qkv);
  CHECK(neox.kinds[0].parallel_residual);
  CHECK(neox.kinds[0].norms == 2);
  CHECK(neox.norm == NormKind::layernorm);
  const auto olmo = read("allenai/OLMo-2-0425-1B");
  CHECK(olmo.kinds[0].post_norm_only);
  CHECK(olmo.kinds[0].attention->qk_norm == QkNorm::full);
  const auto gemma = read("google/gemma-2-9b");
  CHECK(gemma.kinds[0].norms == 4);
  CHECK(gemma.norm_scales_in_fp32);
  CHECK(gemma.tied);
  CHECK(read("Qwen/Qwen3-8B").kinds[0].attention->qk_norm == QkNorm::per_head);
  CHECK(read("Qwen/Qwen2.5-7B").kinds[0].attention->bias_q);
  CHECK_FALSE(read("Qwen/Qwen2.5-7B").kinds[0].attention->bias_o);
  const auto smollm3 = read("HuggingFaceTB/SmolLM3-3B");
  CHECK(smollm3.kinds.size() == 2);
  CHECK(smollm3.kinds[smollm3.layers[3]].attention->position == Position::none);
  CHECK(read("openai-community/gpt2").learned_positions == 1024);
}

TEST_CASE("entries with contradictions are refused", "[model]") {
  const Catalogue catalogue;
  const Json good = *catalogue.find_model("llama-3.1-8b");
  const std::map<std::string, Json> broken = {
      {"num_kv_heads", 7},      {"num_layers", 0}, {"hidden_size", 1e12},        {"vocab_size", nullptr},     {"norms_per_layer", 3},
      {"activation", "swish2"}, {"dtype", "int4"}, {"intermediate_size", "big"}, {"num_attention_heads", -32}};
  for (const auto& [key, value] : broken) {
    INFO(key);
    Json entry = good;
    entry[key] = value;
    Architecture a;
    std::string why_not;
    CHECK_FALSE(json::read_architecture(entry, a, why_not));
    CHECK_FALSE(why_not.empty());
  }
}

// Missing, contradictory and absurd fields: an entry or findings for every file, never a crash.
#include <vector>

#include "hf_files.h"

using namespace tunefit;
using namespace tunefit::json;

namespace {

const std::vector<Json>& nasty() {
  static const std::vector<Json> kNasty = {Json(),
                                           true,
                                           -1,
                                           0,
                                           1,
                                           7,
                                           1 << 30,
                                           INT64_MIN,
                                           UINT64_MAX,
                                           0.5,
                                           1e12,
                                           1e308,
                                           "4096",
                                           "",
                                           "\xff\xfe broken utf-8",
                                           std::string(100000, 'x'),
                                           Json::array(),
                                           Json::array({1, "a", Json()}),
                                           Json(3000, Json(1)),
                                           Json::object(),
                                           Json{{"a", Json{{"b", 1}}}}};
  return kNasty;
}

// Same numbers everywhere.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}
  std::size_t below(std::size_t n) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return static_cast<std::size_t>(state_ >> 33) % n;
  }

 private:
  std::uint64_t state_;
};

void check(const std::string& id, const Json& config) {
  const auto r = read_config(config);
  const bool errors = std::any_of(r.findings.begin(), r.findings.end(), [](const Finding& f) { return f.severity == "error"; });
  if (r.ok == errors) FAIL(id << " " << config.dump(-1, ' ', false, Json::error_handler_t::replace));
  if (r.ok && count_at(r.entry, "vocab_size") <= 0) FAIL(id << " has no vocabulary");
  Architecture architecture;
  std::string why_not;
  // The engine may refuse an entry, with a reason.
  if (r.ok && read_architecture(r.entry, architecture, why_not)) {
    if (parameter_count(architecture) <= 0) FAIL(id << " has no parameters: " << r.entry.dump());
  } else if (r.ok && why_not.empty()) {
    FAIL(id << " is refused without a reason: " << r.entry.dump());
  }
  for (const auto& f : r.findings)
    if (f.code.empty() || f.message.empty() || f.hint.empty() || f.message.size() > 400) FAIL(id << " " << f.pointer << " " << f.message);
}

// Every place of the file that holds a value, one level of nesting included.
std::vector<Json::json_pointer> places(const Json& config) {
  std::vector<Json::json_pointer> all;
  for (const auto& [key, value] : config.items()) {
    const auto at = Json::json_pointer() / key;
    all.push_back(at);
    if (!value.is_object()) continue;
    for (const auto& [inner, unused] : value.items()) all.push_back(at / inner);
  }
  return all;
}

}  // namespace

TEST_CASE("each field of each file with each bad value gives an entry or findings") {
  for (const auto& [id, original] : configs("")) {
    for (const auto& at : places(original)) {
      const auto value = original.at(at);
      auto config = original;
      for (const auto& bad : nasty()) {
        config[at] = bad;
        check(id + at.to_string(), config);
      }
      config[at] = value;
    }
  }
}

TEST_CASE("a broken config.json gives an entry or findings, never neither") {
  Dice dice(1);
  const auto classes = hf_config_classes();
  for (const auto& [id, original] : configs("")) {
    const auto all = places(original);
    for (int round = 0; round < 40; ++round) {
      auto config = original;
      for (std::size_t n = dice.below(3) + 1; n > 0; --n) {
        const auto& at = all[dice.below(all.size())];
        if (!config.contains(at)) continue;
        if (dice.below(3) == 0 && config.at(at.parent_pointer()).is_object())
          config.at(at.parent_pointer()).erase(at.back());
        else
          config[at] = nasty()[dice.below(nasty().size())];
      }
      if (dice.below(4) == 0) config["architectures"] = Json::array({classes[dice.below(classes.size())]});
      check(id, config);
    }
  }
}

TEST_CASE("each class with the file of another") {
  const auto all = configs("");
  for (const auto& name : hf_config_classes())
    for (const char* id : {"meta-llama/Llama-3.1-8B", "Qwen/Qwen3-30B-A3B", "google/gemma-3-4b-it", "google-t5/t5-small",
                           "deepseek-ai/DeepSeek-V3", "nvidia/Nemotron-H-56B-Base-8K"})
      check(name, with(all.at(id), "architectures", Json::array({name})));
  for (const auto& name : hf_config_classes()) {
    check(name, {{"architectures", {name}}});
    check(name, {{"architectures", {name}}, {"text_config", nullptr}, {"vision_config", nullptr}});
  }
}

TEST_CASE("absurd dimensions are told, one finding a field") {
  const auto all = configs("");
  const auto one = [&](const char* id, const char* pointer, const Json& value) {
    auto config = all.at(id);
    config[Json::json_pointer(pointer)] = value;
    const auto r = read_config(config);
    CAPTURE(id, pointer);
    CHECK_FALSE(r.ok);
    REQUIRE(finding(r, pointer));
    CHECK(std::count_if(r.findings.begin(), r.findings.end(), [&](const Finding& f) { return f.pointer == pointer; }) == 1);
    CHECK_FALSE(finding(r, pointer)->hint.empty());
  };
  one("mistralai/Mixtral-8x7B-v0.1", "/num_local_experts", 1e12);
  one("mistralai/Mixtral-8x7B-v0.1", "/num_experts_per_tok", 9);
  one("deepseek-ai/DeepSeek-V3", "/kv_lora_rank", 0);
  one("deepseek-ai/DeepSeek-V3", "/qk_rope_head_dim", "64");
  one("google/gemma-3-4b-it", "/text_config/hidden_size", 1e12);
  one("google/gemma-3-4b-it", "/vision_config/num_attention_heads", 7);
  one("google/gemma-3-4b-it", "/text_config", Json::array());
  one("nvidia/Nemotron-H-56B-Base-8K", "/hybrid_override_pattern", "MMX");
  one("state-spaces/mamba-130m-hf", "/num_hidden_layers", 0);
  one("ibm-granite/granite-4.0-h-micro", "/mamba_n_heads", 33);
  one("nvidia/Llama-3_3-Nemotron-Super-49B-v1", "/block_configs", Json::array());
  one("google-t5/t5-small", "/d_model", -5);
  one("openai/whisper-large-v3", "/encoder_attention_heads", 7);
}

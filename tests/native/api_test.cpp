// The four calls of the JSON door: whole answers, parts on demand, verdicts, the catalogue, the importer.
#include "tunefit/json/api.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <vector>

#include "json_door.h"

namespace api = tunefit::json;

namespace {

std::int64_t sum_of(const Json& items) {
  return std::accumulate(items.begin(), items.end(), std::int64_t{0},
                         [](std::int64_t sum, const Json& item) { return sum + item["bytes"].get<std::int64_t>(); });
}

Json wanting(std::vector<std::string> want) {
  Json request = plain_request();
  request["want"] = std::move(want);
  return request;
}

std::vector<std::string> verdicts(const Json& rows) {
  std::vector<std::string> out;
  for (const Json& row : rows) out.push_back(row["verdict"]);
  return out;
}

}  // namespace

TEST_CASE("an answer's figures agree with each other") {
  for (const char* method : {"full", "lora", "qlora"}) {
    for (const char* framework : {"transformers", "trl", "torchtune"}) {
      Json request = wanting({"memory", "explain"});
      request["recipe"]["method"] = method;
      request["recipe"]["framework"] = framework;
      if (std::string(method) == "qlora") request["recipe"].erase("quantization");
      if (std::string(method) == "full") request["recipe"].erase("gradient_accumulation_steps");
      const Json answer = sized(request);
      INFO(method << " " << framework << "\n" << answer.dump(1));
      REQUIRE(answer.contains("memory"));
      const Json& memory = answer["memory"];
      std::int64_t most = 0;
      for (const Json& phase : memory["timeline"]) {
        CHECK(sum_of(phase["items"]) == phase["bytes"].get<std::int64_t>());
        most = std::max(most, phase["bytes"].get<std::int64_t>());
        if (phase["phase"] == memory["binding_phase"]) CHECK(phase["bytes"] == memory["peak"]["allocated"]["expected"]);
      }
      CHECK(memory["peak"]["allocated"]["expected"] == most);
      CHECK(sum_of(memory["breakdown"]) == most);
      double last = 0;
      for (const char* counter : {"allocated", "reserved", "device"}) {
        const Json& i = memory["peak"][counter];
        CHECK(i["low"].get<double>() <= i["expected"].get<double>());
        CHECK(i["expected"].get<double>() <= i["high"].get<double>());
        CHECK(i["expected"].get<double>() >= last);
        last = i["expected"].get<double>();
      }
      CHECK(memory["interval_basis"] == "calibrated");
      for (const Json& item : memory["breakdown"]) CHECK(answer["explain"].contains(item["explain"].get<std::string>()));
      const double capacity = memory["capacity_bytes"].get<double>();
      CHECK(memory["headroom"].get<double>() == Approx((capacity - last) / capacity));
      CHECK(answer["model"]["parameters"] == 8030261248);
      if (std::string(method) == "full") CHECK(answer["model"]["trainable_parameters"] == 8030261248);
      if (std::string(method) == "lora") CHECK(answer["model"]["trainable_parameters"] == 41943040);  // r 16, all linear (physics A.1.5)
    }
  }
}

TEST_CASE("bytes stand as whole numbers in the text, and the same request gives the same text") {
  const std::string text = api::size(plain_request().dump());
  CHECK(text == api::size(plain_request().dump()));
  const Json answer = document(text);
  CHECK(answer["memory"]["peak"]["device"]["expected"].is_number_integer());
  CHECK(answer["memory"]["breakdown"][0]["bytes"].is_number_integer());
  CHECK(text.find("e+") == std::string::npos);
  CHECK(text.rfind(R"({"schema":"tunefit.answer/1","engine_version":)", 0) == 0);
}

TEST_CASE("only wanted parts are there; without want it is memory and explain") {
  Json request = plain_request();
  request.erase("want");
  Json answer = sized(request);
  CHECK((answer.contains("memory") && answer.contains("explain") && !answer.contains("fit")));
  answer = sized(wanting({"fit"}));
  CHECK((!answer.contains("memory") && !answer.contains("explain") && answer.contains("fit") && answer.contains("accelerators")));
  answer = sized(wanting({}));
  CHECK((!answer.contains("memory") && answer.contains("model") && answer.contains("assumptions")));
}

TEST_CASE("no verdict without an accelerator, but a peak") {
  Json request = plain_request();
  request.erase("placement");
  const Json memory = sized(request)["memory"];
  CHECK(memory["peak"]["device"]["expected"] > memory["peak"]["reserved"]["expected"]);
  for (const char* member : {"verdict", "headroom", "fit_probability", "capacity_bytes", "capacity_basis"})
    CHECK_FALSE(memory.contains(member));
}

TEST_CASE("a verdict for every accelerator and system, best first, the same as the one for the chosen accelerator") {
  const Json answer = sized(wanting({"memory", "fit"}));
  const Json accelerators = document("{\"all\":" + api::catalogue(R"({"kind": "accelerators"})") + "}")["all"];
  const Json systems = document("{\"all\":" + api::catalogue(R"({"kind": "systems"})") + "}")["all"];
  CHECK(answer["accelerators"].size() == accelerators.size());
  CHECK(answer["fit"].size() == systems.size());

  const std::vector<std::string> order{"fits", "tight", "no", "unknown"};
  for (const char* list : {"accelerators", "fit"}) {
    const auto seen = verdicts(answer[list]);
    CHECK(std::is_sorted(seen.begin(), seen.end(), [&](const auto& a, const auto& b) {
      return std::find(order.begin(), order.end(), a) < std::find(order.begin(), order.end(), b);
    }));
    CHECK(std::count(seen.begin(), seen.end(), "fits") > 0);
    CHECK(std::count(seen.begin(), seen.end(), "no") > 0);
    for (const Json& row : answer[list]) {
      INFO(row.dump());
      CHECK(row.contains("unknown") == (row["verdict"] == "unknown"));
      CHECK(row.contains("limit") == (row["verdict"] == "tight" || row["verdict"] == "no"));
      if (row["verdict"] == "fits") CHECK(row["headroom"].get<double>() > 0);
    }
  }
  for (const Json& row : answer["accelerators"]) {
    if (row["accelerator"] != "nvidia-h100-80gb-sxm") continue;
    for (const char* member : {"verdict", "headroom", "fit_probability", "capacity_bytes"}) CHECK(row[member] == answer["memory"][member]);
  }
  // What the list says of an accelerator is what one is told who chooses it.
  for (std::size_t i = 0; i < answer["accelerators"].size(); i += 7) {
    const Json& row = answer["accelerators"][i];
    if (!row.contains("headroom") || row.value("limit", "") == "software") continue;
    Json request = plain_request();
    request["placement"]["accelerator"] = row["accelerator"];
    const Json alone = sized(request)["memory"];
    INFO(row.dump());
    CHECK(alone["verdict"] == row["verdict"]);
    if (row["verdict"] != "no") CHECK(alone["headroom"].get<double>() == Approx(row["headroom"].get<double>()));
  }
}

TEST_CASE("candidates narrow the systems by id or pattern") {
  const auto ids = [](const char* patterns) {
    Json request = wanting({"fit"});
    request["candidates"] = {{"systems", Json::parse(patterns)}};
    std::vector<std::string> out;
    const Json answer = sized(request);
    for (const Json& row : answer["fit"]) out.push_back(row["system"]);
    return out;
  };
  CHECK(ids(R"(["hgx-b300-8"])") == std::vector<std::string>{"hgx-b300-8"});
  const auto some = ids(R"(["*b300*"])");
  CHECK(some.size() > 1);
  for (const auto& id : some) CHECK(id.find("b300") != std::string::npos);
  CHECK(ids("[]").empty());
  CHECK(ids(R"(["****************************a*b*zzz"])").empty());
}

TEST_CASE("an overlay brings models, accelerators and systems of one's own") {
  Json request = wanting({"memory", "fit"});
  request["catalogue_overlay"] = Json::parse(R"({
    "accelerators": [{"id": "acme-x1", "name": "Acme X1", "vendor": "nvidia", "architecture": "Hopper", "memory_marketed_bytes": 103079215104}],
    "systems": [{"id": "acme-box", "name": "Acme Box", "accelerator": "acme-x1", "accelerators": 2}]})");
  request["placement"] = {{"system", "acme-box"}};
  const Json answer = sized(request);
  INFO(answer.dump(1));
  REQUIRE(answer.contains("memory"));
  CHECK(answer["memory"]["accelerator"] == "acme-x1");
  CHECK(answer["memory"]["capacity_basis"] == "assumed");
  CHECK(std::any_of(answer["fit"].begin(), answer["fit"].end(),
                    [](const Json& row) { return row["system"] == "acme-box" && row["verdict"] != "unknown"; }));
  const Json again = sized(plain_request());
  CHECK_FALSE(again.contains("error"));

  request["catalogue_overlay"]["accelerators"][0]["id"] = "nvidia-l4";
  const Json clash = sized(request);
  REQUIRE(clash.contains("error"));
  CHECK(clash["error"]["pointer"].get<std::string>().rfind("/catalogue_overlay/accelerators/0", 0) == 0);
}

TEST_CASE("a system without an accelerator fits nothing, one whose accelerator runs neither CUDA nor ROCm is unknown and says why") {
  Json request = wanting({"fit"});
  request["candidates"] = {{"systems", {"acme-*"}}};
  request["catalogue_overlay"] = Json::parse(R"({
    "accelerators": [{"id": "acme-soon", "name": "Acme", "vendor": "Acme", "architecture": "Sometime", "memory_marketed_bytes": 103079215104}],
    "systems": [{"id": "acme-cpu", "name": "Acme CPU", "accelerator": null, "accelerators": 0},
                {"id": "acme-other", "name": "Acme other", "accelerator": "acme-soon", "accelerators": 1}]})");
  const Json fit = sized(request)["fit"];
  INFO(fit.dump(1));
  REQUIRE(fit.size() == 2);
  CHECK(fit[0]["system"] == "acme-cpu");
  CHECK(fit[0]["verdict"] == "no");
  CHECK(fit[0]["limit"] == "no_accelerator");
  CHECK(fit[1]["verdict"] == "unknown");
  CHECK(fit[1]["unknown"].dump().find("CUDA") != std::string::npos);
}

TEST_CASE("a tensor beyond any accelerator is refused, not overflowed") {
  Json request = plain_request();
  request["recipe"]["sequence_length"] = 16777216;
  request["recipe"]["per_device_train_batch_size"] = 65536;
  CHECK(sized(request)["error"]["code"] == "beyond_accelerators");
}

TEST_CASE("the catalogue is listed by kind, query and detail") {
  const auto list = [](const Json& call) { return Json::parse(api::catalogue(call.dump()), nullptr, false); };
  for (const char* kind : {"models", "accelerators", "systems", "offers", "frameworks", "glossary", "rules", "schema"}) {
    INFO(kind);
    const Json all = list({{"kind", kind}});
    CHECK(all.is_array());
    CHECK_FALSE(all.empty());
  }
  const Json llamas = list({{"kind", "models"}, {"query", "llama-3.1 8b"}});
  REQUIRE_FALSE(llamas.empty());
  CHECK(llamas.size() < 10);
  CHECK(list({{"kind", "models"}, {"query", "llama-3.1 8b"}, {"detail", "summary"}})[0].dump().size() < llamas[0].dump().size());
  CHECK(list({{"kind", "model"}})["error"]["hint"].get<std::string>().find("models") != std::string::npos);
  CHECK(list({{"kind", 3}})["error"]["pointer"] == "/kind");
  CHECK(list(Json::object())["error"]["code"] == "required");
  CHECK(list(Json::array())["error"]["code"] == "wrong_type");
  CHECK(document(api::catalogue("{"))["error"]["code"] == "not_json");
}

TEST_CASE("a config.json becomes a request that is sized like the catalogue's model") {
  const Json config =
      Json::parse(R"({"architectures": ["LlamaForCausalLM"], "model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
    "num_hidden_layers": 32, "num_attention_heads": 32, "num_key_value_heads": 8, "vocab_size": 128256, "tie_word_embeddings": false,
    "max_position_embeddings": 131072, "hidden_act": "silu", "torch_dtype": "bfloat16", "rope_theta": 500000.0, "bos_token_id": 128000, "remark": "ours"})");
  const auto import = [](const Json& text) { return document(api::import(Json{{"kind", "hf-config"}, {"text", text}}.dump())); };
  const Json imported = import(config.dump());
  INFO(imported.dump(1));
  REQUIRE(imported.contains("request"));
  const Json& kept = imported["request"]["model"]["config"];
  for (const char* field : {"architectures", "hidden_size", "num_key_value_heads", "vocab_size", "torch_dtype", "hidden_act"})
    CHECK(kept.contains(field));
  for (const char* field : {"remark", "bos_token_id"}) {
    CHECK_FALSE(kept.contains(field));
    CHECK(imported["not_understood"].dump().find(field) != std::string::npos);
  }
  Json request = plain_request();
  request["model"] = imported["request"]["model"];
  const Json own = sized(request), known = sized(plain_request());
  CHECK(own["model"]["basis"] == "config");
  CHECK(own["memory"]["timeline"] == known["memory"]["timeline"]);

  SECTION("findings point into the file, or into the request when it is part of one") {
    Json wrong = config;
    wrong["hidden_size"] = -1;
    CHECK(import(wrong.dump())["error"]["pointer"] == "/hidden_size");
    request["model"]["config"] = wrong;
    CHECK(sized(request)["error"]["pointer"] == "/model/config/hidden_size");
    wrong["architectures"] = {"BertModel"};
    CHECK(import(wrong.dump()).contains("error"));
  }
  SECTION("what is no config.json") {
    CHECK(import("").at("error")["code"] == "not_json");
    CHECK(import(config.dump().substr(0, 60)).at("error")["code"] == "not_json");
    CHECK(import("[]").at("error")["code"] == "wrong_type");
    CHECK(import(Json(5)).at("error")["pointer"] == "/text");
    CHECK(document(api::import(R"({"kind": "axolotl", "text": ""})"))["error"]["code"] == "not_supported_yet");
    CHECK(document(api::import(R"({"kind": "hf_config", "text": ""})"))["error"]["hint"].get<std::string>().find("hf-config") !=
          std::string::npos);
  }
}

TEST_CASE("a model without config or known by its size alone") {
  Json request = plain_request();
  request["model"] = {{"name", "about 13B"}, {"parameters", 13e9}};
  CHECK(sized(request)["model"]["basis"] == "size_only");
  request["model"] = {{"name", "ours"}};
  CHECK(finding(sized(request), "required", "/model/config"));
}

TEST_CASE("version names engine, catalogue and format") {
  const Json version = document(api::version());
  CHECK(version["schema"] == "tunefit.request/1");
  CHECK_FALSE(version["engine_version"].get<std::string>().empty());
  CHECK(version["catalogue"] == sized(plain_request())["catalogue"]);
}

// The request of docs/contract.md with everything in it that this version sizes: other blocks must be read, and told about.
TEST_CASE("a request with every block of the contract is read") {
  Json request = plain_request();
  request.merge_patch(Json::parse(R"({
    "revision": "0123456789abcdef0123456789abcdef01234567",
    "recipe": {"objective": "sft", "galore_rank": 128, "max_steps": 100, "max_grad_norm": 1.0, "group_by_length": false, "padding_free": false,
      "freeze": {"trainable_layers": 2, "trainable_embeddings": false}, "method_parameters": {"lisa_activated_layers": 2},
      "vision": {"image_tokens_per_row": 0, "train_tower": "frozen", "train_projector": true},
      "preference": {"reference": "copy", "precompute_reference": false},
      "rollout": {"engine": "vllm", "vllm_mode": "colocate", "gpu_memory_utilization": 0.3, "vllm_tensor_parallel_size": 1, "num_generations": 8, "completion_tokens": 512},
      "eval": {"per_device_eval_batch_size": 8, "keep_logits": false}, "save": {"save_only_model": false, "load_best_model_at_end": false}, "dataloader_num_workers": 4},
    "placement": {"accelerators": 1, "nodes": 1, "sharding": "none", "tensor_parallel": 1, "offload": "none", "buckets": {}, "host": {"ram_bytes": 1e12}},
    "candidates": {"systems": ["*"], "max_nodes": 4},
    "workload": {"dataset": {"examples": 20000, "tokens_per_example": {"mean": 480, "p95": 1400, "max": 4096}, "bytes": 9e7}, "epochs": 3, "people": 5,
      "serve_after": {"concurrent_users": 20, "context_tokens": 8192, "dtype": "bf16"}},
    "intent": {"goal": "behaviour", "changes_often": false, "work_unit": "tokens", "response": "queued"},
    "site": {"place": "lab", "power_limit_w": 3000, "cooling": "air", "data_must_stay": true},
    "economics": {"horizon_months": 36, "electricity_usd_per_kwh": 0.15, "pue": 1.4, "discount_rate": 0.0, "prices": {"hgx-b300-8": {"purchase_usd": 42000}}},
    "want": ["memory", "time", "host", "fit", "plan", "queue", "site", "serve", "scaling", "cost", "advice", "explain"]})"));
  const Json answer = sized(request);
  INFO(answer.dump(1).substr(0, 3000));
  CHECK_FALSE(answer.contains("error"));
  for (const Json& f : answer["findings"]) CHECK((f["code"] == "ignored" || f["code"] == "not_supported_yet"));
  Json timeline = answer["memory"]["timeline"];
  REQUIRE(timeline.size() == 7);
  CHECK(timeline[5]["phase"] == "eval");
  timeline.erase(5);
  CHECK(timeline == sized(plain_request())["memory"]["timeline"]);
}

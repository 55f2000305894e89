// From a request to a complete recipe: what is stated, what follows, what the framework does, and what contradicts itself.
#include "resolve.h"

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "framework.h"
#include "json_door.h"
#include "recipe_names.h"
#include "schema.h"
#include "tunefit/memory.h"

using namespace tunefit;
using namespace tunefit::json;
using Json = nlohmann::json;

namespace {

struct Outcome {
  bool ok = false;
  Resolved resolved;
  Findings findings;

  const Assumption* assumption(std::string_view pointer) const {
    for (const auto& a : resolved.assumptions)
      if (a.pointer == pointer) return &a;
    return nullptr;
  }
  const Finding* finding(std::string_view code, std::string_view pointer) const {
    for (const auto& f : findings)
      if (f.code == code && f.pointer == pointer) return &f;
    return nullptr;
  }
};

Outcome resolved(const char* recipe, const char* placement = R"({"accelerator": "nvidia-h100-80gb-sxm"})",
                 const char* model = "\"llama-3.1-8b\"") {
  const Json request{{"model", Json::parse(model)}, {"recipe", Json::parse(recipe)}, {"placement", Json::parse(placement)}};
  Outcome o;
  o.ok = resolve(request, Catalogue(), o.resolved, o.findings);
  return o;
}

// Converts to anything, to count the members of an aggregate.
struct Any {
  template <class T>
  constexpr operator T() const {
    return T{};
  }
};

template <class T, class... Members>
constexpr std::size_t members() {
  if constexpr (requires { T{Members{}..., Any{}}; }) {
    return members<T, Members..., Any>();
  } else {
    return sizeof...(Members);
  }
}

template <class E>
void check_supported(const char* pointer, const std::set<std::string>& not_of_the_engine = {}) {
  const Json* schema = schema_at(request_schema(), pointer);
  REQUIRE(schema);
  const Json& values = schema->contains("x-supported") ? (*schema)["x-supported"]["enum"] : (*schema)["enum"];
  std::size_t count = 0;
  for (const Json& value : values) {
    if (value.is_null()) continue;
    INFO(pointer << " " << value.dump());
    CHECK(from_name<E>(value.get<std::string>()).has_value() != (not_of_the_engine.count(value.get<std::string>()) == 1));
    ++count;
  }
  CHECK(count >= words<E>().size());
}

}  // namespace

TEST_CASE("the schema says of each enum exactly what the engine sizes") {
  check_supported<Method>("/recipe/method");
  check_supported<DType>("/recipe/base_dtype");
  check_supported<DType>("/recipe/trainable_dtype");
  check_supported<DType>("/recipe/lora/dtype");
  check_supported<Scheme>("/recipe/quantization/scheme");
  check_supported<MixedPrecision>("/recipe/mixed_precision");
  check_supported<Checkpointing>("/recipe/gradient_checkpointing");
  check_supported<AttentionImpl>("/recipe/attention");
  check_supported<Optimizer>("/recipe/optimizer");
  check_supported<OptimizerImpl>("/recipe/optimizer_impl");
  check_supported<LossVariant>("/recipe/loss_variant");
}

TEST_CASE("version ranges compare by numeric parts") {
  CHECK(in_range("4.48.1", ">=4.45"));
  CHECK(in_range("4.48.1", ">=4.48,<4.49"));
  CHECK_FALSE(in_range("4.9", ">=4.45"));
  CHECK_FALSE(in_range("4.45", "<4.45"));
  CHECK(in_range("4.45.0.dev0", ">=4.45.0"));
  CHECK(in_range("2.x", ">=2.0"));
  CHECK_FALSE(in_range("2.0", "=2.0"));
}

TEST_CASE("versions are read from text") {
  std::vector<std::string> left;
  const Json v = versions_from_text("transformers 4.48.1, PEFT==0.13.2; torch v2.4.1, NeMo RL 0.4, whatever", "trl", left);
  CHECK(v == Json{{"transformers", "4.48.1"}, {"peft", "0.13.2"}, {"torch", "2.4.1"}, {"nemo-rl", "0.4"}});
  CHECK(left == std::vector<std::string>{"whatever"});
  CHECK(versions_from_text("26.04", "megatron", left) == Json{{"megatron", "26.04"}});
}

TEST_CASE("a version decides the framework's rules") {
  const auto old =
      resolved(R"({"method": "lora", "framework": "transformers", "framework_version": "transformers 4.44.0, peft 0.11.1, torch 2.3"})");
  REQUIRE(old.ok);
  CHECK(old.resolved.recipe.loss == LossVariant::hf_until_4_44);
  CHECK(old.resolved.recipe.lora->dtype == DType::bf16);
  CHECK(old.resolved.recipe.optimizer_impl == OptimizerImpl::foreach);
  const auto recent = resolved(
      R"({"method": "lora", "framework": "transformers", "framework_version": {"transformers": "5.1.0", "peft": "0.19.0", "torch": "2.9"}})");
  REQUIRE(recent.ok);
  CHECK(recent.resolved.recipe.loss == LossVariant::hf_from_4_50);
  CHECK(recent.resolved.recipe.lora->dtype == DType::fp32);
  CHECK(recent.resolved.recipe.optimizer_impl == OptimizerImpl::fused);
  // The packages that were not named are assumed.
  const auto* versions = recent.assumption("/recipe/framework_version");
  REQUIRE(versions);
  CHECK(versions->value.contains("accelerate"));
  CHECK_FALSE(versions->value.contains("peft"));
  CHECK(resolved(R"({"framework_version": "the newest"})").finding("not_understood", "/recipe/framework_version"));
}

TEST_CASE("an empty recipe is sized for every framework or says what must be stated") {
  for (const Json& name : (*schema_at(request_schema(), "/recipe/framework"))["enum"]) {
    for (const char* method : {"full", "lora", "qlora"}) {
      const auto o = resolved(Json{{"framework", name}, {"method", method}}.dump().c_str());
      INFO(name.dump() << " " << method);
      for (const auto& f : o.findings) {
        CHECK(f.code == "not_supported_yet");
        CHECK(f.hint.find("State recipe.") == 0);
      }
      CHECK(o.ok == o.findings.empty());
      for (const auto& a : o.resolved.assumptions) {
        INFO(a.pointer);
        CHECK(a.because.find("no rule is known") == std::string::npos);
        CHECK_FALSE(a.because.empty());
      }
    }
  }
}

TEST_CASE("what is stated is no assumption, what is not is one, with its reason and source") {
  const auto o = resolved(R"({"framework": "trl", "method": "lora", "sequence_length": 777, "lora": {"r": 5}})");
  REQUIRE(o.ok);
  CHECK(o.resolved.recipe.sequence_length == 777);
  CHECK(o.resolved.recipe.lora->r == 5);
  for (const char* stated : {"/recipe/framework", "/recipe/method", "/recipe/sequence_length", "/recipe/lora/r"})
    CHECK_FALSE(o.assumption(stated));
  for (const char* open :
       {"/recipe/lora/dropout", "/recipe/optimizer", "/recipe/attention", "/recipe/loss_variant", "/recipe/per_device_train_batch_size"}) {
    INFO(open);
    REQUIRE(o.assumption(open));
    CHECK_FALSE(o.assumption(open)->source.empty());
  }
}

TEST_CASE("without a method, and qlora without quantization") {
  const auto o = resolved("{}");
  REQUIRE(o.ok);
  CHECK(o.resolved.recipe.method == Method::qlora);
  REQUIRE(o.resolved.recipe.quantization);
  CHECK(o.resolved.recipe.quantization->scheme == Scheme::nf4);
  CHECK(o.resolved.recipe.quantization->double_quant);
  CHECK(o.resolved.recipe.quantization->block_size == 64);
  CHECK(o.assumption("/recipe/method"));
  CHECK(o.assumption("/recipe/quantization"));
  CHECK(resolved(R"({"method": "qlora", "quantization": null})").resolved.recipe.quantization->double_quant);
  CHECK(resolved(R"({"lora": {"r": 8}, "quantization": null})").resolved.recipe.method == Method::lora);
  CHECK(resolved(R"({"quantization": {"scheme": "nf4"}})").resolved.recipe.method == Method::qlora);
  CHECK_FALSE(resolved(R"({"method": "qlora", "quantization": {"scheme": "nf4", "double_quant": false}})")
                  .resolved.recipe.quantization->double_quant);
}

TEST_CASE("a kind of method has the defaults of what it is a kind of") {
  const auto qdora = resolved(R"({"method": "qdora"})");
  REQUIRE(qdora.ok);
  REQUIRE(qdora.resolved.recipe.quantization);
  CHECK(qdora.resolved.recipe.quantization->scheme == Scheme::nf4);
  CHECK(qdora.resolved.recipe.lora->kind == AdapterKind::dora);
  CHECK(qdora.resolved.recipe.method == Method::qlora);
  const auto dora = resolved(R"({"method": "dora"})");
  CHECK(dora.resolved.recipe.base_dtype == resolved(R"({"method": "lora"})").resolved.recipe.base_dtype);
  CHECK_FALSE(dora.resolved.recipe.quantization);
}

TEST_CASE("where no default target is in the model, every linear is one, and said to be") {
  const auto o = resolved(R"({"method": "lora"})", R"({"accelerator": "nvidia-h100-80gb-sxm"})", "\"deepseek-v3\"");
  REQUIRE(o.ok);
  CHECK(o.resolved.recipe.lora->target_modules == std::vector<std::string>{"all-linear"});
  const auto stated = resolved(R"({"method": "lora", "lora": {"target_modules": ["c_attn"]}})",
                               R"({"accelerator": "nvidia-h100-80gb-sxm"})", "\"deepseek-v3\"");
  CHECK(stated.finding("unknown_module", "/recipe/lora/target_modules"));
}

TEST_CASE("a method's own optimizer, and what contradicts it") {
  CHECK(resolved(R"({"method": "galore"})").resolved.recipe.optimizer == Optimizer::galore_adamw);
  CHECK(resolved(R"({"method": "lomo"})").resolved.recipe.optimizer_in_backward);
  CHECK(resolved(R"({"method": "badam"})").resolved.recipe.fp32_master_weights);
  CHECK(resolved(R"({"method": "galore", "optimizer": "sgd"})").finding("contradiction", "/recipe/optimizer"));
  CHECK(resolved(R"({"method": "prefix"})").finding("contradiction", "/recipe/gradient_checkpointing") == nullptr);
  CHECK(resolved(R"({"method": "prefix", "gradient_checkpointing": "full"})").finding("contradiction", "/recipe/gradient_checkpointing"));
}

TEST_CASE("versions that are not stated are those of the time of what is") {
  const auto o = resolved(R"({"method": "lora", "framework_version": "transformers 4.44.0"})");
  // peft 0.12.0 is of 24 July 2024, transformers 4.44.0 of 6 August (catalog/frameworks/releases.json)
  CHECK(o.resolved.versions["peft"] == "0.12.0");
  const auto implied = resolved(R"({"method": "lora", "loss_variant": "hf_until_4_44"})");
  CHECK(implied.resolved.versions["transformers"] == "4.44.0");
}

TEST_CASE("rows that vary: records of lengths given, of a dataset, or of none") {
  const auto given = resolved(
      R"({"method": "lora", "sequence_length": 2048, "per_device_train_batch_size": 1, "lengths": [100, 300, 200, 900, 50, 2048]})");
  CHECK(given.resolved.recipe.record_lengths == std::vector<std::int64_t>{100, 300, 900, 2048});
  const auto swift = resolved(R"({"method": "lora", "framework": "ms-swift", "sequence_length": 2048, "per_device_train_batch_size": 1})");
  CHECK(swift.resolved.recipe.record_lengths == std::vector<std::int64_t>{1294, 1770, 1946});  // 1 - 1/e, 1 - 1/e^2, 1 - 1/e^3
  const auto packed = resolved(R"({"method": "lora", "framework": "ms-swift", "sequence_length": 2048, "packing": true})");
  CHECK(packed.resolved.recipe.record_lengths.empty());
}

TEST_CASE("only a frozen base can be quantised") {
  const auto o = resolved(R"({"method": "full", "quantization": {"scheme": "nf4"}})");
  CHECK_FALSE(o.ok);
  const auto* f = o.finding("quantized_base_trained", "/recipe/quantization");
  REQUIRE(f);
  CHECK(f->message.find("frozen base") != std::string::npos);
  CHECK(resolved(R"({"method": "lora", "quantization": {"scheme": "int8"}})").resolved.recipe.method == Method::qlora);
}

TEST_CASE("fields that say the same thing: the more specific wins, a contradiction is an error") {
  struct Pair {
    const char* recipe;
    const char* code;  // nullptr: agrees
    const char* pointer;
  };
  const Pair pairs[] = {
      {R"({"method": "lora", "trainable_dtype": "bf16", "lora": {"dtype": "fp32"}})", "contradiction", "/recipe/trainable_dtype"},
      {R"({"method": "lora", "trainable_dtype": "bf16", "lora": {"dtype": "bf16"}})", nullptr, ""},
      {R"({"method": "lora", "loss": "fused", "loss_variant": "hf_4_47"})", "contradiction", "/recipe/loss"},
      {R"({"method": "lora", "loss": "fused", "loss_variant": "unsloth"})", nullptr, ""},
      {R"({"method": "lora", "loss": "full_logits", "loss_variant": "unsloth"})", nullptr, ""},
      {R"({"method": "lora", "optimizer": "adamw_torch_fused", "optimizer_impl": "foreach"})", "contradiction", "/recipe/optimizer_impl"},
      {R"({"method": "lora", "optimizer": "adamw_torch_fused", "optimizer_impl": "fused"})", nullptr, ""},
      {R"({"method": "full", "optimizer_in_backward": true, "gradient_accumulation_steps": 4})", "contradiction",
       "/recipe/optimizer_in_backward"},
      {R"({"method": "lora", "per_device_train_batch_size": 2, "gradient_accumulation_steps": 4, "global_batch_size": 16})",
       "contradiction", "/recipe/global_batch_size"},
      {R"({"method": "qlora", "quantization": {"scheme": "nf4", "block_size": 100}})", "no_such_block_size",
       "/recipe/quantization/block_size"},
      {R"({"method": "lora", "lora": {"target_modules": ["qproj"]}})", "unknown_module", "/recipe/lora/target_modules"},
  };
  for (const Pair& p : pairs) {
    const auto o = resolved(p.recipe);
    INFO(p.recipe);
    CHECK(o.ok == (p.code == nullptr));
    if (p.code) CHECK(o.finding(p.code, p.pointer));
  }
  CHECK(resolved(R"({"method": "lora", "trainable_dtype": "bf16"})").resolved.recipe.lora->dtype == DType::bf16);
  CHECK(resolved(R"({"method": "lora", "lora": {"dtype": "bf16"}})").resolved.recipe.trainable_dtype == DType::bf16);
  CHECK(resolved(R"({"method": "full", "base_dtype": "fp16"})").resolved.recipe.trainable_dtype == DType::fp16);
  CHECK(resolved(R"({"method": "full", "trainable_dtype": "fp32"})").resolved.recipe.base_dtype == DType::fp32);
  CHECK(resolved(R"({"method": "lora", "loss": "fused"})").resolved.recipe.loss == LossVariant::liger);
  CHECK(resolved(R"({"method": "lora", "kernels": ["liger"]})").resolved.recipe.loss == LossVariant::liger);
  CHECK(resolved(R"({"method": "lora", "kernels": ["liger"], "loss": "full_logits"})").resolved.recipe.loss == LossVariant::hf_from_4_50);
  CHECK(
      resolved(R"({"method": "lora", "per_device_train_batch_size": 2, "global_batch_size": 16})").resolved.recipe.gradient_accumulation ==
      8);
}

TEST_CASE("fields without effect are told, not refused") {
  struct Unused {
    const char* recipe;
    const char* pointer;
  };
  const Unused cases[] = {
      {R"({"method": "full", "lora": {"r": 8}})", "/recipe/lora"},
      {R"({"method": "full", "base_dtype": "bf16", "trainable_dtype": "fp32"})", "/recipe/base_dtype"},
      {R"({"method": "lora", "kbit_prep": "peft_fp32"})", "/recipe/kbit_prep"},
      {R"({"method": "lora", "optimizer": "adamw_8bit", "optimizer_impl": "foreach"})", "/recipe/optimizer_impl"},
      {R"({"method": "lora", "rollout": {"engine": "vllm"}})", "/recipe/rollout"},
  };
  for (const Unused& c : cases) {
    const auto o = resolved(c.recipe);
    INFO(c.recipe);
    CHECK(o.ok);
    CHECK(o.finding("ignored", c.pointer));
  }
}

TEST_CASE("every field reaches the recipe") {
  const auto o = resolved(R"({
    "framework": "transformers", "method": "qlora", "base_dtype": "fp16", "quantization": {"scheme": "fp4", "double_quant": false, "block_size": 128},
    "kbit_prep": "none", "mixed_precision": "fp16", "trainable_dtype": "fp16", "master_weights": "fp32", "gradient_dtype": "fp32", "optimizer": "sgd_momentum",
    "optimizer_impl": "for_loop", "per_device_train_batch_size": 3, "gradient_accumulation_steps": 5, "sequence_length": 4096.0, "packing": true,
    "attention_mask": true, "use_reentrant": true, "allocator_conf": "max_split_size_mb:128,expandable_segments:True", "gradient_checkpointing": "full",
    "attention": "eager", "loss_variant": "no_upcast", "compile": true, "kernels": ["liger", "unsloth"],
    "lora": {"r": 4, "alpha": 8, "dropout": 0.1, "target_modules": ["q_proj", "v_proj"], "modules_to_save": ["lm_head"], "dtype": "fp16"}})");
  REQUIRE(o.ok);
  const Recipe& r = o.resolved.recipe;
  CHECK(r.method == Method::qlora);
  CHECK(r.base_dtype == DType::fp16);
  CHECK(r.quantization->scheme == Scheme::fp4);
  CHECK_FALSE(r.quantization->double_quant);
  CHECK(r.quantization->block_size == 128);
  CHECK_FALSE(r.kbit_prep);
  CHECK(r.mixed_precision == MixedPrecision::fp16);
  CHECK(r.trainable_dtype == DType::fp16);
  CHECK(r.fp32_master_weights);
  CHECK(r.gradient_dtype == DType::fp32);
  CHECK(r.optimizer == Optimizer::sgd_momentum);
  CHECK(r.optimizer_impl == OptimizerImpl::for_loop);
  CHECK(r.tokens() == 3 * 4096);
  CHECK(r.gradient_accumulation == 5);
  CHECK((r.packing && r.attention_mask && r.expandable_segments && r.compile && r.liger && r.unsloth));
  CHECK(r.habits.reentrant_checkpoint);
  CHECK(r.checkpointing == Checkpointing::full);
  CHECK(r.attention == AttentionImpl::eager);
  CHECK(r.loss == LossVariant::no_upcast);
  CHECK(r.lora->r == 4);
  CHECK(r.lora->dropout == Approx(0.1));
  CHECK(r.lora->target_modules == std::vector<std::string>{"q_proj", "v_proj"});
  CHECK(r.lora->modules_to_save == std::vector<std::string>{"lm_head"});
}

TEST_CASE("names of parts of a fused module mean that module") {
  const auto o = resolved(R"({"method": "lora", "lora": {"r": 16, "target_modules": ["q_proj", "v_proj", "down_proj"]}})", "{}",
                          "\"microsoft/Phi-3-mini-4k-instruct\"");
  REQUIRE(o.ok);
  CHECK(estimate_memory(o.resolved.model.architecture, o.resolved.recipe, {})->trainable_parameters ==
        32 * 16 * ((3072 + 3 * 3072) + (8192 + 3072)));  // one pair on qkv_proj, one on down_proj, 32 layers, rank 16
  CHECK(o.finding("fused_module", "/recipe/lora/target_modules"));
}

TEST_CASE("versions that cannot be read are left out and told, never taken for old ones") {
  for (const char* wrong :
       {R"({"transformers": "abc"})", R"({"transformers": ""})", R"({"foo": "1.0"})", R"("transformers 4.48.1 peft 0.13.2")"}) {
    INFO(wrong);
    const auto o = resolved((std::string(R"({"method": "lora", "framework_version": )") + wrong + "}").c_str(), "{}");
    REQUIRE(o.ok);
    CHECK(o.finding("not_understood", "/recipe/framework_version"));
    CHECK(o.resolved.recipe.loss == resolved(R"({"method": "lora"})", "{}").resolved.recipe.loss);
  }
}

TEST_CASE("the usual names of linears stand for a model's own") {
  const auto o = resolved(R"({"method": "lora", "lora": {"r": 8, "target_modules": ["o_proj", "up_proj"]}})", "{}", "\"microsoft/phi-2\"");
  REQUIRE(o.ok);
  CHECK(estimate_memory(o.resolved.model.architecture, o.resolved.recipe, {})->trainable_parameters ==
        32 * 8 * ((2560 + 2560) + (2560 + 10240)));
  CHECK_FALSE(o.finding("unknown_module", "/recipe/lora/target_modules"));
}

TEST_CASE("where it runs") {
  const char* recipe = R"({"method": "lora"})";
  const auto none = resolved(recipe, "{}");
  REQUIRE(none.ok);
  CHECK_FALSE(none.resolved.place.given);
  CHECK(none.resolved.place.read.accelerator.context.value > 0);
  CHECK(none.assumption("/placement/accelerator"));

  const auto whole = resolved(recipe),
             shared = resolved(recipe, R"({"accelerator": "NVIDIA-H100-80GB-SXM", "memory_used_by_others_bytes": 1e9})");
  REQUIRE((whole.ok && shared.ok));
  CHECK(whole.resolved.place.read.accelerator.capacity.value - shared.resolved.place.read.accelerator.capacity.value == 1'000'000'000);
  CHECK(shared.resolved.place.accelerator == "nvidia-h100-80gb-sxm");

  const auto system = resolved(recipe, R"({"system": "hgx-b300-8"})");
  REQUIRE(system.ok);
  CHECK(system.resolved.place.accelerator == "nvidia-b300-288gb");
  CHECK(system.assumption("/placement/accelerators"));

  CHECK(resolved(recipe, R"({"system": "hgx-b300-8", "accelerator": "nvidia-l4"})").finding("contradiction", "/placement/accelerator"));
  CHECK(resolved(recipe, R"({"system": "hgx-b300-9"})").finding("unknown_system", "/placement/system"));
  CHECK(resolved(recipe, R"({"accelerator": "nvidia-l4", "memory_used_by_others_bytes": 1e12})")
            .finding("no_memory_left", "/placement/memory_used_by_others_bytes"));
  const auto turing = resolved(R"({"method": "lora", "attention": "flash_attention_2"})", R"({"accelerator": "nvidia-t4"})");
  CHECK(turing.finding("not_on_accelerator", "/placement/accelerator"));
}

TEST_CASE("every habit of the engine can be set, and every habit it has is known by name") {
  CHECK(habit_names().size() == members<Habits>());
  Habits habits;
  for (const auto& name : habit_names()) {
    INFO(name);
    const Json value = habit_value(habits, name);
    CHECK_FALSE(value.is_null());
    CHECK(set_habit(habits, name, value));
    CHECK_FALSE(set_habit(habits, name, 17));
  }
  CHECK_FALSE(set_habit(habits, "no_such_habit", true));
}

// Facts about code that the engine does not model yet: listed here so that none is overlooked. Take a name out when it becomes
// a member of Habits.
TEST_CASE("habits in the catalogue are either of the engine or on the list of those it does not use") {
  const std::set<std::string> unused{"causal_mask_buffer_bytes",     "empty_cache_steps", "fused_ce_chunk", "lora_kernels",
                                     "loss_on_labelled_tokens_only", "qkv_contiguous"};
  const std::set<std::string> of_fields{"attention_mask_passed", "loss_variant"};
  const auto known = habit_names();
  const Catalogue catalogue;
  for (const Json* framework : catalogue.all(Kind::frameworks)) {
    for (const Json& rule : (*framework)["habits"]) {
      const auto name = rule["habit"].get<std::string>();
      INFO((*framework)["id"].dump() << " " << name);
      Habits habits;
      const bool used = std::find(known.begin(), known.end(), name) != known.end();
      CHECK((used || unused.count(name) || of_fields.count(name)));
      CHECK_FALSE((used && unused.count(name)));
      if (used) CHECK(set_habit(habits, name, rule["value"]));
    }
  }
}

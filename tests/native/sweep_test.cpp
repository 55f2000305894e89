// Architectures of the catalogue under every method: a figure, sound parts, and more for longer rows. A sixth of the pairs, in turn; all of
// them with TUNEFIT_SWEEP=all in the environment.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <map>

#include "catalogue.h"
#include "catch.h"
#include "engine_cases.h"
#include "model.h"
#include "schema.h"

namespace tunefit::test {
namespace {

std::map<std::string, Recipe> recipes() {
  std::map<std::string, Recipe> all;
  all["full"] = full_bf16();
  all["lora"] = lora();
  all["qlora"] = qlora_kbit();
  for (const auto& [name, kind] : {std::pair{"dora", AdapterKind::dora},
                                   {"adalora", AdapterKind::adalora},
                                   {"vera", AdapterKind::vera},
                                   {"loha", AdapterKind::loha},
                                   {"lokr", AdapterKind::lokr},
                                   {"oft", AdapterKind::oft},
                                   {"ia3", AdapterKind::ia3}}) {
    all[name] = lora();
    all[name].lora->kind = kind;
  }
  all["qdora"] = qlora_kbit();
  all["qdora"].lora->kind = AdapterKind::dora;
  for (const auto& [name, scheme] :
       {std::pair{"gptq", Scheme::gptq4}, {"awq", Scheme::awq4}, {"hqq", Scheme::hqq4}, {"int8", Scheme::int8}}) {
    all[name] = qlora_kbit();
    all[name].kbit_prep = false;
    all[name].quantization = Quantization{scheme, false, 128};
  }
  all["freeze"] = full_bf16();
  all["freeze"].method = Method::freeze;
  all["freeze"].freeze = Freeze{};
  all["lisa"] = all["freeze"];
  all["lisa"].freeze = Freeze{2, true, true, true};
  all["prompt"] = lora();
  all["prompt"].lora.reset();
  all["prompt"].method = Method::prompt;
  all["prompt"].virtual_tokens = 20;
  all["prefix"] = all["prompt"];
  all["prefix"].method = Method::prefix;
  all["prefix"].checkpointing = Checkpointing::none;
  all["galore"] = full_bf16();
  all["galore"].optimizer = Optimizer::galore_adamw;
  all["lomo"] = full_bf16();
  all["lomo"].optimizer = Optimizer::lomo;
  all["lomo"].optimizer_in_backward = true;
  for (auto& [name, r] : all) r.batch = 2, r.sequence_length = 512;
  return all;
}

}  // namespace

TEST_CASE("every model by every method has sound figures", "[sweep]") {
  const json::Catalogue catalogue;
  const auto all = recipes();
  int sized = 0, dense = 0, models = 0;
  const bool whole = std::getenv("TUNEFIT_SWEEP") != nullptr;
  for (const json::Json* entry : catalogue.all(json::Kind::models)) {
    if (json::member(*entry, "dims_of")) continue;
    const json::Json* kind = json::member(*entry, "kind");
    if (*kind == json::Json("dense") && dense++ % 8 != 0) continue;  // of the many alike, one in eight
    Architecture a;
    std::string why_not;
    REQUIRE(json::read_architecture(*entry, a, why_not));
    ++models;
    int method = 0;
    for (const auto& [name, recipe] : all) {
      if (!whole && (models + method++) % 6 != 0) continue;
      INFO(a.id << " by " << name);
      Recipe r = recipe;
      const auto attends = [](const Layer& l) { return l.attention.has_value(); };
      if (r.method == Method::prefix && !(a.causal && std::all_of(a.kinds.begin(), a.kinds.end(), attends))) continue;  // refused
      if (!a.language_head) r.task = Task::classification;
      if (a.encoder && a.encoder->input == Encoder::Input::patches) r.image_tokens = 128;
      double last = 0;
      for (const std::int64_t length : {256, 512}) {
        r.sequence_length = length;
        const auto m = estimate_memory(a, r, big_card());
        REQUIRE(m.has_value());
        CHECK(m->allocated.expected >= last);
        CHECK(m->trainable_parameters > 0);
        CHECK(m->reserved.expected >= m->allocated.expected);
        bool sound = true;  // one assertion a sizing: Catch takes longer for each than a sizing does
        for (const PhasePeak& p : m->timeline) {
          std::int64_t sum = 0;
          for (const std::int64_t part : p.items) sum += part, sound = sound && part >= 0;
          sound = sound && sum == p.bytes.value;
        }
        CHECK(sound);
        last = m->allocated.expected;
        ++sized;
      }
    }
  }
  std::printf("sweep: %d sizings\n", sized);
}

}  // namespace tunefit::test

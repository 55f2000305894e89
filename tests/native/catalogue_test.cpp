#include "catalogue.h"

#include <set>
#include <string>

#include "accelerator.h"
#include "catch.h"
#include "embedded.h"
#include "schema.h"

using namespace tunefit;
using namespace tunefit::json;

namespace {

ReadAccelerator accelerator(const char* id) {
  const Catalogue catalogue;
  const Json* entry = catalogue.find_accelerator(id);
  INFO(id);
  REQUIRE(entry != nullptr);
  ReadAccelerator out;
  std::string why_not;
  REQUIRE(read_accelerator(*entry, out, why_not));
  return out;
}

const Json kBox = {{"id", "acme-box"}, {"name", "Acme box"}, {"accelerator", "nvidia-h100-80gb-sxm"}, {"accelerators", 2}, {"nodes", 1}};

Findings overlay(Catalogue& catalogue, const char* kind, Json entry) {
  Findings findings;
  catalogue.apply_overlay({{kind, Json::array({std::move(entry)})}}, findings);
  return findings;
}

}  // namespace

TEST_CASE("what is compiled in", "[catalogue]") {
  const Catalogue catalogue;
  CHECK(catalogue.all(Kind::models).size() >= 526);
  CHECK(catalogue.all(Kind::accelerators).size() >= 88);
  CHECK(catalogue.all(Kind::systems).size() >= 46);
  CHECK(catalogue.all(Kind::offers).size() >= 97);
  CHECK(embedded::kVersion.size() == 12);
  CHECK(embedded::kDate.size() == 10);
  CHECK(catalogue.all(Kind::glossary).size() >= 140);
  CHECK(catalogue.all(Kind::rules).size() >= 24);
  for (const Kind kind : {Kind::models, Kind::accelerators, Kind::systems, Kind::offers, Kind::glossary, Kind::rules}) {
    std::set<std::string> ids;
    for (const Json* entry : catalogue.all(kind)) {
      const std::string id = text_of((*entry)["id"]);
      CHECK(ids.insert(id).second);
      CHECK(catalogue.find(kind, id) == entry);
      if (const Json* sources = member(*entry, "sources")) {
        for (const auto& source : *sources) CHECK(source.is_string());
      }
      if (const Json* source = member(*entry, "source")) CHECK(source->is_string());
    }
  }
}

TEST_CASE("models answer to catalogue id and hub id whatever the case", "[catalogue]") {
  const Catalogue catalogue;
  const Json* entry = catalogue.find_model("meta-llama/Llama-3.1-8B");
  REQUIRE(entry != nullptr);
  CHECK(entry == catalogue.find_model("LLAMA-3.1-8b"));
  CHECK((*entry)["family"] == "Llama 3.1");
  CHECK((*entry)["owner"] == "Meta");
  CHECK((*entry)["licence"]["class"] == "conditional");
  CHECK((*entry)["params_total_source"].is_string());
  // Dimensions of another model (dims_of).
  const Json* twin = catalogue.find_model("meta-llama/Llama-3.1-8B-Instruct");
  REQUIRE(twin != nullptr);
  CHECK((*twin)["hidden_size"] == 4096);
  CHECK(catalogue.find_model("") == nullptr);
  CHECK(catalogue.find_model("llama") == nullptr);
}

TEST_CASE("terms answer to their aliases, systems keep their options, slices their sources", "[catalogue]") {
  const Catalogue catalogue;
  const Json terms = catalogue.list(Kind::glossary, "paged_adamw_8bit");
  REQUIRE(terms.size() == 1);
  CHECK(terms[0]["id"] == "paged-optimizer");
  CHECK(catalogue.list(Kind::glossary, "paged", Detail::summary)[0].contains("text"));
  const Json* rule = catalogue.find(Kind::rules, "full-16-to-20-bytes");
  REQUIRE(rule != nullptr);
  CHECK((*rule)["arithmetic"]["value"] == Json({16, 20}));
  CHECK((*rule)["misleads_source"].is_string());
  const Json* dgx = catalogue.find_system("dgx-b200");
  REQUIRE(dgx != nullptr);
  const Json& ram = (*dgx)["options"][0];
  CHECK(ram["default"] == "ram-2tb");
  CHECK(ram["choices"][0]["sets"].empty());
  CHECK(ram["choices"][1]["sets"]["host"]["ram_bytes"] == 4398046511104);
  const Json* h200 = catalogue.find_accelerator("nvidia-h200-141gb-sxm");
  REQUIRE(h200 != nullptr);
  CHECK((*h200)["mig"][0]["memory_bytes"] == 17179869184);
  CHECK((*h200)["mig"][0]["memory_source"].is_string());
}

TEST_CASE("lists and suggestions", "[catalogue]") {
  const Catalogue catalogue;
  CHECK(catalogue.list(Kind::models, "LLAMA 3.2 meta").size() >= 4);
  CHECK(catalogue.list(Kind::models, "no such thing").empty());
  CHECK(catalogue.list(Kind::accelerators, "").size() == catalogue.all(Kind::accelerators).size());
  const Json brief = catalogue.list(Kind::models, "llama-3.1-8b-instruct", Detail::summary);
  REQUIRE(brief.size() == 1);
  CHECK(brief[0]["params_total"] == 8'030'261'248);
  CHECK_FALSE(brief[0].contains("hidden_size"));
  const auto near = catalogue.suggestions(Kind::models, "meta-llama/Lama-3.1-8B");
  REQUIRE_FALSE(near.empty());
  CHECK(near[0] == "llama-3.1-8b");
  const auto cards = catalogue.suggestions(Kind::accelerators, "nvidia-a100-80gb");
  REQUIRE_FALSE(cards.empty());
  CHECK(cards[0].find("nvidia-a100-80gb") == 0);
  CHECK(catalogue.suggestions(Kind::models, "").empty());
  CHECK(catalogue.suggestions(Kind::models, std::string(100000, 'x')).empty());
}

TEST_CASE("systems of the hardware vendors' guides are there", "[catalogue]") {
  const Catalogue catalogue;
  for (const char* id : {"ws-4x-rtxpro6000", "ws-4x-rtxpro6000-lc", "srv-4u-4gpu-pcie", "srv-8gpu-pcie-rtxpro6000", "hgx-b300-8",
                         "hgx-pod-b300-4x8", "openmetal-h200", "openmetal-rp6000", "openmetal-cpu", "oem-4u-multigpu"}) {
    INFO(id);
    CHECK(catalogue.find_system(id) != nullptr);
  }
  const Json& pod = *catalogue.find_system("hgx-pod-b300-4x8");
  CHECK(pod["accelerators"] == 32);
  CHECK(pod["nodes"] == 4);
}

TEST_CASE("capacity: reported, or derived from the marketed size", "[accelerator]") {
  const auto h100 = accelerator("nvidia-h100-80gb-sxm");
  CHECK(h100.accelerator.capacity_reported);
  CHECK(h100.accelerator.capacity.value > 79 * kGiB);
  CHECK(h100.accelerator.capacity.value <= 81559 * kMiB);
  CHECK(h100.accelerator.blas_workspace.value == 32 * kMiB);
  const auto a100 = accelerator("nvidia-a100-80gb-sxm");
  CHECK(a100.accelerator.blas_workspace.value == 8 * kMiB + 128 * kKiB);
  CHECK(a100.accelerator.context.value > 400 * kMiB);
  // No source: 0.98 of 16 GiB, and 0.94 with error correction in GDDR6.
  const auto rtx5000 = accelerator("nvidia-quadro-rtx-5000");
  CHECK_FALSE(rtx5000.accelerator.capacity_reported);
  CHECK(rtx5000.accelerator.capacity.value == 16 * kGiB / 100 * 98 + 16 * kGiB % 100 * 98 / 100);
  CHECK(rtx5000.capacity_because.find("0.98") != std::string::npos);
  const Catalogue catalogue;
  Json a16 = *catalogue.find_accelerator("nvidia-a16");
  a16["memory_reported_bytes"] = nullptr;
  ReadAccelerator ecc;
  std::string why_not;
  REQUIRE(read_accelerator(a16, ecc, why_not));
  CHECK_FALSE(ecc.accelerator.capacity_reported);
  CHECK(ecc.accelerator.capacity.value < 16 * kGiB * 95 / 100);
  CHECK(ecc.capacity_because.find("0.94") != std::string::npos);
  // One of the two devices of a module.
  CHECK(accelerator("amd-mi250x").accelerator.capacity.value < 64 * kGiB);
}

TEST_CASE("what cannot be sized on is told", "[accelerator]") {
  const Catalogue catalogue;
  ReadAccelerator out;
  std::string why_not;
  for (const char* id : {"google-tpu-v5e", "apple-m3-ultra", "intel-gaudi3"}) {
    INFO(id);
    REQUIRE(catalogue.find_accelerator(id) != nullptr);
    CHECK_FALSE(read_accelerator(*catalogue.find_accelerator(id), out, why_not));
    CHECK_FALSE(why_not.empty());
  }
  CHECK_FALSE(read_accelerator(Json::object(), out, why_not));
  CHECK(typical_accelerator().accelerator.context.value > 0);
}

TEST_CASE("an overlay adds and replaces entries", "[catalogue]") {
  Catalogue catalogue;
  CHECK(overlay(catalogue, "systems", kBox).empty());
  REQUIRE(catalogue.find_system("acme-box") != nullptr);
  CHECK((*catalogue.find_system("acme-box"))["basis"] == "overlay");
  CHECK(Catalogue().find_system("acme-box") == nullptr);

  const std::size_t before = catalogue.all(Kind::systems).size();
  Json mine = kBox;
  mine["id"] = "hgx-b300-8";
  const auto refused = overlay(catalogue, "systems", mine);
  REQUIRE(refused.size() == 1);
  CHECK(refused[0].code == "duplicate_id");
  CHECK(refused[0].pointer == "/catalogue_overlay/systems/0/id");
  mine["replaces"] = true;
  CHECK(overlay(catalogue, "systems", mine).empty());
  CHECK((*catalogue.find_system("hgx-b300-8"))["name"] == "Acme box");
  CHECK(catalogue.all(Kind::systems).size() == before);

  const Json model = {{"id", "acme-9b"}, {"kind", "dense"}, {"dims_of", "llama-3.1-8b"}};
  CHECK(overlay(catalogue, "models", model).empty());
  CHECK((*catalogue.find_model("acme-9b"))["hidden_size"] == 4096);
}

TEST_CASE("what is wrong with an overlay is told with its place", "[catalogue]") {
  Catalogue catalogue;
  const auto first = [&](const char* kind, Json entry) {
    const auto findings = overlay(catalogue, kind, std::move(entry));
    REQUIRE_FALSE(findings.empty());
    CHECK_FALSE(findings[0].hint.empty());
    CHECK(findings[0].severity == "error");
    return findings[0].pointer;
  };
  Json entry = kBox;
  entry["accelerator"] = "nvidia-h100-80gb-sxm9";
  CHECK(first("systems", entry) == "/catalogue_overlay/systems/0/accelerator");
  entry = kBox;
  entry["acelerators"] = 2;
  CHECK(first("systems", entry) == "/catalogue_overlay/systems/0/acelerators");
  entry = kBox;
  entry["accelerators"] = "two";
  CHECK(first("systems", entry) == "/catalogue_overlay/systems/0/accelerators");
  entry = kBox;
  entry["id"] = "Acme Box";
  CHECK(first("systems", entry) == "/catalogue_overlay/systems/0/id");
  entry = kBox;
  entry["price"] = {{"purchase_usd", 42}, {"date", "2026-08-27"}, {"source", "quote"}};
  CHECK(first("systems", entry) == "/catalogue_overlay/systems/0/price/purchase_usd");
  entry["price"] = {{"purchase_usd", 42000}, {"date", "27.8.2026"}, {"source", "quote"}};
  CHECK(first("systems", entry) == "/catalogue_overlay/systems/0/price/date");
  CHECK(first("systems", "box") == "/catalogue_overlay/systems/0");
  CHECK(first("models", {{"id", "m"}, {"kind", "dense"}, {"dims_of", "nothing"}}) == "/catalogue_overlay/models/0/dims_of");
  CHECK(first("models", {{"id", "m"}, {"kind", "dense"}, {"hidden_size", 1e12}}) == "/catalogue_overlay/models/0/hidden_size");
  Findings findings;
  catalogue.apply_overlay({{"gadgets", Json::array()}, {"systems", 3}}, findings);
  REQUIRE(findings.size() == 2);
  CHECK(findings[0].pointer == "/catalogue_overlay/gadgets");
  CHECK(findings[1].pointer == "/catalogue_overlay/systems");
  findings.clear();
  catalogue.apply_overlay(7, findings);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].pointer == "/catalogue_overlay");
  CHECK(catalogue.find_system("acme-box") == nullptr);
}

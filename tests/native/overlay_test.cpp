// Overlays through the door: what is wrong gets one finding, with pointer and hint, and does not spoil the rest.
#include <algorithm>
#include <ctime>
#include <string>
#include <vector>

#include "embedded.h"
#include "formats.h"
#include "json_door.h"
#include "overlay_cases.h"

using namespace overlay_cases;

namespace {

// A kind, an entry with one fault, where the finding points below the entry, and what its message or hint says.
struct Fault {
  const char* kind;
  Json entry;
  const char* below;
  const char* says;
};

std::vector<Fault> faults() {
  const std::int64_t gib = 1 << 30;
  const Json slice = {
      {"profile", "1g.6gb"}, {"instances", 4}, {"memory_slices", {1, 4}}, {"compute_slices", {1, 4}}, {"source", "House manual"}};
  const auto with_slice = [&](const char* id, Json change) {
    Json changed = slice;
    changed.update(change);
    return card(id, {{"mig", {changed}}});
  };
  const Json choice = {{"id", "four"}, {"name", "Four"}, {"sets", Json::object()}};
  const Json other = {{"id", "two"}, {"name", "Two"}, {"sets", {{"accelerators", 2}}}};
  const auto option = [](const char* standard, Json choices) {
    return Json{{"id", "cards"},    {"name", "Cards"}, {"what", "accelerators"}, {"default", standard}, {"choices", std::move(choices)},
                {"basis", "memory"}};
  };
  const auto licensed = [](const char* id, Json licence) {
    licence.update({{"basis", "memory"}, {"sources", Json::array()}});
    return like_llama(id, {{"licence", licence}});
  };
  Json taken = card("x");
  taken["id"] = "nvidia-l40s";
  Json offer_taken = machine("x");
  offer_taken["id"] = "aws-p5.48xlarge";
  return {
      {"accelerators", 7, "", "object"},
      {"accelerators", card("text", {{"memory_marketed_bytes", "24 GB"}}), "/memory_marketed_bytes", "number"},
      {"accelerators", card("in-gb", {{"memory_marketed_bytes", 24}}), "/memory_marketed_bytes", "1073741824"},
      {"accelerators", card("negative", {{"power_w", -300}}), "/power_w", "above 0"},
      {"accelerators", card("kilowatts", {{"power_w", 0.3}}), "/power_w", "watts"},
      {"accelerators", card("flops", {{"tflops_dense", {{"bf16", 181e12}}}}), "/tflops_dense/bf16", "1000000"},
      {"accelerators", card("sparse", {{"tflops_dense", {{"bf16", 300}, {"fp8", 200}}}}), "/tflops_dense/bf16", "sparsity"},
      {"accelerators", card("bandwidth", {{"memory_bandwidth_bytes_per_s", 864}}), "/memory_bandwidth_bytes_per_s", "from 1000000000"},
      {"accelerators", card("reports", {{"memory_reported_bytes", 48 * gib}}), "/memory_reported_bytes", "marketed"},
      {"accelerators", card("reports-less", {{"memory_reported_bytes", 12 * gib}}), "/memory_reported_bytes", "nine tenths"},
      {"accelerators", card("cents", {{"price", buy(120'000'000)}}), "/price/purchase_usd", "USD"},
      {"accelerators", card("cents-2", {{"price", buy(400'000)}}), "/price/purchase_usd", "USD for one"},
      {"accelerators", card("member", {{"memory_gb", 24}}), "/memory_gb", "field"},
      {"accelerators", card("Upper Case"), "/id", "Lower case"},
      {"accelerators", card("good-1"), "/id", "overlay twice"},
      {"accelerators", taken, "/id", "\"replaces\": true"},
      {"accelerators", card("nothing", {{"replaces", true}}), "/replaces", "no \"house-nothing\""},
      {"accelerators", with_slice("mig-name", {{"profile", "6gb"}}), "/mig/0/profile", "3g.40gb"},
      {"accelerators", with_slice("mig-many", {{"instances", 5}}), "/mig/0/instances", "fit"},
      {"accelerators", with_slice("mig-slices", {{"compute_slices", {2, 4}}}), "/mig/0/compute_slices", "slices"},
      {"accelerators", with_slice("mig-bytes", {{"memory_bytes", 8 * gib}, {"memory_source", "manual"}}), "/mig/0/memory_bytes", "name"},
      {"systems", machine("near", {{"accelerator", "nvidia-l40ss"}}), "/accelerator", "nvidia-l40s"},
      {"systems", machine("far", {{"accelerator", "nothing-like-it"}}), "/accelerator", "overlay"},
      {"systems", machine("of-wrong", {{"accelerator", "house-negative"}}), "/accelerator", "accelerator"},
      {"systems", machine("none", {{"accelerators", -4}}), "/accelerators", "0"},
      {"systems", machine("odd", {{"nodes", 3}}), "/accelerators", "divide"},
      {"systems", machine("null", {{"accelerator", nullptr}}), "/accelerators", "null"},
      {"systems", machine("cents", {{"price", buy(4'200'000)}}), "/price/purchase_usd", "USD"},
      {"systems", machine("thousands", {{"price", buy(42)}}), "/price/purchase_usd", "100"},
      {"systems", machine("price-text", {{"price", buy("42,000")}}), "/price/purchase_usd", "number"},
      {"systems", machine("undated", {{"price", {{"purchase_usd", 42000}, {"source", "list"}}}}), "/price/date", "given"},
      {"systems", machine("day", {{"price", buy(42000, "12.11.2026")}}), "/price/date", "2026-08-27"},
      {"systems", machine("ram", {{"host", {{"ram_bytes", 2 * gib}}}}), "/host/ram_bytes", "bytes of one node"},
      {"systems", machine("ram-most", {{"host", {{"ram_bytes", 64 * gib}, {"ram_max_bytes", 32 * gib}}}}), "/host/ram_bytes", "fits"},
      {"systems", machine("offer", {}, "aws-p5.48xlarge"), "/id", "offer"},
      {"systems", machine("default", {{"options", {option("eight", {choice, other})}}}), "/options/0/default", "choice"},
      {"systems", machine("choices", {{"options", {option("four", {choice, choice})}}}), "/options/0/choices/1/id", "Two choices"},
      {"systems", machine("options", {{"options", {option("four", {choice, other}), option("four", {choice, other})}}}), "/options/1/id",
       "Two options"},
      {"systems",
       machine("edition", {{"options", {option("four", {choice, {{"id", "x"}, {"name", "X"}, {"sets", {{"accelerator", "h1000"}}}}})}}}),
       "/options/0/choices/1/sets/accelerator", "no accelerator"},
      {"offers", rented("in-cents", hour(350)), "/price/usd_per_hour", "USD"},
      {"offers", rented("per-month", hour(3500)), "/price/usd_per_hour", "hour"},
      {"offers", rented("per-second", hour(0.0009)), "/price/usd_per_hour", "0.001"},
      {"offers", rented("cheap", hour(0.05)), "/price/usd_per_hour", "0.02 to 50"},
      {"offers", rented("negative", hour(-3.5)), "/price/usd_per_hour", "0.001"},
      {"offers", rented("text", hour("3.50")), "/price/usd_per_hour", "without quotes"},
      {"offers", rented("bare", 3.5), "/price", "object"},
      {"offers", rented("box"), "/id", "system"},
      {"models", like_llama("of-none", {{"dims_of", "no-such-model"}}), "/dims_of", "model"},
      {"models", like_llama("thick", {{"kind", "thick"}}), "/kind", "dense"},
      {"models", {{"id", "house-bare"}, {"kind", "dense"}}, "/hidden_size", "dims_of"},
      {"models", like_llama("both", {{"vocab_size", 128256}}), "/vocab_size", "dims_of"},
      {"models", like_llama("count", {{"params_total", 7'000'000'000}}), "/params_total", "8030261248"},
      {"models", like_llama("hub", {{"hf_id", "meta-llama/Llama-3.1-8B"}}), "/hf_id", "llama-3.1-8b"},
      {"models", like_llama("hub-form", {{"hf_id", "Llama-3.1-8B"}}), "/hf_id", "Owner and name"},
      {"models", like_llama("commit", {{"revision", "main"}}), "/revision", "commit"},
      {"models", licensed("licence", {{"id", "apache-2"}}), "/licence/id", "apache-2.0"},
      {"models", licensed("licence-name", {{"id", "mit"}, {"name", "MIT"}}), "/licence/name", "brings"},
  };
}

std::string pointer_of(const char* kind, std::size_t place, const char* below) {
  return std::string("/catalogue_overlay/") + kind + "/" + std::to_string(place) + below;
}

Json with(const std::vector<Fault>& rows) {
  Json all = good();
  for (const Fault& row : rows) all[row.kind].push_back(row.entry);
  return all;
}

std::vector<std::string> pointers(const Json& findings) {
  std::vector<std::string> out;
  for (const Json& f : findings) out.push_back(f["pointer"]);
  std::sort(out.begin(), out.end());
  return out;
}

double seconds_of(const Json& overlay, Json& findings) {
  const std::string call = Json{{"kind", "systems"}, {"query", "house-box-1899"}, {"catalogue_overlay", overlay}}.dump();
  const std::clock_t start = std::clock();
  const Json answer = Json::parse(tunefit::json::catalogue(call));
  const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
  findings = answer.is_object() ? answer["findings"] : answer;
  return seconds;
}

}  // namespace

TEST_CASE("a sound overlay has no findings", "[overlay]") { CHECK(findings_of(good()) == Json::array()); }

TEST_CASE("each fault is told once, with pointer and hint", "[overlay]") {
  for (const Fault& row : faults()) {
    if (row.entry.is_object() && row.entry.value("accelerator", Json()) == "house-negative") continue;  // needs another's fault
    const Json findings = findings_of(with({row}));
    INFO(row.entry.dump() << "\n" << findings.dump(1));
    REQUIRE(findings.size() == 1);
    CHECK(findings[0]["pointer"] == pointer_of(row.kind, good()[row.kind].size(), row.below));
    CHECK(findings[0]["severity"] == "error");
    CHECK_FALSE(findings[0]["hint"].get<std::string>().empty());
    CHECK((has(findings[0], "message", row.says) || has(findings[0], "hint", row.says)));
  }
}

TEST_CASE("all faults of an overlay are told at once, those of the request too", "[overlay]") {
  const auto rows = faults();
  std::vector<std::string> expected;
  Json places = Json::object();
  for (const Fault& row : rows) {
    if (!places.contains(row.kind)) places[row.kind] = good()[row.kind].size();
    const auto place = places[row.kind].get<std::size_t>();
    expected.push_back(pointer_of(row.kind, place, row.below));
    places[row.kind] = place + 1;
  }
  std::sort(expected.begin(), expected.end());
  CHECK(pointers(findings_of(with(rows))) == expected);
  Json request = plain_request();
  request["catalogue_overlay"] = with(rows);
  CHECK(pointers(sized(request)["findings"]) == expected);
  request["recipe"]["sequence_length"] = "long";
  expected.push_back("/recipe/sequence_length");
  CHECK(pointers(sized(request)["findings"]) == expected);
}

TEST_CASE("kinds that are no lists, and no kinds, hide nothing else", "[overlay]") {
  Json overlay = good();
  overlay["accelerators"].push_back(card("text", {{"power_w", "300"}}));
  overlay["accelerators"].push_back("a card");
  overlay["offers"] = "all";
  overlay["gpus"] = Json::array();
  const std::vector<std::string> expected = {"/catalogue_overlay/accelerators/2/power_w", "/catalogue_overlay/accelerators/3",
                                             "/catalogue_overlay/gpus", "/catalogue_overlay/offers"};
  CHECK(pointers(findings_of(overlay)) == expected);
  Json request = plain_request();
  request["catalogue_overlay"] = overlay;
  CHECK(pointers(sized(request)["findings"]) == expected);
  for (const Json& bad : {Json(7), Json("x"), Json(true), Json::array()}) {
    CHECK(pointers(findings_of(bad)) == std::vector<std::string>{"/catalogue_overlay"});
    request["catalogue_overlay"] = bad;
    CHECK(pointers(sized(request)["findings"]) == std::vector<std::string>{"/catalogue_overlay"});
  }
  CHECK(findings_of(nullptr).empty());
}

TEST_CASE("what names an entry that is wrong itself is not told to be unknown", "[overlay]") {
  Json request = plain_request();
  request["model"] = "house-m";
  request["placement"]["accelerator"] = "house-c";
  request["catalogue_overlay"] = {{"models", {like_llama("m", {{"kind", 1}})}}, {"accelerators", {card("c", {{"power_w", "x"}})}}};
  CHECK(pointers(sized(request)["findings"]) ==
        std::vector<std::string>{"/catalogue_overlay/accelerators/0/power_w", "/catalogue_overlay/models/0/kind"});
  request["model"] = "house-n";
  CHECK(sized(request)["findings"].size() == 3);
}

TEST_CASE("a date more than a year after the catalogue's is a warning; the entry is used", "[overlay]") {
  Json request = plain_request();
  request["placement"] = {{"accelerator", "house-c"}};
  const auto warned = [&](const char* date) {
    request["catalogue_overlay"] = {{"accelerators", {card("c", {{"price", buy(900, date)}})}}};
    const Json answer = sized(request);
    INFO(answer.dump(1));
    CHECK_FALSE(answer.contains("error"));
    const Json* f = finding(answer, "future_date", "/catalogue_overlay/accelerators/0/price/date");
    if (f) CHECK(has(*f, "hint", tunefit::json::embedded::kDate));
    return f != nullptr;
  };
  CHECK(warned("2226-08"));
  CHECK(warned("2999"));
  CHECK_FALSE(warned(std::string(tunefit::json::embedded::kDate).c_str()));
}

TEST_CASE("origin: on each entry, and in the assumptions of an answer that rests on one", "[overlay]") {
  const auto entry = [](const char* kind, const char* query, const char* detail) {
    const Json call = {{"kind", kind}, {"query", query}, {"detail", detail}, {"catalogue_overlay", good()}};
    return Json::parse(tunefit::json::catalogue(call.dump()))[0];
  };
  for (const char* detail : {"full", "summary"}) {
    CHECK(entry("accelerators", "house-good-1", detail)["origin"] == "overlay");
    CHECK(entry("models", "house-good-8b", detail)["origin"] == "overlay");
    CHECK_FALSE(entry("accelerators", "nvidia-l40s", detail).contains("origin"));
  }
  const Json model = entry("models", "house-good-8b", "full");
  CHECK(model["licence"]["name"] == "MIT; of its base: " + entry("models", "llama-3.1-8b", "full")["licence"]["name"].get<std::string>());
  CHECK(model["licence"]["class"] == "conditional");
  CHECK(model["licence"]["mind"].size() > 1);
  CHECK(model["licence"]["terms"]["sources"][0].is_string());
  CHECK(model["basis"] == "overlay");

  Json request = plain_request();
  request["model"] = "house-good-8b";
  request["placement"] = {{"system", "house-of-own"}, {"accelerators", 1}};
  request["catalogue_overlay"] = good();
  const Json answer = sized(request);
  INFO(answer["findings"].dump(1));
  REQUIRE(answer.contains("assumptions"));
  std::vector<std::string> told;
  for (const Json& a : answer["assumptions"]) {
    if (has(a, "because", "overlay")) told.push_back(a["pointer"].get<std::string>() + " " + a["value"].get<std::string>());
  }
  CHECK(told == std::vector<std::string>{"/model house-good-8b", "/placement/system house-of-own", "/placement/accelerator house-good-1"});
}

TEST_CASE("models may borrow from one further down, entries may take a catalogue entry's place", "[overlay]") {
  const Json base = Json::parse(R"({"id": "house-base", "kind": "dense", "hidden_size": 64, "num_layers": 2, "vocab_size": 100,
    "intermediate_size": 128, "num_attention_heads": 4, "num_kv_heads": 4, "head_dim": 16, "tie_word_embeddings": true})");
  CHECK(findings_of({{"models", {like_llama("chat", {{"dims_of", "house-base"}}), base}}}).empty());
  Json mine = card("x", {{"replaces", true}});
  mine["id"] = "nvidia-l40s";
  Json request = plain_request();
  request["placement"] = {{"accelerator", "nvidia-l40s"}};
  request["catalogue_overlay"] = {{"accelerators", {mine}}};
  const Json answer = sized(request);
  CHECK(answer["memory"]["capacity_bytes"].get<std::int64_t>() < std::int64_t{24} << 30);
}

TEST_CASE("memory that the operating system shares is told, reported or not", "[overlay]") {
  Json request = plain_request();
  const auto remark = [&](const Json& placement, const Json& overlay) {
    request["placement"] = placement;
    request["catalogue_overlay"] = overlay;
    const Json answer = sized(request);
    INFO(answer.dump(1));
    const Json assumptions = answer["assumptions"];
    return std::any_of(assumptions.begin(), assumptions.end(), [](const Json& a) {
      return a["pointer"] == "/placement/accelerator" && (has(a, "because", "operating system") || has(a, "source", "operating system"));
    });
  };
  CHECK(remark({{"accelerator", "nvidia-gb10"}}, nullptr));
  CHECK_FALSE(remark({{"accelerator", "nvidia-h100-80gb-sxm"}}, nullptr));
  const Json shared = card("s", {{"memory_shared_with_host", true}});
  CHECK(remark({{"accelerator", "house-s"}}, {{"accelerators", {shared}}}));
}

TEST_CASE("10 MB of entries take seconds at most, wrong or right", "[overlay]") {
  std::string words;
  while (words.size() < 2200) words += "as the price list of the House says, ";
  const auto many = [&](std::size_t n, auto make, const Json& more) {
    Json list = Json::array();
    for (std::size_t i = 0; i < n; ++i) list.push_back(make(i, more));
    return list;
  };
  const auto cards = [](std::size_t i, const Json& more) { return card(std::to_string(i).c_str(), more); };
  const auto boxes = [](std::size_t i, const Json& more) { return machine(("box-" + std::to_string(i)).c_str(), more); };
  const Json note = {{"note", words}};
  Json findings;
  CHECK(seconds_of({{"accelerators", many(1900, cards, note)}, {"systems", many(1900, boxes, note)}}, findings) < 2);
  CHECK(findings.size() == 1);  // the entry that was asked for
  CHECK(findings[0]["id"] == "house-box-1899");

  CHECK(seconds_of({{"accelerators", many(10000, cards, {{"note", words.substr(0, 850)}})}}, findings) < 2);
  REQUIRE(findings.size() == 1);
  CHECK(findings[0]["pointer"] == "/catalogue_overlay/accelerators");
  CHECK(has(findings[0], "hint", "5000 at most"));
  CHECK(seconds_of({{"accelerators", many(5000, cards, {})}}, findings) < 2);
  CHECK(findings.empty());
  CHECK(seconds_of({{"accelerators", many(5001, cards, {})}}, findings) < 2);
  CHECK(findings.size() == 1);

  CHECK(seconds_of({{"accelerators", many(1900, cards, {{"power_w", "x"}, {"note", words + words}})}}, findings) < 2);
  CHECK(findings.size() >= 50);
  CHECK(findings.size() <= 101);
  // Longer than a text that the engine reads.
  CHECK(seconds_of({{"accelerators", {card("long", {{"note", std::string(17 << 20, 'x')}})}}}, findings) < 2);
  CHECK(findings.size() == 1);
}

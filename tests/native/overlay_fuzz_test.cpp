// Every member of an entry of each kind replaced by values it may not have: told with a pointer into the overlay, never a crash.
#include <algorithm>
#include <string>
#include <vector>

#include "compiled_in.h"
#include "formats.h"
#include "json_door.h"
#include "overlay_cases.h"
#include "schema.h"

using namespace overlay_cases;
using tunefit::json::Kind;

namespace {

using Schemas = std::vector<std::pair<Kind, const char*>>;
const Schemas kKinds = {
    {Kind::models, "models"}, {Kind::accelerators, "accelerators"}, {Kind::systems, "systems"}, {Kind::offers, "offers"}};

// A sound entry of each kind that has as many members as can be.
Json full(Kind kind) {
  const Json host = {{"cpu_cores", 64},
                     {"cpu_clock_ghz", 2.4},
                     {"ram_bytes", 1LL << 39},
                     {"ram_max_bytes", 1LL << 40},
                     {"nvme_bytes", 8'000'000'000'000},
                     {"network_bits_per_s", 400e9}};
  const Json choices = {{{"id", "four"}, {"name", "Four"}, {"sets", Json::object()}},
                        {{"id", "two"},
                         {"name", "Two"},
                         {"sets", {{"accelerators", 2}, {"accelerator", "nvidia-l40s"}, {"host", {{"ram_bytes", 1LL << 38}}}}},
                         {"unknown", {"power_w"}},
                         {"parts", {{{"what", "accelerator"}, {"count", 2}, {"name", "card"}}}},
                         {"price_delta", {{"usd", -9000}, {"date", "2026-11"}, {"source", "House price list"}}}}};
  switch (kind) {
    case Kind::models:
      return entry("all",
                   {{"kind", "dense"},
                    {"name", "All"},
                    {"hf_id", "house/All"},
                    {"revision", std::string(40, 'a')},
                    {"release", "2026-05"},
                    {"licence", {{"id", "mit"}, {"base", {"llama-3.1"}}, {"basis", "memory"}, {"sources", Json::array()}}},
                    {"hidden_size", 64},
                    {"num_layers", 2},
                    {"vocab_size", 100},
                    {"intermediate_size", 128},
                    {"num_attention_heads", 4},
                    {"num_kv_heads", 2},
                    {"head_dim", 16},
                    {"tie_word_embeddings", true},
                    {"layer_types", {"full", "sliding"}},
                    {"sliding_window", 16},
                    {"sources", {"House"}}},
                   {});
    case Kind::accelerators:
      return card("all", {{"memory_marketed_gb", 24},
                          {"memory_reported_bytes", 23LL << 30},
                          {"memory_visible_bytes", 22LL << 30},
                          {"memory_visible_source", "House"},
                          {"memory_bandwidth_bytes_per_s", 864e9},
                          {"tflops_dense", {{"bf16", 181}, {"fp8", 362}}},
                          {"matmul_measured", {{{"dtype", "bf16"}, {"tflops", 150}, {"source", "House"}}}},
                          {"mig",
                           {{{"profile", "1g.6gb"},
                             {"instances", 4},
                             {"memory_slices", {1, 4}},
                             {"compute_slices", {1, 4}},
                             {"memory_bytes", 5905580032},
                             {"memory_source", "House"},
                             {"source", "House"}}}},
                          {"supports", {{"bf16", true}, {"fp8", "partial"}}},
                          {"price", buy(9000)},
                          {"sources", {"House"}}});
    case Kind::systems:
      return machine("all", {{"nodes", 2},
                             {"host", host},
                             {"places", {"rack"}},
                             {"price", buy(42000)},
                             {"parts", {{{"what", "cpu"}, {"count", 2}, {"name", "processor"}}}},
                             {"options",
                              {{{"id", "cards"},
                                {"name", "Cards"},
                                {"what", "accelerators"},
                                {"default", "four"},
                                {"choices", choices},
                                {"basis", "sources"},
                                {"source", "House"}}}}});
    default: {
      Json offer = rented("all", hour(3.5));
      offer.update({{"host", host},
                    {"price_spot", {{"usd_per_hour", nullptr}, {"usd_per_hour_range", {1, 2}}, {"date", "2026"}, {"source", "House"}}}});
      return offer;
    }
  }
}

// A place in the entry and what its schema says of it.
struct Member {
  Json::json_pointer at;
  const Json* schema;
};

void collect(const Json& given, const Json& root, const Json& value, const Json::json_pointer& at, std::vector<Member>& out) {
  const Json& schema = tunefit::json::resolved(given, root);
  out.push_back({at, &schema});
  if (const Json* properties = tunefit::json::member(schema, "properties"); properties && value.is_object()) {
    for (auto it = properties->begin(); it != properties->end(); ++it)
      collect(*it, root, value.contains(it.key()) ? value[it.key()] : Json(), at / it.key(), out);
  }
  if (const Json* items = tunefit::json::member(schema, "items"); items && value.is_array()) {
    for (std::size_t i = 0; i < value.size(); ++i) collect(*items, root, value[i], at / i, out);
  }
}

// Whether the schema by itself forbids the value.
bool forbids(const Json& schema, const Json& root, const Json& value) {
  std::vector<std::string> types;
  tunefit::json::collect_types(schema, root, types);
  if (std::none_of(types.begin(), types.end(), [&](const auto& t) { return tunefit::json::is_type(t, value); })) return true;
  if (value.is_string()) return schema.contains("format") || schema.contains("enum");
  if (value.is_number() && value.get<double>() < 0)
    return schema.contains("enum") || (schema.contains("minimum") && schema["minimum"] >= 0) || schema.contains("exclusiveMinimum");
  return value.is_number() && (schema.contains("maximum") || schema.contains("x-plausible"));
}

}  // namespace

TEST_CASE("every format of the entry schemas is known to the engine", "[overlay]") {
  for (const auto& [kind, name] : kKinds) {
    const std::string text = tunefit::json::compiled_in::schema(kind).dump();
    static const std::string kBefore = R"("format":")";
    for (auto at = text.find(kBefore); at != std::string::npos; at = text.find(kBefore, at + 1)) {
      const auto from = at + kBefore.size();
      INFO(name << " " << text.substr(from, 20));
      CHECK(tunefit::json::format_of(text.substr(from, text.find('"', from) - from)) != nullptr);
    }
  }
}

TEST_CASE("every member of every kind of entry, replaced by what it may not be", "[overlay]") {
  const std::vector<Json> bad = {nullptr,
                                 true,
                                 -7.5,
                                 1e300,
                                 "",
                                 "\x01 no such",
                                 std::string(300, 'x'),
                                 Json::array(),
                                 Json{Json::array({7, nullptr})},
                                 Json::object(),
                                 {{"no such", 1}}};
  std::size_t tried = 0, told = 0;
  for (const auto& [kind, name] : kKinds) {
    const Json sound = full(kind);
    {
      const Json findings = findings_of({{name, Json::array({sound})}});
      INFO(name << findings.dump(1));
      REQUIRE(findings.empty());
    }
    const Json& root = tunefit::json::compiled_in::schema(kind);
    std::vector<Member> members;
    collect(root, root, sound, Json::json_pointer(), members);
    CHECK(members.size() > 20);
    const std::string prefix = std::string("/catalogue_overlay/") + name + "/0";
    for (const Member& m : members) {
      for (const Json& value : bad) {
        Json entry = sound;
        entry[m.at] = value;
        const Json findings = findings_of({{name, Json::array({entry})}});
        INFO(name << m.at.to_string() << " " << value.dump() << "\n" << findings.dump(1));
        if (forbids(*m.schema, root, value)) REQUIRE(findings.size() >= 1);
        for (const Json& f : findings) {
          if (f["pointer"].get<std::string>().compare(0, prefix.size(), prefix) != 0 || f["hint"] == "" || f["message"] == "")
            FAIL("no place, message or hint");
        }
        ++tried;
        if (!findings.empty()) ++told;
      }
    }
  }
  CHECK(tried > 3000);
  CHECK(told > tried / 2);
}

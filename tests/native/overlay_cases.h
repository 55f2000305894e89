// Entries of a vendor's or customer's own, for the tests of overlays.
#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "json_door.h"

namespace overlay_cases {

inline Json entry(std::string id, Json base, const Json& more) {
  base["id"] = "house-" + std::move(id);
  if (more.is_object()) base.update(more);
  return base;
}

inline Json card(const char* id, const Json& more = {}) {
  return entry(
      id, {{"name", "House card"}, {"vendor", "House"}, {"compute_capability", "9.0"}, {"memory_marketed_bytes", std::int64_t{24} << 30}},
      more);
}

inline Json machine(const char* id, const Json& more = {}, const char* whole_id = nullptr) {
  Json out = entry(id, {{"name", "House box"}, {"accelerator", "nvidia-l40s"}, {"accelerators", 4}}, more);
  if (whole_id) out["id"] = whole_id;
  return out;
}

inline Json priced(const char* member, Json amount, const char* date) {
  return {{member, std::move(amount)}, {"date", date}, {"source", "House price list"}};
}
inline Json hour(Json usd, const char* date = "2026-11") { return priced("usd_per_hour", std::move(usd), date); }
inline Json buy(Json usd, const char* date = "2026-11") { return priced("purchase_usd", std::move(usd), date); }

inline Json rented(const char* id, Json price = nullptr) { return machine(id, {{"provider", "House"}, {"price", std::move(price)}}); }

inline Json like_llama(const char* id, const Json& more = {}) { return entry(id, {{"kind", "dense"}, {"dims_of", "llama-3.1-8b"}}, more); }

inline Json good() {
  return {
      {"accelerators", {card("good-1"), card("good-2", {{"power_w", 300}})}},
      {"systems", {machine("box", {{"price", buy(42000)}}), machine("of-own", {{"accelerator", "house-good-1"}})}},
      {"offers", {rented("rent", hour(3.5))}},
      {"models",
       {like_llama("good-8b", {{"params_total", 8'030'261'248},
                               {"licence", {{"id", "mit"}, {"base", {"llama-3.1"}}, {"basis", "memory"}, {"sources", Json::array()}}}})}}};
}

// What a call with this overlay finds; empty if it is answered.
inline Json findings_of(const Json& overlay) {
  const Json call = {{"kind", "frameworks"}, {"query", "no such"}, {"catalogue_overlay", overlay}};
  const Json answer = Json::parse(tunefit::json::catalogue(call.dump()), nullptr, false);
  if (answer.is_array()) return Json::array();
  REQUIRE(answer.is_object());
  return answer["findings"];
}

}  // namespace overlay_cases

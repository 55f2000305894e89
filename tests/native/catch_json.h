// How Catch2 prints a JSON value in a failed check; as a range of ranges it would not end.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "catch.h"

namespace Catch {

template <>
struct StringMaker<nlohmann::json> {
  static std::string convert(const nlohmann::json& value) { return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }
};

}  // namespace Catch

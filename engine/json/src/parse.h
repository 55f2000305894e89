// Text to JSON, whatever the text: size, depth and number of values are bounded, and a break is told with its place.
#pragma once
#include <nlohmann/json.hpp>
#include <string_view>

#include "finding.h"

namespace tunefit::json {

inline constexpr std::size_t kLongestText = std::size_t{16} << 20;  // bytes
inline constexpr std::size_t kDeepest = 64;                         // levels of nesting
inline constexpr std::size_t kMostValues = 1'000'000;

// False with one error finding (not_json, too_large, too_deep, out_of_range) if the text cannot be read; its pointer is the
// innermost object or list that was being read. A field given twice is a warning; the last one counts.
bool parse(std::string_view text, nlohmann::json& out, Findings&);

}  // namespace tunefit::json

// Small text helpers for findings: pointers, names of fields, near misses, lists in words.
#pragma once
#include <cstddef>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace tunefit::json {

// pointer + "/" + key, with ~ and / escaped (RFC 6901).
std::string child_pointer(std::string_view pointer, std::string_view key);

// "/recipe/kernels/0" -> "recipe.kernels[0]", shortened; the root is "the request".
std::string field_name(std::string_view pointer);

// At most `most` bytes, cut between characters, with "..." where something was cut.
std::string shortened(std::string_view text, std::size_t most = 80);

// The candidate that `word` is most likely a slip of, empty if none is near. Case is ignored.
std::string nearest(std::string_view word, const std::vector<std::string>& candidates);

// {"a", "b", "c"} -> "a, b or c" with the given last word; at most `most` of them, then "...".
std::string in_words(const std::vector<std::string>& items, const char* last = "or", std::size_t most = 24);

// A number as people write it: 16777216, 0.05, 1e+15.
std::string number_text(double);

// The JSON text of a value, short enough for a message. Lists and objects are only named as such.
std::string shown(const nlohmann::json&);

// The value as a whole number, if it is one (4096.0 too) within +-2^53.
bool whole_number(const nlohmann::json&, std::int64_t& out);

}  // namespace tunefit::json

// Text formats that the entry schemas name ("format"): the same as in catalog/lib/formats.mjs.
#pragma once
#include <string_view>

namespace tunefit::json {

struct Format {
  std::string_view name;
  bool (*fits)(std::string_view);
  const char* noun;  // "no date"
  const char* hint;
};

// nullptr for a name that no entry schema of an overlay uses.
const Format* format_of(std::string_view name);

}  // namespace tunefit::json

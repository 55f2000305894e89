// What is wrong with, or worth saying about, one place of a document.
#pragma once
#include <string>
#include <vector>

namespace tunefit::json {

struct Finding {
  std::string severity;  // "error": no answer comes of it; "warning": an answer does
  std::string code;      // stable, snake_case: "unknown_field", "out_of_range", ...
  std::string pointer;   // JSON pointer (RFC 6901) into the request
  std::string message;   // what is wrong
  std::string hint;      // what would be right
};

using Findings = std::vector<Finding>;

}  // namespace tunefit::json

#include "writer.h"

#include <cmath>

namespace tunefit::json {

namespace {

constexpr double kExactlyWhole = 9007199254740992.0;  // 2^53

std::string text_of_json(const nlohmann::json& value) { return value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace); }

// Printable ASCII without quote and backslash needs no escaping.
bool is_plain(std::string_view text) {
  for (const char c : text)
    if (c < 0x20 || c > 0x7e || c == '"' || c == '\\') return false;
  return true;
}

}  // namespace

void Writer::separate() {
  if (!first_) out_ += ',';
  first_ = false;
}

void Writer::open(char bracket) {
  separate();
  out_ += bracket;
  first_ = true;
}

void Writer::close(char bracket) {
  out_ += bracket;
  first_ = false;
}

void Writer::key(std::string_view name) {
  value(name);
  out_ += ':';
  first_ = true;
}

void Writer::value(std::string_view text) {
  separate();
  if (is_plain(text)) {
    out_ += '"';
    out_ += text;
    out_ += '"';
  } else {
    out_ += text_of_json(nlohmann::json(text));
  }
}

void Writer::value(std::int64_t n) {
  separate();
  out_ += std::to_string(n);
}

void Writer::value(double d) {
  if (std::fabs(d) < kExactlyWhole && std::floor(d) == d) return value(static_cast<std::int64_t>(d));
  separate();
  out_ += text_of_json(nlohmann::json(d));
}

void Writer::value(bool b) {
  separate();
  out_ += b ? "true" : "false";
}

void Writer::value(const nlohmann::json& json) {
  separate();
  out_ += text_of_json(json);
}

}  // namespace tunefit::json

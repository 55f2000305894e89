#include "words.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>

#include "hf_fields.h"

namespace tunefit::json {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

// Optimal string alignment distance (insert, delete, replace, swap neighbours) without regard to case; `limit` + 1 when larger.
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit) return limit + 1;
  std::vector<std::size_t> before(b.size() + 1), last(b.size() + 1), now(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) last[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    now[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t change = lower(a[i - 1]) == lower(b[j - 1]) ? 0 : 1;
      now[j] = std::min({last[j] + 1, now[j - 1] + 1, last[j - 1] + change});
      if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2]) && lower(a[i - 2]) == lower(b[j - 1]))
        now[j] = std::min(now[j], before[j - 2] + 1);
    }
    before.swap(last);
    last.swap(now);
  }
  return last[b.size()];
}

}  // namespace

std::string child_pointer(std::string_view pointer, std::string_view key) {
  std::string out(pointer);
  out += '/';
  for (const char c : key) {
    if (c == '~') {
      out += "~0";
    } else if (c == '/') {
      out += "~1";
    } else {
      out += c;
    }
  }
  return out;
}

std::string field_name(std::string_view pointer) {
  if (pointer.empty()) return "the request";
  std::string name;
  while (!pointer.empty()) {
    const auto end = std::min(pointer.find('/', 1), pointer.size());
    std::string part;
    for (std::size_t i = 1; i < end; ++i) {
      const bool escaped = pointer[i] == '~' && i + 1 < end;
      part += !escaped ? pointer[i] : pointer[++i] == '1' ? '/' : '~';
    }
    const bool index = !part.empty() && part.find_first_not_of("0123456789") == std::string::npos;
    if (index) part = '[' + part + ']';
    if (!index && !name.empty()) name += '.';
    name += part;
    pointer.remove_prefix(end);
  }
  return shortened(name);
}

std::string shortened(std::string_view text, std::size_t most) {
  if (text.size() <= most) return std::string(text);
  std::size_t end = most;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return std::string(text.substr(0, end)) + "...";
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  if (word.empty() || word.size() > 64) return {};
  std::size_t best = std::max<std::size_t>(1, word.size() / 3) + 1;
  std::string found;
  for (const auto& candidate : candidates) {
    const auto d = distance(word, candidate, best - 1);
    if (d < best) {
      best = d;
      found = candidate;
    }
  }
  return found;
}

std::string in_words(const std::vector<std::string>& items, const char* last, std::size_t most) {
  std::string out;
  const std::size_t count = std::min(items.size(), most);
  for (std::size_t i = 0; i < count; ++i) {
    if (i > 0) out += i + 1 == items.size() ? std::string(" ") + last + " " : ", ";
    out += items[i];
  }
  if (count < items.size()) out += ", ...";
  return out;
}

std::string number_text(double value) {
  char text[32];
  if (std::fabs(value) < 1e15 && std::floor(value) == value) {
    std::snprintf(text, sizeof text, "%.0f", value);
  } else {
    std::snprintf(text, sizeof text, "%.6g", value);
  }
  return text;
}

std::string shown(const nlohmann::json& value) { return quoted(value); }

bool whole_number(const nlohmann::json& value, std::int64_t& out) {
  constexpr std::int64_t kLargest = std::int64_t{1} << 53;
  if (value.is_number_unsigned()) {
    const auto n = value.get<std::uint64_t>();
    if (n > static_cast<std::uint64_t>(kLargest)) return false;
    out = static_cast<std::int64_t>(n);
    return true;
  }
  if (value.is_number_integer()) {
    out = value.get<std::int64_t>();
    return out >= -kLargest;
  }
  if (!value.is_number_float()) return false;
  const auto d = value.get<double>();
  if (!std::isfinite(d) || std::fabs(d) > static_cast<double>(kLargest) || std::floor(d) != d) return false;
  out = static_cast<std::int64_t>(d);
  return true;
}

}  // namespace tunefit::json

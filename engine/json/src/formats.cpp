#include "formats.h"

#include <algorithm>
#include <array>

namespace tunefit::json {

namespace {

bool digit(char c) { return c >= '0' && c <= '9'; }
bool small(char c) { return c >= 'a' && c <= 'z'; }
bool word(char c) { return digit(c) || small(c) || (c >= 'A' && c <= 'Z') || c == '_'; }

bool all_of(std::string_view text, bool (*of)(char)) { return !text.empty() && std::all_of(text.begin(), text.end(), of); }

bool is_id(std::string_view text) {
  bool after_word = false;
  for (const char c : text) {
    const bool of_word = small(c) || digit(c);
    if (!of_word && ((c != '.' && c != '-') || !after_word)) return false;
    after_word = of_word;
  }
  return after_word;
}

bool is_date(std::string_view text) {
  if (text.size() != 4 && text.size() != 7 && text.size() != 10) return false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (i == 4 || i == 7 ? text[i] != '-' : !digit(text[i])) return false;
  }
  const auto number = [&](std::size_t from) { return (text[from] - '0') * 10 + (text[from + 1] - '0'); };
  if (text.size() >= 7 && (number(5) < 1 || number(5) > 12)) return false;
  if (text.size() < 10) return true;
  constexpr std::array<int, 12> kDays{31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const int year = number(0) * 100 + number(2), month = number(5);
  const bool leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
  return number(8) >= 1 && number(8) <= (month == 2 && !leap ? 28 : kDays[static_cast<std::size_t>(month - 1)]);
}

bool is_repository(std::string_view text) {
  const auto part = [](std::string_view name) { return all_of(name, [](char c) { return word(c) || c == '.' || c == '-'; }); };
  const auto slash = text.find('/');
  return slash != std::string_view::npos && part(text.substr(0, slash)) && part(text.substr(slash + 1));
}

bool is_revision(std::string_view text) {
  return text.size() == 40 && all_of(text, [](char c) { return digit(c) || (c >= 'a' && c <= 'f'); });
}

bool is_mig_profile(std::string_view text) {
  return text.size() > 5 && text[0] >= '1' && text[0] <= '7' && text.substr(1, 2) == "g." && text.substr(text.size() - 2) == "gb" &&
         all_of(text.substr(3, text.size() - 5), digit);
}

constexpr std::array<Format, 5> kFormats = {
    {{"id", is_id, "id", "Lower case, words joined by hyphens, dots in version numbers: acme-box-8.1"},
     {"date-or-year", is_date, "date", "ISO 8601: 2026, 2026-08 or 2026-08-27"},
     {"hub-repository", is_repository, "repository of the hub", "Owner and name: acme/Acme-8B"},
     {"revision", is_revision, "revision", "The whole commit of the repository: 40 digits and letters from a to f"},
     {"mig-profile", is_mig_profile, "MIG profile", "As nvidia-smi names it, without what follows gb: 3g.40gb"}}};

}  // namespace

const Format* format_of(std::string_view name) {
  for (const Format& format : kFormats) {
    if (format.name == name) return &format;
  }
  return nullptr;
}

}  // namespace tunefit::json

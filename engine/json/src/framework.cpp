#include "framework.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <map>
#include <utility>

namespace tunefit::json {

namespace {

constexpr const char* kLast = "transformers";

using Parts = std::array<long, 4>;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// The leading numeric parts: "0.19.2.dev0" -> 0, 19, 2. "2.x" -> 2.
Parts parts_of(std::string_view version) {
  Parts parts{};
  std::size_t at = 0;
  for (auto& part : parts) {
    if (at >= version.size() || !is_digit(version[at])) break;
    for (; at < version.size() && is_digit(version[at]); ++at) part = std::min(part * 10 + (version[at] - '0'), 1'000'000L);
    if (at < version.size() && (version[at] == '.' || version[at] == '-')) ++at;
  }
  return parts;
}

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '\n')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\n')) text.remove_suffix(1);
  return text;
}

std::string package_name(std::string_view text) {
  std::string name;
  for (const char c : trimmed(text)) name += c == ' ' || c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return name;
}

using Rules = std::vector<const Json*>;

// The rules of an entry's list for one field or habit, in order. Frameworks are compiled in and stay, so each list is sorted once.
const Rules& rules_for(const Json& entry, const char* list, const char* key, std::string_view name) {
  using ByName = std::map<std::string_view, Rules>;
  static std::map<std::pair<const Json*, std::string_view>, ByName> known;
  static const Rules kNone;
  const auto [at, added] = known.try_emplace({&entry, list});
  if (const Json* rules = added ? member(entry, list) : nullptr) {
    for (const Json& rule : *rules)
      if (const Json* named = member(rule, key)) at->second[text_of(*named)].push_back(&rule);
  }
  const auto found = at->second.find(name);
  return found == at->second.end() ? kNone : found->second;
}

}  // namespace

bool in_range(std::string_view version, std::string_view range) {
  const Parts v = parts_of(version);
  while (!range.empty()) {
    const auto comma = std::min(range.find(','), range.size());
    const auto one = trimmed(range.substr(0, comma));
    range.remove_prefix(std::min(comma + 1, range.size()));
    if (one.substr(0, 2) == ">=") {
      if (v < parts_of(one.substr(2))) return false;
    } else if (one.substr(0, 1) == "<") {
      if (v >= parts_of(one.substr(1))) return false;
    } else {
      return false;
    }
  }
  return true;
}

Json versions_from_text(std::string_view text, const std::string& framework, std::vector<std::string>& not_understood) {
  Json versions = Json::object();
  while (!text.empty()) {
    const auto end = std::min(text.find_first_of(",;"), text.size());
    const auto piece = trimmed(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
    if (piece.empty()) continue;
    const auto space = piece.find_last_of(" =@");
    auto version = trimmed(space == std::string_view::npos ? piece : piece.substr(space + 1));
    if (version.size() > 1 && version[0] == 'v') version.remove_prefix(1);
    auto name = space == std::string_view::npos ? std::string_view{} : trimmed(piece.substr(0, space));
    while (!name.empty() && (name.back() == '=' || name.back() == '@' || name.back() == ' ')) name.remove_suffix(1);
    if (version.empty() || !is_digit(version[0])) {
      not_understood.emplace_back(piece);
      continue;
    }
    versions[name.empty() ? framework : package_name(name)] = std::string(version);
  }
  return versions;
}

Framework::Framework(const Catalogue& catalogue, const std::string& id) {
  constexpr std::size_t kLongestChain = 8;
  bool ends_in_last = false;
  for (std::string next = id; !next.empty() && entries_.size() < kLongestChain;) {
    const Json* entry = catalogue.find_framework(next);
    if (!entry) break;
    entries_.push_back(entry);
    ends_in_last = ends_in_last || next == kLast;
    const Json* extends = member(*entry, "extends");
    next = extends ? text_of(*extends) : "";
  }
  own_ = entries_.size();
  known_ = own_ > 0;
  if (const Json* last = catalogue.find_framework(kLast); last && !ends_in_last) entries_.push_back(last);
  if (!known_) own_ = entries_.size();
}

const std::string& Framework::name() const {
  static const std::string kNone = "the framework";
  const Json* name = entries_.empty() ? nullptr : member(*entries_.front(), "name");
  return name ? text_of(*name) : kNone;
}

bool Framework::names_package(std::string_view package) const {
  for (const Json* entry : entries_) {
    const Json* packages = member(*entry, "packages");
    if (!packages || !packages->is_array()) continue;
    for (const Json& name : *packages)
      if (text_of(name) == package) return true;
  }
  return false;
}

namespace {

// A day of which only the month is known counts as its last.
std::string day(const Json& date) { return text_of(date).size() == 7 ? text_of(date) + "-31" : text_of(date); }

// The last [version, date] of a package for which the condition holds, in order of release; nullptr if none.
template <class Holds>
const Json* last_release(const std::string& package, Holds&& holds) {
  const Json* releases = member(releases_table(), package.c_str());
  const Json* found = nullptr;
  if (releases && releases->is_array())
    for (const Json& release : *releases)
      if (release.is_array() && release.size() == 2 && holds(release)) found = &release;
  return found;
}

}  // namespace

Json Framework::set_versions(const Json& stated) {
  Json assumed = Json::object();
  versions_ = stated;
  std::string at;  // the day of the newest version that is stated
  for (auto it = stated.begin(); it != stated.end(); ++it) {
    const Parts version = parts_of(text_of(*it));
    const Json* release = last_release(it.key(), [&](const Json& r) { return parts_of(text_of(r[0])) <= version; });
    if (release) at = std::max(at, day((*release)[1]));
  }
  for (const Json* entry : entries_) {
    const Json* current = member(*entry, "current");
    if (!current || !current->is_object()) continue;
    for (auto it = current->begin(); it != current->end(); ++it) {
      const Json* version = member(*it, "version");
      if (!version || versions_.contains(it.key())) continue;
      const Json* then = at.empty() ? nullptr : last_release(it.key(), [&](const Json& r) { return day(r[1]) <= at; });
      // Before its first release a package is older than any; code newer than what was read is taken to be the same.
      Json taken = *version;
      if (then && parts_of(text_of((*then)[0])) < parts_of(text_of(*version))) taken = (*then)[0];
      if (!at.empty() && !then && member(releases_table(), it.key().c_str())) taken = "0.0.1";
      versions_[it.key()] = taken;
      assumed[it.key()] = taken;
    }
  }
  return assumed;
}

bool Framework::applies(const Json& rule, const Lookup& lookup) const {
  if (const Json* when = member(rule, "when")) {
    for (auto it = when->begin(); it != when->end(); ++it) {
      const Json* version = member(versions_, it.key().c_str());
      if (!version || !in_range(text_of(*version), text_of(*it))) return false;
    }
  }
  const Json* conditions = member(rule, "if");
  if (!conditions) return true;
  static const Json kNull;
  for (auto it = conditions->begin(); it != conditions->end(); ++it) {
    const Json* found = lookup(it.key());
    const Json& value = found ? *found : kNull;
    const auto is_wanted = [&](const Json& v) { return std::find(it->begin(), it->end(), v) != it->end(); };
    if (!(is_wanted(value) || (value.is_array() && std::any_of(value.begin(), value.end(), is_wanted)))) return false;
  }
  return true;
}

std::optional<Rule> Framework::first(const char* list, const char* key, std::string_view name, std::size_t entries, const Lookup& lookup,
                                     const Accept& accept) const {
  for (std::size_t i = 0; i < entries; ++i) {
    for (const Json* rule : rules_for(*entries_[i], list, key, name)) {
      const Json* value = member(*rule, "value");
      if (!value || (accept && !accept(*value)) || !applies(*rule, lookup)) continue;
      const Json* because = member(*rule, "because");
      const Json* source = member(*rule, "source");
      return Rule{value, because ? text_of(*because) : "", source ? text_of(*source) : ""};
    }
  }
  return std::nullopt;
}

std::optional<Rule> Framework::default_for(std::string_view pointer, const Lookup& lookup, const Accept& accept) const {
  return first("defaults", "pointer", pointer, entries_.size(), lookup, accept);
}

// Habits are of the code itself, so those of transformers hold only where the framework extends it.
std::optional<Rule> Framework::habit(std::string_view name, const Lookup& lookup, const Accept& accept) const {
  return first("habits", "habit", name, own_, lookup, accept);
}

}  // namespace tunefit::json

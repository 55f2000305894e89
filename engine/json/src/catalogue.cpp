#include "catalogue.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

#include "compiled_in.h"
#include "schema.h"

namespace tunefit::json {

namespace {

constexpr std::array<const char*, kKinds> kKindNames = {"models", "accelerators", "systems", "offers", "frameworks", "glossary", "rules"};

std::string lower(std::string_view text) {
  std::string out(text);
  for (char& c : out) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

unsigned char lower_letter(unsigned char c) { return static_cast<unsigned char>(std::tolower(c)); }

bool before(std::string_view a, std::string_view b) {
  return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                      [](unsigned char x, unsigned char y) { return lower_letter(x) < lower_letter(y); });
}

using Named = std::pair<std::string_view, std::size_t>;

// Places of the compiled-in entries by id and hub id, sorted without regard to case; of two of one name the first counts.
const std::vector<Named>& compiled_in_places(Kind kind) {
  static std::array<std::vector<Named>, kKinds> read;
  auto& places = read[static_cast<std::size_t>(kind)];
  if (!places.empty()) return places;
  for (std::size_t i = 0; i < compiled_in::count(kind); ++i) {
    const auto names = compiled_in::names(kind, i);
    places.emplace_back(names.id, i);
    if (!names.hf_id.empty()) places.emplace_back(names.hf_id, i);
  }
  std::stable_sort(places.begin(), places.end(), [](const Named& a, const Named& b) { return before(a.first, b.first); });
  return places;
}

std::string_view text_member(const Json& entry, const char* key) {
  const Json* value = member(entry, key);
  return value ? std::string_view(text_of(*value)) : std::string_view();
}

// Whether every word stands somewhere in what names the entry.
bool matches(const Json& entry, const std::vector<std::string>& words) {
  if (words.empty()) return true;
  std::string all;
  for (const char* key : {"id", "hf_id", "name", "family", "owner", "vendor", "provider", "architecture", "kind", "accelerator", "term",
                          "rule", "predicts"}) {
    all += lower(text_member(entry, key));
    all += '\n';
  }
  if (const Json* licence = member(entry, "licence"); licence && licence->is_object()) all += lower(text_member(*licence, "name"));
  if (const Json* aliases = member(entry, "aliases")) {
    for (const auto& alias : *aliases) all += '\n' + lower(text_of(alias));
  }
  return std::all_of(words.begin(), words.end(), [&](const std::string& w) { return all.find(w) != std::string::npos; });
}

std::vector<std::string> words_of(std::string_view query) {
  std::vector<std::string> words;
  std::string word;
  for (const char c : query) {
    if (std::isspace(static_cast<unsigned char>(c))) {
      if (!word.empty()) words.push_back(std::exchange(word, ""));
    } else {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  if (!word.empty()) words.push_back(word);
  return words;
}

// Members of a summary, in words.
constexpr std::string_view kSummary =
    "id hf_id name family owner vendor provider kind architecture release params_total max_position_embeddings hf_downloads_month basis "
    "memory_marketed_bytes memory_reported_bytes memory_visible_bytes compute_capability accelerator accelerators nodes price extends "
    "term aliases text rule predicts origin";

Json summary(const Json& entry) {
  static const auto members = words_of(kSummary);
  Json out = Json::object();
  for (const auto& key : members) {
    if (const Json* value = member(entry, key.c_str())) out[key] = *value;
  }
  if (const Json* licence = member(entry, "licence"); licence && licence->is_object()) {
    out["licence"] = text_member(*licence, "name");
    out["licence_class"] = text_member(*licence, "class");
  }
  return out;
}

// Steps from one text to another by single letters, at most `limit` + 1 (then it stops counting).
std::size_t distance(std::string_view a, std::string_view b, std::size_t limit) {
  if (a.size() > b.size()) std::swap(a, b);
  if (b.size() - a.size() > limit) return limit + 1;
  std::vector<std::size_t> row(a.size() + 1);
  for (std::size_t i = 0; i <= a.size(); ++i) row[i] = i;
  for (std::size_t j = 1; j <= b.size(); ++j) {
    std::size_t diagonal = std::exchange(row[0], j), least = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
      const std::size_t above = row[i];
      row[i] = std::min({above + 1, row[i - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
      least = std::min(least, row[i]);
    }
    if (least > limit) return limit + 1;
  }
  return row[a.size()];
}

// Letters and digits of the last part of a name, in lower case: "meta-llama/Llama-3.1-8B" -> "llama318b".
std::string key_letters(std::string_view name) {
  name = name.substr(0, 200);
  const auto slash = name.rfind('/');
  if (slash != std::string_view::npos && slash + 1 < name.size()) name.remove_prefix(slash + 1);
  std::string out;
  for (const char c : name) {
    if (std::isalnum(static_cast<unsigned char>(c))) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  return out;
}

}  // namespace

std::optional<Kind> kind_from_name(std::string_view name) {
  for (std::size_t i = 0; i < kKindNames.size(); ++i) {
    if (name == kKindNames[i]) return static_cast<Kind>(i);
  }
  return std::nullopt;
}

bool Catalogue::Less::operator()(std::string_view a, std::string_view b) const { return before(a, b); }

const Json* Catalogue::find(Kind kind, std::string_view id) const {
  if (id.empty()) return nullptr;
  const auto index = static_cast<std::size_t>(kind);
  if (const auto own = places_[index].find(id); own != places_[index].end()) return &own_[index][own->second];
  const auto& places = compiled_in_places(kind);
  const auto found =
      std::lower_bound(places.begin(), places.end(), id, [](const Named& a, std::string_view b) { return before(a.first, b); });
  return found == places.end() || before(id, found->first) ? nullptr : &compiled_in::entry(kind, found->second);
}

bool Catalogue::is_own(Kind kind, std::string_view id) const { return places_[static_cast<std::size_t>(kind)].count(id) > 0; }

bool Catalogue::refused(Kind kind, std::string_view id) const {
  const auto index = static_cast<std::size_t>(kind);
  return refused_all_[index] || refused_[index].count(id) > 0;
}

void Catalogue::put(Kind kind, Json entry) {
  const auto index = static_cast<std::size_t>(kind);
  for (const char* key : {"id", "hf_id"}) {
    if (const auto name = text_member(entry, key); !name.empty()) places_[index].emplace(name, own_[index].size());
  }
  own_[index].push_back(std::move(entry));
}

std::vector<const Json*> Catalogue::all(Kind kind) const {
  std::vector<const Json*> out;
  for (std::size_t i = 0; i < compiled_in::count(kind); ++i) {
    if (!is_own(kind, compiled_in::names(kind, i).id)) out.push_back(&compiled_in::entry(kind, i));
  }
  for (const auto& entry : own_[static_cast<std::size_t>(kind)]) out.push_back(&entry);
  return out;
}

Json Catalogue::list(Kind kind, std::string_view query, Detail detail) const {
  const auto words = words_of(query);
  Json out = Json::array();
  for (std::size_t i = 0; i < compiled_in::count(kind); ++i) {
    if (is_own(kind, compiled_in::names(kind, i).id)) continue;
    const Json entry = compiled_in::brief(kind, i);
    if (matches(entry, words)) out.push_back(detail == Detail::summary ? summary(entry) : compiled_in::entry(kind, i));
  }
  for (const auto& entry : own_[static_cast<std::size_t>(kind)]) {
    if (matches(entry, words)) out.push_back(detail == Detail::summary ? summary(entry) : entry);
  }
  return out;
}

std::vector<std::string> Catalogue::suggestions(Kind kind, std::string_view id, std::size_t most) const {
  const std::string wanted = key_letters(id);
  if (wanted.size() < 2) return {};
  std::vector<std::pair<std::size_t, std::string>> ranked;
  const std::size_t limit = wanted.size() / 3 + 1;
  const auto consider = [&](std::string_view entry_id, std::string_view hf_id) {
    std::size_t best = limit + 1;
    for (const auto name : {entry_id, hf_id}) {
      const std::string letters = key_letters(name);
      if (letters.empty()) continue;
      best = std::min(best, distance(wanted, letters, limit));
      // One within the other: a missing size, edition or "-instruct".
      if (letters.find(wanted) != std::string::npos || wanted.find(letters) != std::string::npos) best = std::min(best, limit);
    }
    if (best <= limit) ranked.emplace_back(best, std::string(entry_id));
  };
  for (const auto& entry : own_[static_cast<std::size_t>(kind)]) consider(text_member(entry, "id"), text_member(entry, "hf_id"));
  for (std::size_t i = 0; i < compiled_in::count(kind); ++i) {
    const auto names = compiled_in::names(kind, i);
    consider(names.id, names.hf_id);
  }
  std::stable_sort(ranked.begin(), ranked.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::vector<std::string> out;
  for (const auto& candidate : ranked) {
    if (out.size() == most) break;
    if (std::find(out.begin(), out.end(), candidate.second) == out.end()) out.push_back(candidate.second);
  }
  return out;
}

}  // namespace tunefit::json

#include "compiled_in.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>

#include "embedded.h"
#include "schema.h"

namespace tunefit::json {

namespace {

Json parsed(std::string_view text) { return Json::parse(text, nullptr, false); }

const Json& texts() {
  static const Json list = parsed(embedded::kTexts);
  return list;
}

// Members whose texts stand in the table of texts (SHARED_TEXT in catalog/lib/embed.mjs).
bool is_shared(const std::string& key) {
  static constexpr std::array<std::string_view, 10> kShared = {
      "sources",       "source",         "params_total_source",    "release_source",
      "basis_note",    "note",           "memory_reported_source", "memory_visible_source",
      "memory_source", "misleads_source"};
  for (const auto name : kShared) {
    if (key == name) return true;
  }
  return false;
}

void put_text(Json& value) {
  if (!value.is_number_unsigned()) return;
  const auto place = value.get<std::size_t>();
  if (place < texts().size()) value = texts()[place];
}

void put_texts(Json& value) {
  if (!value.is_structured()) return;
  for (auto it = value.begin(); it != value.end(); ++it) {
    if (value.is_object() && is_shared(it.key())) {
      put_text(*it);
      if (it->is_array()) {
        for (auto& text : *it) put_text(text);
      }
    } else {
      put_texts(*it);
    }
  }
}

struct Line {
  std::string_view id, hf_id, head, rest;
};

// The text between `before`, which stands at the beginning, and the next quotation mark; both are taken off.
std::string_view take_name(std::string_view& rest, std::string_view before) {
  if (rest.substr(0, before.size()) != before) return {};
  rest.remove_prefix(before.size());
  const auto end = std::min(rest.find('"'), rest.size());
  const auto name = rest.substr(0, end);
  rest.remove_prefix(std::min(end + 1, rest.size()));
  return name;
}

const std::vector<Line>& model_lines() {
  static const auto lines = [] {
    std::vector<Line> out;
    for (auto rest = embedded::kModels; !rest.empty();) {
      const auto end = std::min(rest.find('\n'), rest.size());
      const auto all = rest.substr(0, end);
      const auto tab = std::min(all.find('\t'), all.size());
      Line line{{}, {}, all.substr(0, tab), all.substr(std::min(tab + 1, all.size()))};
      auto text = line.head;
      line.id = take_name(text, "{\"id\":\"");
      line.hf_id = take_name(text, ",\"hf_id\":\"");
      out.push_back(line);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return out;
  }();
  return lines;
}

const Json& licence_table() {
  static const Json table = [] {
    Json out = parsed(embedded::kLicences);
    put_texts(out);
    return out;
  }();
  return table;
}

// The rank of a class; how strict it is.
std::ptrdiff_t gravity(const Json& licence) {
  static constexpr std::array<std::string_view, 3> kClasses = {"permissive", "conditional", "non-commercial"};
  return std::find(kClasses.begin(), kClasses.end(), text_of(licence["class"])) - kClasses.begin();
}

// Adds what the licence of a base brings.
void take_base(Json& licence, const Json& base, bool first) {
  if (gravity(base) > gravity(licence)) licence["class"] = base["class"];
  licence["name"] = text_of(licence["name"]) + (first ? "; of its base: " : ", ") + text_of(base["name"]);
  const Json* mind = member(base, "mind");
  if (!mind) return;
  Json& all = licence["mind"];
  if (!all.is_array()) all = Json::array();
  for (const Json& one : *mind) {
    if (std::find(all.begin(), all.end(), one) == all.end()) all.push_back(one);
  }
}

const Json& families() {
  static const Json list = [] {
    Json out = parsed(embedded::kFamilies);
    put_texts(out);
    for (auto& family : out) {
      if (family.contains("licence")) compiled_in::take_licence(family["licence"]);
    }
    return out;
  }();
  return list;
}

// The families with of their licence what a summary shows.
const Json& brief_families() {
  static const Json list = [] {
    Json out = families();
    for (auto& family : out) {
      if (!family.contains("licence")) continue;
      for (const char* key : {"sources", "mind", "link", "terms", "note"}) family["licence"].erase(key);
    }
    return out;
  }();
  return list;
}

// Puts what the family says of all its models in place of the family's number.
void take_family(Json& entry, const Json& list) {
  const Json* family = member(entry, "family");
  if (!family || !family->is_number_unsigned()) return;
  const Json& shared = list[family->get<std::size_t>()];
  entry.erase("family");
  for (auto it = shared.begin(); it != shared.end(); ++it) {
    if (!entry.contains(it.key())) entry[it.key()] = *it;
  }
}

Json model_at(std::size_t place) {
  Json entry = parsed(model_lines()[place].head);
  entry.update(parsed(model_lines()[place].rest));
  take_family(entry, families());
  put_texts(entry);
  return entry;
}

const Json& list_of(Kind kind) {
  static const auto read = [](std::string_view text) {
    Json list = parsed(text);
    put_texts(list);
    return list;
  };
  static const Json none = Json::array();
  switch (kind) {
    case Kind::models:
      return none;
    case Kind::accelerators: {
      static const Json list = read(embedded::kAccelerators);
      return list;
    }
    case Kind::systems: {
      static const Json list = read(embedded::kSystems);
      return list;
    }
    case Kind::offers: {
      static const Json list = read(embedded::kOffers);
      return list;
    }
    case Kind::frameworks: {
      static const Json list = parsed(embedded::kFrameworks);
      return list;
    }
    case Kind::glossary: {
      static const Json list = read(embedded::kGlossary);
      return list;
    }
    case Kind::rules: {
      static const Json list = read(embedded::kRules);
      return list;
    }
  }
  return none;
}

}  // namespace

namespace compiled_in {

std::size_t count(Kind kind) { return kind == Kind::models ? model_lines().size() : list_of(kind).size(); }

const Json& entry(Kind kind, std::size_t place) {
  if (kind != Kind::models) return list_of(kind)[place];
  static std::vector<std::unique_ptr<const Json>> read(model_lines().size());
  auto& slot = read[place];
  if (slot) return *slot;
  Json model = model_at(place);
  if (const Json* base = member(model, "dims_of")) {
    for (std::size_t i = 0; i < model_lines().size(); ++i) {
      if (model_lines()[i].id == text_of(*base) && i != place) take_dimensions(model, entry(kind, i));
    }
  }
  slot = std::make_unique<const Json>(std::move(model));
  return *slot;
}

Json brief(Kind kind, std::size_t place) {
  if (kind != Kind::models) return list_of(kind)[place];
  Json entry = parsed(model_lines()[place].head);
  take_family(entry, brief_families());
  return entry;
}

Names names(Kind kind, std::size_t place) {
  if (kind == Kind::models) return {model_lines()[place].id, model_lines()[place].hf_id};
  const Json* id = member(list_of(kind)[place], "id");
  return {id ? std::string_view(text_of(*id)) : std::string_view(), {}};
}

const Json& schema(Kind kind) {
  static const Json all = parsed(embedded::kEntrySchemas);
  static const Json none;
  static constexpr const char* kNames[kKinds] = {"models", "accelerators", "systems", "offers", "frameworks", "glossary", "rules"};
  const Json* found = member(all, kNames[static_cast<int>(kind)]);
  return found ? *found : none;
}

std::vector<std::string> licences() {
  std::vector<std::string> ids;
  for (auto it = licence_table().begin(); it != licence_table().end(); ++it) ids.push_back(it.key());
  return ids;
}

bool knows_licence(std::string_view id) { return licence_table().contains(std::string(id)); }

void take_licence(Json& licence) {
  const Json* id = member(licence, "id");
  const Json* terms = id ? member(licence_table(), text_of(*id).c_str()) : nullptr;
  if (!terms) return;
  licence.update(*terms);
  bool first = true;
  for (const Json& other : licence.value("base", Json::array())) {
    if (const Json* base = member(licence_table(), text_of(other).c_str())) take_base(licence, *base, std::exchange(first, false));
  }
}

void take_dimensions(Json& entry, const Json& base) {
  const Json* dimensions = member(schema(Kind::models), "dimensions");
  if (!dimensions) return;
  for (const auto& name : *dimensions) {
    const Json* value = member(base, text_of(name).c_str());
    if (value && !entry.contains(text_of(name))) entry[text_of(name)] = *value;
  }
}

}  // namespace compiled_in

const Json& runtime_table() {
  static const Json table = parsed(embedded::kRuntime);
  return table;
}

const Json& calibration_table() {
  static const Json table = parsed(embedded::kCalibration);
  return table;
}

const Json& releases_table() {
  static const Json table = parsed(embedded::kReleases);
  return table;
}

const Json& transformers_table() {
  static const Json table = parsed(embedded::kTransformers);
  return table;
}

}  // namespace tunefit::json

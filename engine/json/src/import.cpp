#include "import.h"

#include <cctype>
#include <string_view>

#include "answer.h"
#include "headers.h"
#include "hf_config.h"
#include "import_gguf.h"
#include "model.h"
#include "parse.h"
#include "tensors.h"
#include "words.h"

namespace tunefit::json {

namespace {

struct Reading {
  bool read = false;
  Json entry;
  Findings findings;

  bool operator==(const Reading& other) const {
    if (read != other.read || entry != other.entry || findings.size() != other.findings.size()) return false;
    for (std::size_t i = 0; i < findings.size(); ++i)
      if (findings[i].code != other.findings[i].code || findings[i].pointer != other.findings[i].pointer) return false;
    return true;
  }
};

Reading read(const Json& config) {
  Reading r;
  r.read = entry_from_hf_config(config, r.entry, r.findings);
  return r;
}

Json field_of(const std::string& pointer, const Json& value) {
  return {{"pointer", pointer}, {"value", value.is_structured() ? Json(shown(value)) : value}};
}

// Fields that are looked at; real files have some hundred.
constexpr std::size_t kMostFields = 1000;

// Keeps of an object the fields that the reader looks at: an impossible value there changes what it makes of the file.
class Sieve {
 public:
  Sieve(const Json& config, const Reading& as_it_is) : changed_(config), as_it_is_(as_it_is) {}

  Json understood = Json::array(), left = Json::array();

  Json kept(const Json& from, const Json::json_pointer& at, int depth) {
    Json kept = Json::object();
    for (const auto& [key, value] : from.items()) {
      const auto here = at / key;
      if (understood.size() + left.size() >= kMostFields || !is_read(here, value)) {
        left.push_back(field_of(here.to_string(), value));
      } else if (value.is_object() && depth < 2) {
        Json inner = this->kept(value, here, depth + 1);
        kept[key] = std::move(inner);
      } else {
        understood.push_back(field_of(here.to_string(), value));
        kept[key] = value;
      }
    }
    return kept;
  }

 private:
  bool is_read(const Json::json_pointer& at, const Json& value) {
    changed_[at] = Json{{"tunefit", "no such value"}};
    bool differs = !(read(changed_) == as_it_is_);
    if (!differs) {  // an object may be read whatever it is: then its absence tells
      changed_[at] = nullptr;
      differs = !(read(changed_) == as_it_is_);
    }
    changed_[at] = value;
    return differs;
  }

  Json changed_;
  const Reading& as_it_is_;
};

// Python's json writes Infinity and NaN, which are no JSON: null in their place, outside of texts.
std::string without_infinity(const std::string& text) {
  std::string out;
  out.reserve(text.size());
  bool quoted = false;
  for (std::size_t i = 0; i < text.size();) {
    const char c = text[i];
    if (quoted && c == '\\' && i + 1 < text.size()) {
      out.append(text, i, 2), i += 2;
      continue;
    }
    if (c == '"') quoted = !quoted;
    bool replaced = false;
    for (std::string_view word : {"-Infinity", "Infinity", "NaN"}) {
      if (quoted || text.compare(i, word.size(), word) != 0) continue;
      out += "null", i += word.size(), replaced = true;
      break;
    }
    if (!replaced) out += c, ++i;
  }
  return out;
}

bool parse_object(const std::string& text, const char* what, Json& out, Findings& findings) {
  if (!parse(text, out, findings)) return false;
  if (out.is_object()) return true;
  findings.push_back({"error", "wrong_type", "", std::string(what) + " is an object; this is " + shown(out) + ".", "Give the whole file."});
  return false;
}

std::string called(const std::string& name, const char* otherwise) { return shortened(name.empty() ? otherwise : name, 200); }

// The understood fields of a flat object.
Json fields_of(const Json& object) {
  Json fields = Json::array();
  for (const auto& [key, value] : object.items()) fields.push_back(field_of(child_pointer("", key), value));
  return fields;
}

std::string write(Json model, const Json* entry, const Json& understood, const Json& left, const Findings& findings) {
  const Json request{{"schema", "tunefit.request/1"}, {"model", std::move(model)}};
  Writer w;
  w.begin_object();
  w.field("request", request);
  if (entry) w.field("entry", *entry);
  w.field("understood", understood);
  w.field("not_understood", left);
  write_findings(w, findings);
  w.end_object();
  return w.take();
}

// The engine's own check of an entry; false with a finding.
bool sizable(const Json& entry, Findings& findings) {
  Architecture architecture;
  std::string why_not;
  if (read_architecture(entry, architecture, why_not)) return true;
  findings.push_back(
      {"error", "not_supported_yet", "", "This model cannot be sized yet: " + why_not + ".", "Another model, or its size alone."});
  return false;
}

}  // namespace

std::string import_hf_config(const std::string& text, const std::string& name, Findings& findings) {
  Json config;
  if (!parse_object(without_infinity(text), "A config.json", config, findings)) return {};
  const Reading as_it_is = read(config);
  for (const auto& finding : as_it_is.findings) findings.push_back(finding);
  if (!as_it_is.read || !sizable(as_it_is.entry, findings)) return {};
  Sieve sieve(config, as_it_is);
  Json kept = sieve.kept(config, Json::json_pointer(), 0);
  std::string own = name;
  if (const Json* path = member(config, "_name_or_path"); own.empty() && path) own = text_of(*path);
  return write({{"name", called(own, "own model")}, {"config", std::move(kept)}}, &as_it_is.entry, sieve.understood, sieve.left, findings);
}

std::string import_safetensors(const std::string& text, const std::string& name, Findings& findings) {
  Json given, facts;
  if (!parse_object(text, "A safetensors header", given, findings) || !read_headers(given, facts, findings)) return {};
  return write({{"name", called(name, "own model")}, {"safetensors_index", facts}}, nullptr, fields_of(facts), Json::array(), findings);
}

std::string import_gguf(const std::string& text, const std::string& name, Findings& findings) {
  Json given, config;
  std::vector<TensorGroup> tensors;
  if (!parse_object(text, "A GGUF header", given, findings) || !config_from_gguf(given, config, tensors, findings)) return {};
  Reading reading = read(config);
  for (const auto& finding : reading.findings) findings.push_back(finding);
  if (!reading.read || !sizable(reading.entry, findings)) return {};
  Json model{{"name", called(name, "own model")}, {"config", config}};
  if (!tensors.empty()) {
    Json facts = facts_of(tensors);
    facts.erase("total_size");  // the blocks of GGUF types have sizes of their own
    facts["quantization"] = {{"scheme", "gguf"}};
    model["safetensors_index"] = std::move(facts);
  }
  return write(std::move(model), &reading.entry, fields_of(config), Json::array(), findings);
}

}  // namespace tunefit::json

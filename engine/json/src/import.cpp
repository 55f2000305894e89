#include "import.h"

#include "answer.h"
#include "hf_config.h"
#include "model.h"
#include "parse.h"
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

// Whether the reader looks at a field: an impossible value there changes what it makes of the file.
bool is_read(const Json& config, const std::string& field, const Reading& as_it_is) {
  Json changed = config;
  changed[field] = Json{{"tunefit", "no such value"}};
  return !(read(changed) == as_it_is);
}

}  // namespace

std::string import_hf_config(const std::string& text, const std::string& name, Findings& findings) {
  Json config;
  if (!parse(text, config, findings)) return {};
  if (!config.is_object()) {
    findings.push_back({"error", "wrong_type", "", "A config.json is an object; this is " + shown(config) + ".", "Give the whole file."});
    return {};
  }
  const Reading as_it_is = read(config);
  for (const auto& finding : as_it_is.findings) findings.push_back(finding);
  if (!as_it_is.read) return {};
  Architecture architecture;
  std::string why_not;
  if (!read_architecture(as_it_is.entry, architecture, why_not)) {
    findings.push_back(
        {"error", "not_supported_yet", "", "This model cannot be sized yet: " + why_not + ".", "Dense decoder models can be sized now."});
    return {};
  }

  Json kept = Json::object(), understood = Json::array(), left = Json::array();
  for (auto it = config.begin(); it != config.end(); ++it) {
    const Json field{{"pointer", child_pointer("", it.key())}, {"value", it->is_object() || it->is_array() ? Json(shown(*it)) : *it}};
    if (is_read(config, it.key(), as_it_is)) {
      kept[it.key()] = *it;
      understood.push_back(field);
    } else {
      left.push_back(field);
    }
  }
  std::string called = name;
  if (const Json* path = member(config, "_name_or_path"); called.empty() && path) called = text_of(*path);
  if (called.empty()) called = "own model";
  const Json request{{"schema", "tunefit.request/1"}, {"model", {{"name", shortened(called, 200)}, {"config", std::move(kept)}}}};

  Writer w;
  w.begin_object();
  w.field("request", request);
  w.field("understood", understood);
  w.field("not_understood", left);
  write_findings(w, findings);
  w.end_object();
  return w.take();
}

}  // namespace tunefit::json

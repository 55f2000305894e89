#include "settings.h"

#include <algorithm>
#include <utility>

#include "recipe_names.h"

namespace tunefit::json {

namespace {

const Json kNull;

// Fields where null means "as the framework's code does", and the habit that says how that is.
struct HabitOfField {
  const char *pointer, *habit;
};
constexpr HabitOfField kHabits[] = {{"/recipe/loss_variant", "loss_variant"},
                                    {"/recipe/attention_mask", "attention_mask_passed"},
                                    {"/recipe/use_reentrant", "reentrant_checkpoint"}};

}  // namespace

const Json* at_pointer(const Json& document, std::string_view pointer) {
  const Json* at = &document;
  while (at && !pointer.empty()) {
    const auto end = std::min(pointer.find('/', 1), pointer.size());
    const auto it = at->find(pointer.substr(1, end - 1));
    if (it == at->end()) return nullptr;
    at = &*it;
    pointer.remove_prefix(end);
  }
  return at;
}

const Json* Settings::stated(std::string_view pointer) const {
  const Json* value = at_pointer(request_, pointer);
  return value && !value->is_null() ? value : nullptr;
}

bool Settings::mentions_null(std::string_view pointer) const {
  const Json* value = at_pointer(request_, pointer);
  return value && value->is_null();
}

Framework::Lookup Settings::lookup() {
  return [this](const std::string& pointer) -> const Json* {
    if (pointer == "/model/model_type") return &model_type_;
    if (pointer != "/recipe/method") return &get(pointer);
    // A rule for lora holds for its kin too: qdora is asked for as itself and as qlora.
    const std::string method = text_of(get(pointer));
    const char* kin = kin_of_method(method);
    method_ = kin && method != kin ? Json{method, kin} : Json(method);
    return &method_;
  };
}

Settings::Entry Settings::as_entry(Rule rule) const {
  return {*rule.value, rule.because.empty() ? "what " + framework_.name() + " does" : std::move(rule.because), std::move(rule.source)};
}

Settings::Entry Settings::resolve(const std::string& pointer) {
  if (auto derived = derive_before_framework(*this, pointer)) return {std::move(derived->value), std::move(derived->because), {}};
  Framework::Accept accept;
  if (pointer == "/recipe/loss_variant") {
    const std::string loss = text("/recipe/loss");
    accept = [loss](const Json& value) { return loss.empty() || agrees(loss, text_of(value)); };
  }
  if (auto rule = framework_.default_for(pointer, lookup(), accept); rule && !rule->value->is_null()) return as_entry(std::move(*rule));
  for (const auto& [field, habit] : kHabits) {
    if (pointer != field) continue;
    if (auto rule = framework_.habit(habit, lookup(), accept)) return as_entry(std::move(*rule));
  }
  if (auto derived = derive_after_framework(*this, pointer)) return {std::move(derived->value), std::move(derived->because), {}};
  const Json* schema = schema_at(request_schema(), pointer);
  const Json* value = schema ? member(*schema, "default") : nullptr;
  return value ? Entry{*value, "default of Tunefit", {}} : Entry{};
}

const Json& Settings::get(const std::string& pointer) {
  if (const Json* value = stated(pointer)) return *value;
  if (const auto it = entries_.find(pointer); it != entries_.end()) return it->second.value;
  if (std::find(open_.begin(), open_.end(), pointer) != open_.end()) return kNull;
  open_.push_back(pointer);
  Entry entry = resolve(pointer);
  open_.pop_back();
  // Nothing found while another field waits for this one may only mean that the two ask for each other.
  if (entry.value.is_null() && !open_.empty()) return kNull;
  return entries_.insert_or_assign(pointer, std::move(entry)).first->second.value;
}

const Json& Settings::use(const std::string& pointer) {
  const Json& value = get(pointer);
  const auto it = entries_.find(pointer);
  if (it != entries_.end() && !it->second.because.empty() && !it->second.listed) {
    it->second.listed = true;
    assume(pointer, it->second.value, it->second.because, it->second.source);
  }
  return value;
}

void Settings::assume(std::string pointer, Json value, std::string because, std::string source) {
  assumptions_.push_back({std::move(pointer), std::move(value), std::move(because), std::move(source)});
}

std::optional<Rule> Settings::habit(std::string_view name, const Framework::Accept& accept) {
  return framework_.habit(name, lookup(), accept);
}

}  // namespace tunefit::json

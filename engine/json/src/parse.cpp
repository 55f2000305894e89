#include "parse.h"

#include <algorithm>
#include <string>
#include <vector>

#include "words.h"

namespace tunefit::json {

namespace {

using Json = nlohmann::json;

constexpr std::size_t kMostDuplicates = 20;  // told

std::string place(std::string_view text, std::size_t byte) {
  const auto read = text.substr(0, std::min(byte, text.size()));
  const auto line = 1 + std::count(read.begin(), read.end(), '\n');
  const auto start = read.rfind('\n');
  const auto column = read.size() - (start == std::string_view::npos ? 0 : start + 1);
  return "byte " + std::to_string(byte) + " (line " + std::to_string(line) + ", column " + std::to_string(column) + ")";
}

// Receives the parser's events and builds the document; the parser itself keeps no call stack per level.
class Builder {
 public:
  using number_integer_t = Json::number_integer_t;
  using number_unsigned_t = Json::number_unsigned_t;
  using number_float_t = Json::number_float_t;
  using string_t = Json::string_t;
  using binary_t = Json::binary_t;

  Builder(std::string_view text, Json& root, Findings& findings) : text_(text), root_(root), findings_(findings) {}

  bool null() { return add(Json()) != nullptr; }
  bool boolean(bool v) { return add(Json(v)) != nullptr; }
  bool number_integer(number_integer_t v) { return add(Json(v)) != nullptr; }
  bool number_unsigned(number_unsigned_t v) { return add(Json(v)) != nullptr; }
  bool number_float(number_float_t v, const string_t&) { return add(Json(v)) != nullptr; }
  bool string(string_t& v) { return add(Json(std::move(v))) != nullptr; }
  bool binary(binary_t&) { return false; }
  bool start_object(std::size_t) { return open(Json::object()); }
  bool start_array(std::size_t) { return open(Json::array()); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }

  bool key(string_t& name) {
    auto& object = *levels_.back().value->get_ptr<Json::object_t*>();
    const auto [at, added] = object.try_emplace(name);
    levels_.back().key = &at->first;
    if (!added && findings_.size() < kMostDuplicates) {
      findings_.push_back(
          {"warning", "duplicate_field", pointer(), field_name(pointer()) + " stands twice; the last one counts.", "Keep one of them."});
    }
    return true;
  }

  bool parse_error(std::size_t position, const std::string&, const nlohmann::detail::exception& e) {
    constexpr int kNumberTooLarge = 406;
    if (e.id == kNumberTooLarge)
      return fail("out_of_range", "A number at " + place(text_, position) + " is too large to be held.", "Give a number below 1e308.");
    if (text_.find_first_not_of(" \t\r\n") == std::string_view::npos)
      return fail("not_json", "There is no text to read.", "Give a JSON object.");
    if (position > text_.size()) {
      return fail("not_json", "The JSON text ends too early, at byte " + std::to_string(text_.size()) + ".",
                  "Give the whole text: a bracket or quote is still open.");
    }
    return fail("not_json", "This is not JSON: it breaks at " + place(text_, position) + ".",
                hint(position == 0 ? '\0' : text_[position - 1]));
  }

 private:
  struct Level {
    Json* value;
    const std::string* key;  // of the field being read, in an object
  };

  // What people usually mean by the character at which the text stops being JSON.
  static std::string hint(char c) {
    if (static_cast<unsigned char>(c) & 0x80) return "The text must be UTF-8.";
    if (c == 'N' || c == 'I' || c == '-' || c == '+')
      return "Numbers are written like 12, -0.5 or 1e9; JSON knows neither NaN nor Infinity.";
    if (c == '\'') return "Text is written in double quotes.";
    if (c == '/' || c == '#') return "JSON has no comments.";
    if (c == 'T' || c == 'F') return "Write true and false in lower case.";
    if (c == '}' || c == ']') return "Look for a comma before a closing bracket, or a bracket too many.";
    return "Look for a missing comma, quote or bracket just before that place.";
  }

  bool fail(const char* code, std::string message, std::string hint) {
    findings_.push_back({"error", code, pointer(), std::move(message), std::move(hint)});
    return false;
  }

  std::string pointer() const {
    std::string out;
    for (const auto& level : levels_) {
      if (const auto* list = level.value->get_ptr<const Json::array_t*>()) {
        if (&level != &levels_.back()) out += '/' + std::to_string(list->size() - 1);
      } else if (level.key) {
        out = child_pointer(out, *level.key);
      }
    }
    return out;
  }

  Json* add(Json value) {
    if (++values_ > kMostValues) {
      fail("too_large", "There are more than " + std::to_string(kMostValues) + " values.", "Leave out what the request does not need.");
      return nullptr;
    }
    if (levels_.empty()) {
      root_ = std::move(value);
      return &root_;
    }
    auto& [container, key] = levels_.back();
    if (auto* list = container->get_ptr<Json::array_t*>()) {
      list->push_back(std::move(value));
      return &list->back();
    }
    auto& slot = container->get_ptr<Json::object_t*>()->find(*key)->second;
    slot = std::move(value);
    return &slot;
  }

  bool open(Json container) {
    if (levels_.size() == kDeepest) {
      return fail("too_deep", "Objects and lists are nested more than " + std::to_string(kDeepest) + " levels deep.",
                  "A request needs fewer than ten.");
    }
    Json* added = add(std::move(container));
    if (!added) return false;
    levels_.push_back({added, nullptr});
    return true;
  }

  bool close() {
    levels_.pop_back();
    return true;
  }

  std::string_view text_;
  Json& root_;
  Findings& findings_;
  std::vector<Level> levels_;
  std::size_t values_ = 0;
};

}  // namespace

bool parse(std::string_view text, Json& out, Findings& findings) {
  if (text.size() > kLongestText) {
    findings.push_back(
        {"error", "too_large", "",
         "The text is " + std::to_string(text.size()) + " bytes long; at most " + std::to_string(kLongestText) + " are read.",
         "Give the request alone: a configuration is a few kilobytes."});
    return false;
  }
  Builder builder(text, out, findings);
  return Json::sax_parse(text.begin(), text.end(), &builder);
}

}  // namespace tunefit::json

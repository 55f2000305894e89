// Writes JSON text straight away, in the order in which it is told: answers read like docs/contract.md.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

namespace tunefit::json {

class Writer {
 public:
  void begin_object() { open('{'); }
  void end_object() { close('}'); }
  void begin_array() { open('['); }
  void end_array() { close(']'); }
  void key(std::string_view name);

  void value(std::string_view text);  // invalid UTF-8 is replaced
  void value(const char* text) { value(std::string_view(text)); }
  void value(const std::string& text) { value(std::string_view(text)); }
  void value(std::int64_t);
  void value(double);  // whole numbers without a point, others with the fewest digits that read back the same
  void value(bool);
  void value(const nlohmann::json&);

  template <class T>
  void field(std::string_view name, const T& v) {
    key(name);
    value(v);
  }

  std::string take() { return std::move(out_); }

 private:
  void separate();
  void open(char bracket);
  void close(char bracket);

  std::string out_;
  bool first_ = true;  // nothing stands before in this object or list
};

}  // namespace tunefit::json

#include "tensors.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "hf_fields.h"
#include "words.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr std::int64_t kLargestDimension = std::int64_t{1} << 40, kMostElements = std::int64_t{1} << 52;
constexpr double kMostInAll = 7.2e16;  // 2^56
constexpr std::size_t kMostWrong = 20, kMostDimensions = 8;

constexpr std::array<std::pair<std::string_view, std::int64_t>, 17> kBytes{{{"F64", 8},
                                                                            {"F32", 4},
                                                                            {"F16", 2},
                                                                            {"BF16", 2},
                                                                            {"I64", 8},
                                                                            {"I32", 4},
                                                                            {"I16", 2},
                                                                            {"I8", 1},
                                                                            {"U8", 1},
                                                                            {"U32", 4},
                                                                            {"F8_E4M3", 1},
                                                                            {"F8_E5M2", 1},
                                                                            {"F8_E8M0", 1},
                                                                            {"F8_E4M3FN", 1},
                                                                            {"BOOL", 1},
                                                                            {"U16", 2},
                                                                            {"U64", 8}}};

// False if the tensor is not sound.
bool read_tensor(const std::string& name, const json& given, const std::string& pointer, TensorGroup& t, Findings& findings) {
  const auto wrong = [&](const char* what, const json& value, const char* hint) {
    findings.push_back({"error", "bad_tensor", pointer,
                        std::string(what) + " of tensor " + quoted(std::string_view(name)) + " is " + quoted(value) + ".", hint});
    return false;
  };
  if (!given.is_object()) return wrong("The entry", given, "an object with dtype and shape");
  const auto dtype = given.find("dtype"), shape = given.find("shape");
  if (dtype == given.end() || !dtype->is_string())
    return wrong("The dtype", dtype == given.end() ? json() : *dtype, "a text, for example \"BF16\"");
  if (shape == given.end() || !shape->is_array() || shape->size() > kMostDimensions)
    return wrong("The shape", shape == given.end() ? json() : *shape, "a list of at most 8 whole numbers");
  t = {name, dtype->get<std::string>(), {}, 1};
  std::int64_t elements = 1;
  for (const auto& dimension : *shape) {
    std::int64_t n = 0;
    if (!whole_number(dimension, n) || n < 0 || n > kLargestDimension || (n > 0 && elements > kMostElements / n))
      return wrong("A dimension", dimension, "a whole number; the tensor has at most 2^52 elements");
    elements *= n;
    t.shape.push_back(n);
  }
  if (const auto count = given.find("count"); count != given.end()) {
    if (!whole_number(*count, t.count) || t.count < 1 || t.count > 1'000'000 || elements > kMostElements / t.count)
      return wrong("The count", *count, "a whole number from 1");
  }
  return true;
}

}  // namespace

std::int64_t dtype_bytes(std::string_view dtype) {
  const auto it = std::find_if(kBytes.begin(), kBytes.end(), [&](const auto& known) { return known.first == dtype; });
  return it == kBytes.end() ? 0 : it->second;
}

bool read_tensors(const json& header, std::vector<TensorGroup>& out, Findings& findings) {
  const std::size_t before = findings.size();
  double elements = 0;
  const auto add = [&](const std::string& name, const json& given, const std::string& pointer) {
    TensorGroup t;
    if (findings.size() - before >= kMostWrong || !read_tensor(name, given, pointer, t, findings)) return;
    double n = static_cast<double>(t.count);
    for (const auto dimension : t.shape) n *= static_cast<double>(dimension);
    elements += n;
    if (elements > kMostInAll)
      findings.push_back({"error", "out_of_range", pointer, "The tensors hold more than 2^56 values together.", "the header of a model"});
    else
      out.push_back(std::move(t));
  };
  const auto list = header.is_object() ? header.find("tensors") : header.end();
  if (!header.is_object()) {
    findings.push_back(
        {"error", "wrong_type", "", "A safetensors header is an object; this is " + quoted(header) + ".", "Give the header's JSON."});
    return false;
  }
  if (list != header.end() && list->is_array()) {
    for (std::size_t i = 0; i < list->size(); ++i) {
      const auto& given = (*list)[i];
      const auto name = given.is_object() ? given.find("name") : given.end();
      const bool named = given.is_object() && name != given.end() && name->is_string();
      add(named ? name->get<std::string>() : std::string(), given, "/tensors/" + std::to_string(i));
    }
  } else {
    for (const auto& [name, given] : header.items())
      if (name != "__metadata__") add(name, given, child_pointer("", name));
  }
  if (out.empty() && findings.size() == before)
    findings.push_back({"error", "no_tensors", "", "The header names no tensor.", "Give the header of a file with weights."});
  return findings.size() == before;
}

}  // namespace tunefit::json

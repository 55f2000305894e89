#include "accelerator.h"

#include <algorithm>
#include <cctype>
#include <string_view>

#include "catalogue.h"
#include "schema.h"
#include "words.h"

namespace tunefit::json {

namespace {

// Share of the marketed memory that a driver leaves where no source says (docs/contract.md).
constexpr std::int64_t kUsualPercent = 98, kEccPercent = 94;

std::int64_t integer(const Json& object, const char* key) {
  const Json* value = member(object, key);
  std::int64_t whole = 0;
  return value && whole_number(*value, whole) ? whole : 0;
}

bool flag(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value && *value == Json(true);
}

std::string text(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value ? text_of(*value) : std::string();
}

bool same_word(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return std::tolower(static_cast<unsigned char>(x)) == std::tolower(static_cast<unsigned char>(y));
  });
}

bool from_memory(const Json& entry, std::string_view field) {
  const Json* fields = member(entry, "fields_from_memory");
  if (!fields || !fields->is_array()) return false;
  for (const auto& name : *fields) {
    if (text_of(name) == field) return true;
  }
  return false;
}

// The first row for this architecture; the row for "*" otherwise.
const Json* row_for(const char* table, const std::string& architecture) {
  const Json* rows = member(runtime_table(), table);
  const Json* otherwise = nullptr;
  if (!rows || !rows->is_array()) return nullptr;
  for (const auto& row : *rows) {
    const Json* names = member(row, "architectures");
    if (!names || !names->is_array()) continue;
    for (const auto& name : *names) {
      if (text_of(name) == architecture) return &row;
      if (text_of(name) == "*") otherwise = &row;
    }
  }
  return otherwise;
}

void read_runtime(const std::string& architecture, ReadAccelerator& out) {
  if (const Json* row = row_for("context", architecture)) {
    out.accelerator.context = Bytes(integer(*row, "bytes"));
    out.context_because = text(*row, "because") + " (" + text(*row, "source") + ")";
  }
  if (const Json* row = row_for("blas_workspace", architecture)) out.accelerator.blas_workspace = Bytes(integer(*row, "bytes"));
}

void read_capacity(const Json& entry, ReadAccelerator& out) {
  const std::int64_t visible = integer(entry, "memory_visible_bytes"), reported = integer(entry, "memory_reported_bytes");
  const std::int64_t devices = std::max<std::int64_t>(1, integer(entry, "devices"));
  out.shared_with_host = flag(entry, "memory_shared_with_host");
  const auto set = [&](std::int64_t bytes, bool is_reported, std::string because) {
    out.accelerator.capacity = Bytes(bytes);
    out.accelerator.capacity_reported = is_reported;
    out.capacity_because = std::move(because);
  };
  if (visible > 0) return set(visible, true, "total that a process sees (" + text(entry, "memory_visible_source") + ")");
  if (reported > 0 && !from_memory(entry, "memory_reported_bytes")) {
    const std::string source = text(entry, "memory_reported_source");
    return set(reported, true, "total that the driver reports" + (source.empty() ? std::string() : " (" + source + ")"));
  }
  if (reported > 0) return set(reported, false, "total that the driver reports, not checked against a source");
  const bool ecc = flag(entry, "memory_ecc_inline");
  const std::int64_t percent = ecc ? kEccPercent : kUsualPercent;
  const std::int64_t marketed = integer(entry, "memory_marketed_bytes") / devices;
  std::string because = ecc ? "marketed size x 0.94: error correction on GDDR takes a part" : "marketed size x 0.98";
  if (devices > 1) because += "; one of " + std::to_string(devices) + " devices of the module";
  if (out.shared_with_host) because += "; shared with the operating system, which needs some of it";
  set(marketed / 100 * percent + marketed % 100 * percent / 100, false, because);
}

}  // namespace

bool read_accelerator(const Json& entry, ReadAccelerator& out, std::string& why_not) {
  out = {};
  if (!entry.is_object() || integer(entry, "memory_marketed_bytes") <= 0) {
    why_not = "its memory size is not known";
    return false;
  }
  const std::string vendor = text(entry, "vendor"), capability = text(entry, "compute_capability");
  if (!same_word(vendor, "nvidia") && !same_word(vendor, "amd") && capability.empty()) {
    why_not = "memory is modelled as PyTorch manages it on CUDA and ROCm, which it does not run";
    return false;
  }
  out.accelerator.id = text(entry, "id");
  out.accelerator.name = text(entry, "name");
  read_capacity(entry, out);
  read_runtime(text(entry, "architecture"), out);
  return true;
}

ReadAccelerator typical_accelerator() {
  ReadAccelerator out;
  out.accelerator.name = "a usual accelerator";
  read_runtime("", out);
  return out;
}

}  // namespace tunefit::json

// The verdict for every accelerator and system of the catalogue, by GPU memory.
#include <algorithm>
#include <map>
#include <utility>

#include "answer.h"
#include "calibration.h"
#include "contradictions.h"

namespace tunefit::json {

namespace {

struct Judged {
  std::string verdict = "unknown", limit;  // limit: what stands against it; empty when it fits
  std::vector<std::string> missing;        // facts without which there is no verdict
  double headroom = 0, probability = 0;
  std::int64_t capacity = 0;
  bool reported = false, sized = false;

  int rank() const { return verdict == "fits" ? 0 : verdict == "tight" ? 1 : verdict == "no" ? 2 : 3; }
};

class Judge {
 public:
  Judge(const Resolved& resolved, const MemoryEstimate& own, std::int64_t used_by_others)
      : resolved_(resolved), own_(own), others_(used_by_others) {}

  Judged judge(const Json* entry) {
    Judged j;
    if (!entry) return unknown(j, "accelerator");
    ReadAccelerator read;
    std::string why_not;
    if (!read_accelerator(*entry, read, why_not)) return unknown(j, why_not);
    Accelerator& a = read.accelerator;
    a.capacity -= Bytes(others_);
    j.capacity = std::max<std::int64_t>(a.capacity.value, 0);
    j.reported = a.capacity_reported;
    if (j.capacity == 0) return no(j, "gpu_memory");
    const MemoryEstimate* m = estimate(a);
    if (!m) return no(j, "gpu_memory");
    const Fit f = fit(*m, a, calibration());
    j.sized = true;
    j.headroom = f.headroom;
    j.probability = f.probability;
    j.verdict = verdict_name(f.verdict);
    if (f.verdict != Verdict::fits) j.limit = "gpu_memory";
    if (f.verdict != Verdict::no && !unsupported_on(*entry, resolved_.recipe).empty()) return no(j, "software");
    return j;
  }

 private:
  static Judged unknown(Judged& j, std::string fact) {
    j.missing.push_back(std::move(fact));
    return j;
  }
  static Judged no(Judged& j, const char* limit) {
    j.verdict = "no";
    j.limit = limit;
    return j;
  }

  // The estimate on this accelerator. Capacity only matters where the cache of a larger device would not fit, so one estimate
  // without a limit serves all accelerators of equal context and workspace, save those.
  const MemoryEstimate* estimate(const Accelerator& a) {
    const bool chosen = resolved_.place.given && a.id == resolved_.place.read.accelerator.id;
    if (chosen) return &own_;
    const auto key = std::pair(a.context.value, a.blas_workspace.value);
    auto [at, added] = unlimited_.try_emplace(key);
    if (added) {
      Accelerator no_limit = a;
      no_limit.capacity = Bytes(0);
      at->second = estimate_memory(resolved_.model.architecture, resolved_.recipe, no_limit, calibration());
    }
    if (!at->second) return nullptr;
    const double least = at->second->allocated.expected + static_cast<double>(a.context.value);
    const auto capacity = static_cast<double>(a.capacity.value);
    if (at->second->device.high <= capacity || least > capacity) return &*at->second;
    limited_ = estimate_memory(resolved_.model.architecture, resolved_.recipe, a, calibration());
    return limited_ ? &*limited_ : nullptr;
  }

  const Resolved& resolved_;
  const MemoryEstimate& own_;
  std::int64_t others_;
  std::map<std::pair<std::int64_t, std::int64_t>, std::optional<MemoryEstimate>> unlimited_;
  std::optional<MemoryEstimate> limited_;
};

// Whether a pattern with * for any text matches the whole of text.
bool matches(std::string_view pattern, std::string_view text) {
  std::size_t p = 0, t = 0, star = std::string_view::npos, mark = 0;
  while (t < text.size()) {
    if (p < pattern.size() && pattern[p] == '*') {
      star = p++;
      mark = t;
    } else if (p < pattern.size() && pattern[p] == text[t]) {
      ++p, ++t;
    } else if (star != std::string_view::npos) {
      p = star + 1;
      t = ++mark;
    } else {
      return false;
    }
  }
  return p == pattern.size() || pattern.find_first_not_of('*', p) == std::string_view::npos;
}

struct Row {
  std::string id, accelerator;
  Judged judged;
  std::int64_t count = 1;
};

// Those that fit first, the smallest of them leading; then the ones that come nearest.
void sort_rows(std::vector<Row>& rows) {
  std::stable_sort(rows.begin(), rows.end(), [](const Row& a, const Row& b) {
    if (a.judged.rank() != b.judged.rank()) return a.judged.rank() < b.judged.rank();
    if (a.judged.rank() == 2 && a.judged.headroom != b.judged.headroom) return a.judged.headroom > b.judged.headroom;
    return std::pair(a.judged.capacity, a.count) < std::pair(b.judged.capacity, b.count);
  });
}

void write_row(Writer& w, const char* kind, const Row& row) {
  const Judged& j = row.judged;
  w.begin_object();
  w.field(kind, row.id);
  w.field("verdict", j.verdict);
  if (std::string_view(kind) == "system" && !row.accelerator.empty()) {
    w.key("placement");
    w.begin_object();
    w.field("system", row.id);
    w.field("accelerator", row.accelerator);
    w.field("accelerators", std::int64_t{1});
    w.end_object();
  }
  if (j.sized) {
    w.field("headroom", j.headroom);
    w.field("fit_probability", j.probability);
  }
  if (j.capacity > 0) {
    w.field("capacity_bytes", j.capacity);
    w.field("capacity_basis", j.reported ? "reported" : "assumed");
  }
  if (!j.limit.empty()) w.field("limit", j.limit);
  if (!j.missing.empty()) w.field("unknown", Json(j.missing));
  w.end_object();
}

void write_rows(Writer& w, const char* name, const char* kind, std::vector<Row>& rows) {
  sort_rows(rows);
  w.key(name);
  w.begin_array();
  for (const Row& row : rows) write_row(w, kind, row);
  w.end_array();
}

bool is_candidate(const Json& request, std::string_view id) {
  const Json* patterns = at_pointer(request, "/candidates/systems");
  if (!patterns || !patterns->is_array()) return true;
  return std::any_of(patterns->begin(), patterns->end(), [&](const Json& p) { return matches(text_of(p), id); });
}

std::string id_of(const Json& entry, const char* key) {
  const Json* id = member(entry, key);
  return id ? text_of(*id) : "";
}

}  // namespace

void write_fit(Writer& w, const Resolved& resolved, const MemoryEstimate& own, const Json& request, const Catalogue& catalogue) {
  const Json* used = at_pointer(request, "/placement/memory_used_by_others_bytes");
  Judge judge(resolved, own, used && used->is_number() ? static_cast<std::int64_t>(used->get<double>()) : 0);

  std::vector<Row> accelerators, systems;
  std::map<std::string, Judged> by_accelerator;
  for (const Json* entry : catalogue.all(Kind::accelerators)) {
    Row row{id_of(*entry, "id"), {}, judge.judge(entry), 1};
    by_accelerator.emplace(row.id, row.judged);
    accelerators.push_back(std::move(row));
  }
  for (const Json* entry : catalogue.all(Kind::systems)) {
    Row row{id_of(*entry, "id"), id_of(*entry, "accelerator"), {}, 1};
    if (!is_candidate(request, row.id)) continue;
    if (const Json* count = member(*entry, "accelerators"); count && count->is_number())
      row.count = static_cast<std::int64_t>(count->get<double>());
    const auto known = by_accelerator.find(row.accelerator);
    if (known != by_accelerator.end()) {
      row.judged = known->second;
    } else if (row.accelerator.empty()) {
      row.judged.verdict = "no";
      row.judged.limit = "no_accelerator";
    } else {
      row.judged = judge.judge(nullptr);
    }
    systems.push_back(std::move(row));
  }
  write_rows(w, "fit", "system", systems);
  write_rows(w, "accelerators", "accelerator", accelerators);
}

}  // namespace tunefit::json

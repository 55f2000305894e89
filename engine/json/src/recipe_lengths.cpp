// Lengths of rows: which successive rows were each the longest so far. Only these make the allocator reserve more.
#include <algorithm>
#include <cmath>

#include "recipe_reader.h"

namespace tunefit::json {

namespace {

// Rows longer than all before them come ever more rarely: of rows in random order the k-th stands at a survival of e^-k in expectation
// (records of independent draws: K. N. Chandler, J. R. Stat. Soc. B 14, 1952).
constexpr int kRecords = 3;

double survival(int k) { return std::exp(-static_cast<double>(k)); }

// Quantile of a batch's longest row: all of `batch` rows stay below it.
double of_longest(double quantile, std::int64_t batch) { return std::pow(quantile, 1.0 / static_cast<double>(batch)); }

// Standard normal quantile by bisection; p inside (0, 1).
double normal_quantile(double p) {
  double low = -8, high = 8;
  for (int i = 0; i < 60; ++i) {
    const double mid = (low + high) / 2;
    (0.5 * std::erfc(-mid / std::sqrt(2.0)) < p ? low : high) = mid;
  }
  return (low + high) / 2;
}

std::vector<std::int64_t> records_of(const Json& lengths, const Recipe& r) {
  std::vector<std::int64_t> out;
  std::int64_t longest = 0;
  const auto batch = static_cast<std::size_t>(r.batch);
  for (std::size_t i = 0; i < lengths.size(); i += batch) {
    std::int64_t row = 0;
    for (std::size_t k = i; k < std::min(i + batch, lengths.size()); ++k) {
      std::int64_t n = 0;
      if (whole_number(lengths[k], n)) row = std::max(row, std::min(n, r.sequence_length));
    }
    if (row > longest) out.push_back(longest = row);
  }
  return out;
}

double number(const Json* object, const char* key) {
  const Json* value = object && object->is_object() ? member(*object, key) : nullptr;
  return value && value->is_number() ? value->get<double>() : 0;
}

// Log-normal lengths with the mean and 95th percentile given; without the latter, a spread of 0.8 (instruction data in the catalogue of
// measurements lies at 0.6 to 1.0).
std::vector<std::int64_t> records_of_dataset(const Json* lengths, const Recipe& r) {
  const double mean = number(lengths, "mean"), p95 = number(lengths, "p95"), max = number(lengths, "max");
  if (mean <= 0) return {};
  constexpr double z95 = 1.6448536269514722, kSpread = 0.8;
  const double room = z95 * z95 - 2 * std::log(std::max(p95, mean) / mean);
  const double sigma = p95 > mean && room >= 0 ? z95 - std::sqrt(room) : kSpread, mu = std::log(mean) - sigma * sigma / 2;
  const auto longest = static_cast<double>(r.sequence_length);
  std::vector<std::int64_t> out;
  for (int k = 1; k <= kRecords; ++k) {
    const double x = std::exp(mu + sigma * normal_quantile(of_longest(1 - survival(k), r.batch)));
    out.push_back(static_cast<std::int64_t>(std::min({x, longest, max > 0 ? max : longest})));
  }
  return out;
}

}  // namespace

void read_lengths(Settings& s, Recipe& r) {
  const Json* stated = s.stated("/recipe/lengths");
  const Json* dataset = s.stated("/workload/dataset/tokens_per_example");
  if (stated && stated->is_array() && !stated->empty()) {
    r.record_lengths = records_of(*stated, r);
  } else if (r.packing || (!dataset && !r.habits.rows_vary)) {
    return;
  } else if (dataset && number(dataset, "mean") > 0) {
    r.record_lengths = records_of_dataset(dataset, r);
    s.assume("/recipe/lengths", Json(r.record_lengths),
             "rows that are the longest so far, from the dataset's mean and 95th percentile taken as log-normal");
  } else {
    for (int k = 1; k <= kRecords; ++k)
      r.record_lengths.push_back(static_cast<std::int64_t>(of_longest(1 - survival(k), r.batch) * static_cast<double>(r.sequence_length)));
    s.assume("/recipe/lengths", Json(r.record_lengths),
             "the framework pads to the longest row of a batch; lengths are taken as spread evenly up to sequence_length");
  }
}

}  // namespace tunefit::json

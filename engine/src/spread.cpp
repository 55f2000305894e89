#include "tunefit/spread.h"

#include <cmath>

namespace tunefit {
namespace {

constexpr double kDecile = 1.2815515655446004;  // normal quantile of 0.9

double upper_tail(double z) { return 0.5 * std::erfc(z / std::sqrt(2.0)); }

}  // namespace

Interval spread(double expected, const Residual& r) { return {expected, std::round(expected * r.low), std::round(expected * r.high)}; }

double probability_below(double limit, double expected, const Residual& r) {
  if (limit <= 0) return 0;
  if (expected <= 0) return 1;
  const double distance = std::log(limit / expected);
  return 1.0 - upper_tail(kDecile * distance / std::abs(std::log(distance > 0 ? r.high : r.low)));
}

const char* verdict_name(Verdict v) {
  switch (v) {
    case Verdict::fits:
      return "fits";
    case Verdict::tight:
      return "tight";
    case Verdict::no:
      return "no";
  }
  return "no";
}

Fit fit(const MemoryEstimate& m, const Accelerator& a, const Calibration& c) {
  Fit f;
  const double capacity = static_cast<double>(a.capacity.value);
  if (capacity <= 0) return f;
  // Managed memory makes room for what needs it, and so does the allocator's cache.
  f.probability = probability_below(capacity, static_cast<double>(m.needed.value), c.needed);
  f.headroom = (capacity - m.device.expected) / capacity;
  f.verdict = f.probability >= 0.95 ? Verdict::fits : f.probability >= 0.5 ? Verdict::tight : Verdict::no;
  return f;
}

}  // namespace tunefit

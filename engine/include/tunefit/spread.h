// How far measurements lie from predictions: the 80 % interval and the probability that a run fits, from one set of residuals.
#pragma once
#include "tunefit/memory.h"

namespace tunefit {

enum class Counter : std::uint8_t { allocated, reserved, device };

// The central 80 % of measured / predicted; log(measured / predicted) is taken as two half-normals around 0 with these deciles.
// Provisional: read off the development measurements as a whole, not yet by class of run (docs/architecture.md, "How true").
struct Residual {
  double low, high;  // deciles as factors, so that bytes need no libm and agree on every platform
};
Residual residual(Counter);

// The 80 % interval around an expected number of bytes, rounded to whole bytes.
Interval spread(double expected, Counter);

// Probability that a figure with this expectation stays at or below limit (both in bytes).
double probability_below(double limit, double expected, Counter);

}  // namespace tunefit

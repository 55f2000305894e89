// How far measurements lie from predictions: the 80 % interval and the probability that a run fits, from residuals by class of run.
#pragma once
#include "tunefit/memory.h"

namespace tunefit {

// The 80 % interval around an expected number of bytes, rounded to whole bytes.
Interval spread(double expected, const Residual&);

// Probability that a figure with this expectation stays at or below limit (both in bytes).
double probability_below(double limit, double expected, const Residual&);

}  // namespace tunefit

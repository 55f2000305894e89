// What the engine needs to know of one accelerator to say whether a run fits.
#pragma once
#include <cstdint>
#include <string>

#include "tunefit/units.h"

namespace tunefit {

struct Accelerator {
  std::string id, name;
  Bytes capacity;                  // what the driver reports, less what others use
  bool capacity_reported = false;  // false: derived from the marketed size
  Bytes context;                   // CUDA or HIP context with loaded kernels, outside the caching allocator
  Bytes blas_workspace;            // cuBLAS workspace, inside it
};

}  // namespace tunefit

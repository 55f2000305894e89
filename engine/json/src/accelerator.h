// From a catalogue-shaped accelerator entry to what the engine needs of it.
#pragma once
#include <nlohmann/json.hpp>
#include <string>

#include "tunefit/accelerator.h"

namespace tunefit::json {

struct ReadAccelerator {
  Accelerator accelerator;
  std::string capacity_because;   // source of the reported size, or the rule by which it was derived (then an assumption)
  bool shared_with_host = false;  // the operating system needs some of that capacity too
  std::string context_because;    // source of context and workspace size
};

// Capacity: what the driver reports; where no source says, the marketed size x 0.98 (GDDR with ECC x 0.94), docs/contract.md.
// False, with why_not, for one on which the engine cannot size (no memory figure, no CUDA or HIP device).
bool read_accelerator(const nlohmann::json& entry, ReadAccelerator& out, std::string& why_not);

// Context and workspace of a usual accelerator, capacity 0: for requests that name none.
ReadAccelerator typical_accelerator();

}  // namespace tunefit::json

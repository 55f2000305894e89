// A model of which only the number of parameters is known.
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>

#include "catalogue.h"

namespace tunefit::json {

// The shape of a typical dense decoder (like Llama) of that size: hidden size, vocabulary and grouping are medians over the
// catalogue's models nearest in size, the hidden size scaled by the cube root of the ratio; number of layers and width of the
// MLPs then make the count fit (to below 0.1 % from 100 million up). because: what was assumed, in words. Valid from 1e6 to
// 1e13 parameters; false outside.
bool entry_of_size(double parameters, const Catalogue&, nlohmann::json& entry, std::string& because);

}  // namespace tunefit::json

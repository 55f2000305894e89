// Classes without a row: a rough reading where hidden size, layers, heads and vocabulary are there.
#pragma once
#include <string>

#include "hf_classes.h"
#include "hf_fields.h"

namespace tunefit::json {

// The row by which a file of an unknown class is read as a decoder like Llama (with experts and latent attention where it has
// their fields), or nullptr if the four dimensions are not there or it has an encoder. Adds a warning generic_reading,
// its hint with `perhaps` first.
const ClassFacts* generic_class(Fields&, const std::string& name, const char* field, const std::string& perhaps);

// The row of a decoder of an unknown class.
const ClassFacts& generic_decoder();

// Why a file cannot be read that way.
std::string why_not_generic(const Fields&);

// Experts in a file whose class has none, read by their usual names; for an unknown class also what is left out.
void read_what_is_unexpected(Fields&, bool unknown_class, Draft&);

}  // namespace tunefit::json

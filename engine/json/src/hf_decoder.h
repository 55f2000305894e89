// A decoder's dimensions, attention and layers from the fields of a config.json and the row of its class.
#pragma once
#include "hf_classes.h"
#include "hf_fields.h"

namespace tunefit::json {

// nested: the file may leave dimensions out that the class defaults (vision-language models' text_config).
void read_decoder(Fields&, const ClassFacts&, bool nested, Draft&);

}  // namespace tunefit::json

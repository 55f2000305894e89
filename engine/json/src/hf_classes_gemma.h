// What does not fit a column in the rows of Gemma 3n and 4.
#pragma once
#include "hf_parts.h"

namespace tunefit::json {

void prepare_gemma3n(Fields&, Draft&);
void finish_gemma3n(Fields&, Draft&);
void finish_gemma4(Fields&, Draft&);

}  // namespace tunefit::json

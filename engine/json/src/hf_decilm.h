// DeciLM (Nemotron-NAS): each layer has its own attention and MLP, or none.
#pragma once
#include "hf_classes.h"

namespace tunefit::json {

void prepare_decilm(Fields&, Draft&);
void finish_decilm(Fields&, Draft&);

}  // namespace tunefit::json

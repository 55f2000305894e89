// Which row of the class table a config.json belongs to, or why it belongs to none.
#pragma once
#include "hf_classes.h"
#include "hf_fields.h"

namespace tunefit::json {

struct Chosen {
  const ClassFacts* facts = nullptr;
  bool no_head = false;  // a class without language-model head (MistralModel)
};

// The row for architectures[0], else for model_type. Without one, or with parts that no dense decoder has, an error
// unsupported_class has been added that says what the model is and which classes can be read.
Chosen choose_class(Fields&);

}  // namespace tunefit::json

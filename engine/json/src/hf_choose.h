// Which row of the class table a config.json belongs to, or why it belongs to none.
#pragma once
#include <string>

#include "hf_classes.h"
#include "hf_fields.h"

namespace tunefit::json {

struct Chosen {
  const ClassFacts* facts = nullptr;
  bool no_head = false;  // a class without the language model's head, or with another one
  std::string name;      // as the file has it, where the row is a generic one
};

// The row for architectures[0], else for model_type; for an unknown class the generic one with a warning. Without one an error
// unsupported_class has been added that says why and which classes can be read.
Chosen choose_class(Fields&);

}  // namespace tunefit::json

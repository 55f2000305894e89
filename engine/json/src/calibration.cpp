#include "calibration.h"

#include <algorithm>

#include "catalogue.h"
#include "schema.h"

namespace tunefit::json {

const Calibration& calibration() {
  static const Calibration all = [] {
    Calibration c;
    const Json* classes = member(calibration_table(), "classes");
    const auto read = [&](const char* name, Residual& to) {
      const Json* row = classes ? member(*classes, name) : nullptr;
      const Json* low = row ? member(*row, "low") : nullptr;
      const Json* high = row ? member(*row, "high") : nullptr;
      if (low && high && low->is_number() && high->is_number()) to = {low->get<double>(), high->get<double>()};
    };
    read("allocated", c.allocated), read("reserved", c.reserved), read("reserved_varying", c.reserved_varying);
    read("device", c.device), read("device_varying", c.device_varying), read("needed", c.needed);
    return c;
  }();
  return all;
}

bool is_measured_kind(const Architecture& a, const Recipe& r) {
  const bool method = r.method == Method::full || (r.lora && r.lora->kind == AdapterKind::lora);
  const auto attends = [](const Layer& l) { return l.attention.has_value() && !l.attention->cross && !l.mamba && (l.mlp || l.experts); };
  return method && r.task == Task::language_model && !a.encoder && std::all_of(a.kinds.begin(), a.kinds.end(), attends);
}

}  // namespace tunefit::json

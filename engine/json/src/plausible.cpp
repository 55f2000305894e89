// What a schema finds possible but hardly anyone means: a price in cents, kilowatts for watts, a date to come.
#include <algorithm>
#include <cstdlib>

#include "embedded.h"
#include "overlay.h"
#include "schema.h"
#include "words.h"

namespace tunefit::json {

namespace {

class Walk {
 public:
  Walk(const Json& root, const Json& entry, Report& report) : root_(root), entry_(entry), report_(report) {}

  // below: pointer from the entry on.
  void walk(const Json& given, const Json& value, const std::string& below) {
    const Json& schema = resolved(given, root_);
    if (value.is_object()) {
      const Json* properties = member(schema, "properties");
      if (!properties) return;
      for (auto it = value.begin(); it != value.end(); ++it) {
        const auto property = properties->find(it.key());
        if (property != properties->end()) walk(*property, *it, child_pointer(below, it.key()));
      }
    } else if (value.is_array()) {
      const Json* items = member(schema, "items");
      for (std::size_t i = 0; items && i < value.size(); ++i) walk(*items, value[i], below + '/' + std::to_string(i));
    } else if (const Json* range = member(schema, "x-plausible"); range && value.is_number()) {
      check_range(*range, value, below);
    } else if (const Json* format = member(schema, "format"); format && value.is_string() && text_of(*format) == "date-or-year") {
      check_date(text_of(value), below);
    }
  }

 private:
  void check_range(const Json& range, const Json& value, const std::string& below) {
    const double low = range["minimum"].get<double>(), high = range["maximum"].get<double>();
    double each = 1;
    const Json* name = member(range, "each");
    if (name && report_.told("/" + text_of(*name))) return;
    if (const Json* divisor = name ? member(entry_, text_of(*name).c_str()) : nullptr; divisor && divisor->is_number())
      each = std::max(1.0, divisor->get<double>());
    const double share = value.get<double>() / each;
    if ((share >= low && share <= high) || report_.told(below)) return;
    std::string is = field_name(report_.pointer() + below) + " is " + shown(value), between;
    if (each > 1) is += ", " + number_text(share) + " for each of " + number_text(each) + " " + text_of(*name);
    if (name) between = "for each of the " + text_of(*name) + " ";
    report_.error(
        "implausible", below, is + ".",
        "In " + text_of(range["unit"]) + "; plausible is " + between + "from " + number_text(low) + " to " + number_text(high) + ".");
  }

  void check_date(const std::string& date, const std::string& below) {
    std::string latest(embedded::kDate);
    if (latest.size() < 4) return;
    latest.replace(0, 4, std::to_string(std::atoi(latest.substr(0, 4).c_str()) + 1));
    if (date <= latest.substr(0, date.size()) || report_.told(below)) return;
    report_.warning("future_date", below, field_name(report_.pointer() + below) + " is " + date + ".",
                    "A date that has come. The engine has no clock: it looks for dates more than a year after its catalogue's, " +
                        std::string(embedded::kDate) + ".");
  }

  const Json& root_;
  const Json& entry_;
  Report& report_;
};

}  // namespace

void check_plausible(const Json& schema, const Json& entry, Report& report) { Walk(schema, entry, report).walk(schema, entry, ""); }

}  // namespace tunefit::json

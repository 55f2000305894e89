// Overlay entries of hardware: the linters memory, mig, options, references and units of catalog/lint.
#include <cmath>
#include <cstdlib>
#include <set>

#include "overlay.h"
#include "schema.h"
#include "words.h"

namespace tunefit::json {

namespace {

constexpr double kNothing = -1;

// The number at a member of an object; kNothing if there is none.
double number(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value && value->is_number() ? value->get<double>() : kNothing;
}

std::string text(const Json& object, const char* key) {
  const Json* value = member(object, key);
  return value ? text_of(*value) : std::string();
}

// The number at a place of a list.
double at(const Json& object, const char* key, std::size_t place) {
  const Json* list = member(object, key);
  return list && list->is_array() && place < list->size() && (*list)[place].is_number() ? (*list)[place].get<double>() : kNothing;
}

const Json& list_of(const Json& object, const char* key) {
  static const Json none = Json::array();
  const Json* list = member(object, key);
  return list && list->is_array() ? *list : none;
}

std::string place(const std::string& above, std::size_t i) { return above + "/" + std::to_string(i); }

void check_memory(const Json& e, Report& r) {
  const double devices = std::max(1.0, number(e, "devices")), marketed = number(e, "memory_marketed_bytes") / devices;
  const double reported = number(e, "memory_reported_bytes"), visible = number(e, "memory_visible_bytes");
  if (r.told("/memory_marketed_bytes") || r.told("/devices")) return;
  const char* kReported = "/memory_reported_bytes";
  if (reported > 0 && !r.told(kReported)) {
    if (reported > marketed * 1.002)
      r.error("contradiction", kReported, "More memory is reported than marketed.", "At most memory_marketed_bytes.");
    else if (reported < marketed * 0.9)
      r.error("contradiction", kReported, "Less than nine tenths of the marketed memory is reported.",
              "The whole of what nvidia-smi or rocm-smi reports, in bytes.");
  }
  if (visible > 0 && !r.told("/memory_visible_bytes")) {
    if (visible > (reported > 0 ? reported : marketed))
      r.error("contradiction", "/memory_visible_bytes", "More memory is visible than reported.", "At most memory_reported_bytes.");
    else if (!e.contains("memory_visible_source"))
      r.error("required", "/memory_visible_source", "memory_visible_bytes has no memory_visible_source.", "Where the figure was read.");
  }
  const double printed = number(e, "memory_marketed_gb"), unit = marketed * devices / printed;
  if (printed > 0 && !r.told("/memory_marketed_gb") && std::fabs(unit / 1e9 - 1) > 1e-6 && std::fabs(unit / 1073741824.0 - 1) > 1e-6)
    r.error("contradiction", "/memory_marketed_gb", "memory_marketed_gb is not memory_marketed_bytes in gigabytes.",
            "The same size, in gigabytes of 1000^3 or 1024^3 bytes.");
}

void check_rates(const Json& e, Report& r) {
  const Json* rates = member(e, "tflops_dense");
  if (!rates || r.told("/tflops_dense")) return;
  static constexpr const char* kSlowAndFast[][2] = {{"fp32", "bf16"}, {"bf16", "fp8"}, {"fp8", "fp4"}};
  for (const auto& [slow, fast] : kSlowAndFast) {
    const double a = number(*rates, slow), b = number(*rates, fast);
    if (a > 0 && b > 0 && a > b)
      r.error("contradiction", std::string("/tflops_dense/") + slow, std::string(slow) + " is faster than " + fast + ".",
              "Dense rates, without sparsity, in 1e12 per second.");
  }
  const Json& measured = list_of(e, "matmul_measured");
  for (std::size_t i = 0; i < measured.size(); ++i) {
    const std::string below = place("/matmul_measured", i);
    if (r.told(below) || measured[i].contains("note")) continue;
    const std::string dtype = text_of(measured[i]["dtype"]);
    const double peak = number(*rates, dtype.c_str());
    if (peak > 0 && number(measured[i], "tflops") > 1.3 * peak)
      r.error("contradiction", below + "/tflops", "More is measured than the dense peak rate for " + shortened(dtype) + ".",
              "Dense rates, without sparsity; or say in note why.");
  }
}

void check_mig(const Json& e, Report& r) {
  std::set<std::string> seen;
  const Json& slices = list_of(e, "mig");
  for (std::size_t i = 0; i < slices.size(); ++i) {
    const std::string below = place("/mig", i);
    if (r.told(below)) continue;
    const Json& slice = slices[i];
    const std::string& profile = text_of(slice["profile"]);
    const auto wrong = [&](const char* key, std::string message, const char* hint) {
      r.error("contradiction", below + "/" + key, std::move(message), hint);
    };
    if (!seen.insert(profile).second) wrong("profile", profile + " stands twice.", "One entry for each profile.");
    const double compute = profile[0] - '0', gigabytes = std::atof(profile.c_str() + 3);
    const double of = at(slice, "compute_slices", 0), of_all = at(slice, "compute_slices", 1);
    const double memory = at(slice, "memory_slices", 0), all_memory = at(slice, "memory_slices", 1), count = number(slice, "instances");
    if (compute != of || of > of_all)
      wrong("compute_slices", profile + " has another number of compute slices by its name, or more than there are.",
            "Slices that it holds, of how many: [1, 7].");
    else if (memory > all_memory)
      wrong("memory_slices", profile + " has more memory slices than there are.", "Slices that it holds, of how many: [1, 8].");
    else if (count * memory > all_memory || count * of > of_all)
      wrong("instances", "So many of " + profile + " do not fit on one accelerator.", "Most slices of this kind on one accelerator.");
    const double bytes = number(slice, "memory_bytes"), named = gigabytes * 1073741824.0;
    if (bytes > 0 && (bytes > named || bytes < 0.85 * named))
      wrong("memory_bytes", profile + " holds more than its name says, or far less.", "Bytes as nvidia-smi mig -lgip lists them.");
    else if (bytes > 0 && !slice.contains("memory_source"))
      r.error("required", below + "/memory_source", "memory_bytes has no memory_source.", "Where the figure was read.");
  }
}

// The accelerator that an entry or one of its choices names.
void check_named(const std::string& id, const Catalogue& catalogue, const std::string& below, Report& r) {
  if (catalogue.find_accelerator(id)) return;
  if (catalogue.refused(Kind::accelerators, id))
    return r.error("unknown_accelerator", below, "The overlay's accelerator " + shown(Json(id)) + " is wrong itself.",
                   "With that one corrected, this one is right.");
  const auto near = catalogue.suggestions(Kind::accelerators, id);
  r.error("unknown_accelerator", below, "There is no accelerator " + shown(Json(id)) + ".",
          near.empty() ? "The id of an accelerator of the catalogue or of this overlay." : "Nearest: " + in_words(near) + ".");
}

// As many on each node.
void check_nodes(double accelerators, double nodes, const std::string& below, Report& r) {
  if (accelerators < 0 || nodes < 1 || std::fmod(accelerators, nodes) == 0) return;
  r.error("contradiction", below, number_text(accelerators) + " accelerators do not divide over " + number_text(nodes) + " nodes.",
          "Accelerators in all, over the nodes, as many on each.");
}

void check_option(const Json& e, const Json& option, const Catalogue& catalogue, const std::string& below, Report& r) {
  const Json& choices = list_of(option, "choices");
  const std::string standard = text(option, "default");
  std::set<std::string> ids;
  for (std::size_t i = 0; i < choices.size(); ++i) {
    const Json& choice = choices[i];
    const std::string at_choice = place(below + "/choices", i), id = text(choice, "id");
    if (!id.empty() && !ids.insert(id).second && !r.told(at_choice + "/id"))
      r.error("duplicate_id", at_choice + "/id", "Two choices are called " + shown(Json(id)) + ".",
              "An id names one choice of its option.");
    const Json* sets = member(choice, "sets");
    if (!sets || !sets->is_object() || r.told(at_choice)) continue;
    if (id == standard && (!sets->empty() || choice.contains("price_delta") || choice.contains("unknown")))
      r.error("contradiction", at_choice, "The default choice describes the entry itself.", "It sets nothing and costs nothing more.");
    if (const Json* named = member(*sets, "accelerator")) check_named(text_of(*named), catalogue, at_choice + "/sets/accelerator", r);
    if (r.told("/accelerators") || r.told("/nodes")) continue;
    const double count = number(*sets, "accelerators"), nodes = number(*sets, "nodes");
    if (count >= 0 || nodes >= 0)
      check_nodes(count >= 0 ? count : number(e, "accelerators"), nodes >= 0 ? nodes : std::max(1.0, number(e, "nodes")),
                  at_choice + "/sets", r);
  }
  if (!standard.empty() && !ids.count(standard) && !r.told(below + "/default"))
    r.error("unknown_value", below + "/default", "The default " + shown(Json(standard)) + " is no choice.",
            "The id of one of the choices.");
}

void check_options(const Json& e, const Catalogue& catalogue, Report& r) {
  std::set<std::string> ids;
  const Json& options = list_of(e, "options");
  for (std::size_t i = 0; i < options.size(); ++i) {
    const std::string below = place("/options", i), id = text(options[i], "id");
    if (!id.empty() && !ids.insert(id).second && !r.told(below + "/id"))
      r.error("duplicate_id", below + "/id", "Two options are called " + shown(Json(id)) + ".", "An id names one option of the system.");
    check_option(e, options[i], catalogue, below, r);
  }
}

}  // namespace

void check_accelerator(const Json& entry, Report& r) {
  check_memory(entry, r);
  check_rates(entry, r);
  check_mig(entry, r);
}

void check_machine(const Json& entry, const Catalogue& catalogue, Report& r) {
  const Json* accelerator = member(entry, "accelerator");
  if (accelerator && accelerator->is_string() && !r.told("/accelerator")) check_named(text_of(*accelerator), catalogue, "/accelerator", r);
  const double count = number(entry, "accelerators");
  if (accelerator && !r.told("/accelerator") && !r.told("/accelerators")) {
    if (accelerator->is_null() != (count == 0))
      r.error("contradiction", "/accelerators",
              accelerator->is_null() ? "There are accelerators, but accelerator is null." : "There are 0 of an accelerator.",
              "accelerator is null exactly where accelerators is 0.");
    else if (!r.told("/nodes"))
      check_nodes(count, std::max(1.0, number(entry, "nodes")), "/accelerators", r);
  }
  const Json* host = member(entry, "host");
  if (host && !r.told("/host") && number(*host, "ram_max_bytes") > 0 && number(*host, "ram_bytes") > number(*host, "ram_max_bytes"))
    r.error("contradiction", "/host/ram_bytes", "host.ram_bytes is more than host.ram_max_bytes.", "At most the memory that fits.");
  check_options(entry, catalogue, r);
}

}  // namespace tunefit::json

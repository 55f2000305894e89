// Overlay entries of models: the linters references, layers, licences and parameter_count of catalog/lint.
#include <cmath>

#include "compiled_in.h"
#include "model.h"
#include "overlay.h"
#include "schema.h"
#include "tunefit/architecture.h"
#include "words.h"

namespace tunefit::json {

namespace {

constexpr double kTolerance = 0.005;  // as catalog/lint/parameter_count.mjs

std::int64_t whole(const Json& entry, const char* key) {
  const Json* value = member(entry, key);
  std::int64_t n = 0;
  return value && whole_number(*value, n) ? n : 0;
}

void check_dimensions(const Json& e, const Catalogue& catalogue, Report& r) {
  const Json* base = member(e, "dims_of");
  if (!base) {
    if (!e.contains("hidden_size") && !r.told("/hidden_size"))
      r.error("required", "/hidden_size", "There are neither dimensions nor dims_of.",
              "hidden_size, num_layers and so on, as in config.json; or dims_of with the id of a model with the very same architecture.");
    return;
  }
  if (!r.told("/dims_of") && !catalogue.find_model(text_of(*base))) {
    const auto near = catalogue.suggestions(Kind::models, text_of(*base));
    const bool wrong_itself = catalogue.refused(Kind::models, text_of(*base));
    r.error("unknown_model", "/dims_of",
            wrong_itself ? "The overlay's model " + shown(*base) + " is wrong itself." : "There is no model " + shown(*base) + ".",
            wrong_itself   ? "With that one corrected, this one is right."
            : near.empty() ? "The id of a model with the same dimensions."
                           : "The id of a model with the same dimensions. Nearest: " + in_words(near) + ".");
  }
  const Json* dimensions = member(compiled_in::schema(Kind::models), "dimensions");
  for (const Json& name : dimensions ? *dimensions : Json::array()) {
    if (e.contains(text_of(name)) && !r.told("/" + text_of(name)))
      r.error("contradiction", "/" + text_of(name), "It has " + text_of(name) + " of its own beside dims_of.",
              "Either dims_of, which brings every dimension, or all of one's own.");
  }
}

void check_layers(const Json& e, Report& r) {
  const std::int64_t layers = whole(e, "num_layers"), heads = whole(e, "num_attention_heads"), kv = whole(e, "num_kv_heads");
  if (kv > 0 && heads % kv != 0 && !r.told("/num_kv_heads") && !r.told("/num_attention_heads"))
    r.error("contradiction", "/num_kv_heads", std::to_string(heads) + " heads cannot share " + std::to_string(kv) + " key and value heads.",
            "A number that divides num_attention_heads.");
  const Json* order = member(e, "layer_types");
  if (order && order->is_array() && layers > 0 && order->size() > static_cast<std::size_t>(layers) && !r.told("/layer_types") &&
      !r.told("/num_layers"))
    r.error("contradiction", "/layer_types",
            "There are " + std::to_string(order->size()) + " layer types for " + std::to_string(layers) + " layers.",
            "One for each layer, or a pattern that repeats.");
}

void check_licence(const Json& e, Report& r) {
  const Json* licence = member(e, "licence");
  const Json* id = licence ? member(*licence, "id") : nullptr;
  if (!id || r.told("/licence")) return;
  const auto check = [&](const Json& named, const std::string& below) {
    if (compiled_in::knows_licence(text_of(named))) return;
    const std::string near = nearest(text_of(named), compiled_in::licences());
    r.error("unknown_licence", below, "There is no licence " + shown(named) + ".",
            (near.empty() ? "" : "Did you mean \"" + near + "\"? ") +
                "The id of a licence of the catalogue; another one has name, class and mind instead.");
  };
  check(*id, "/licence/id");
  if (const Json* base = member(*licence, "base")) {
    for (std::size_t i = 0; i < base->size(); ++i) check((*base)[i], "/licence/base/" + std::to_string(i));
  }
  for (const char* key : {"name", "class", "mind"}) {
    if (licence->contains(key))
      r.error("contradiction", std::string("/licence/") + key, std::string("The licence has an id and a ") + key + " of its own.",
              "The id brings name, class and what to mind; leave one of them out.");
  }
}

}  // namespace

void check_model(const Json& entry, const Catalogue& catalogue, Report& r) {
  check_dimensions(entry, catalogue, r);
  check_layers(entry, r);
  check_licence(entry, r);
}

void check_parameters(const Json& completed, Report& r) {
  const Json* published = member(completed, "params_total");
  if (!published || !published->is_number() || completed.contains("diff_note") || completed.contains("params_checkpoint")) return;
  Architecture architecture;
  std::string why_not;
  if (!read_architecture(completed, architecture, why_not)) return;
  const auto ours = static_cast<double>(parameter_count(architecture)), theirs = published->get<double>();
  if (theirs <= 0 || std::fabs(ours - theirs) / theirs < kTolerance) return;
  r.error("contradiction", "/params_total", "The dimensions give " + number_text(ours) + " parameters, not " + number_text(theirs) + ".",
          "The published number, correct dimensions, or diff_note with the reason.");
}

}  // namespace tunefit::json

#include "size_only.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>
#include <string_view>
#include <vector>

#include "schema.h"
#include "words.h"

namespace tunefit::json {

namespace {

constexpr double kSmallest = 1e6, kLargest = 1e13;
constexpr std::size_t kNeighbours = 7;
constexpr std::array kTypes{"llama", "mistral", "qwen2", "qwen3", "olmo2", "internlm2"};

struct Shape {
  double parameters = 0, hidden = 0, layers = 0, vocab = 0, group = 0, ratio = 0;  // group: query heads to one key head
  bool tied = false;
};

double number(const Json& entry, const char* key) {
  const Json* value = member(entry, key);
  return value && value->is_number() ? value->get<double>() : 0;
}

// Dense decoders of the usual kind, one of each shape.
std::vector<Shape> typical(const Catalogue& catalogue) {
  std::vector<Shape> shapes;
  std::set<std::array<double, 3>> seen;
  for (const Json* e : catalogue.all(Kind::models)) {
    const Json* type = member(*e, "model_type");
    const std::string_view name = type ? std::string_view(text_of(*type)) : std::string_view();
    if (std::none_of(kTypes.begin(), kTypes.end(), [&](const char* t) { return name == t; })) continue;
    Shape s{number(*e, "params_total"), number(*e, "hidden_size"), number(*e, "num_layers"), number(*e, "vocab_size"), 0, 0};
    const double heads = number(*e, "num_attention_heads"), kv = number(*e, "num_kv_heads");
    const Json* kind = member(*e, "kind");
    if (s.parameters <= 0 || s.hidden <= 0 || s.layers <= 0 || kv <= 0 || !kind || text_of(*kind) != "dense") continue;
    if (!seen.insert({s.hidden, s.layers, number(*e, "intermediate_size")}).second) continue;
    s.group = heads / kv;
    s.ratio = number(*e, "intermediate_size") / s.hidden;
    const Json* tied = member(*e, "tie_word_embeddings");
    s.tied = tied && *tied == Json(true);
    shapes.push_back(s);
  }
  return shapes;
}

template <class Value>
double median(const std::vector<Shape>& shapes, Value value) {
  std::vector<double> values;
  values.reserve(shapes.size());
  for (const auto& s : shapes) values.push_back(value(s));
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

std::int64_t multiple(double value, std::int64_t of) {
  return std::max<std::int64_t>(1, std::llround(value / static_cast<double>(of))) * of;
}

std::int64_t divisor_near(std::int64_t of, double wanted) {
  const auto off = [&](std::int64_t n) { return std::fabs(std::log(static_cast<double>(n) / wanted)); };
  std::int64_t best = 1;
  for (std::int64_t n = 2; n <= of; ++n)
    if (of % n == 0 && off(n) < off(best)) best = n;
  return best;
}

}  // namespace

bool entry_of_size(double parameters, const Catalogue& catalogue, Json& entry, std::string& because) {
  auto shapes = typical(catalogue);
  if (!(parameters >= kSmallest && parameters <= kLargest) || shapes.size() < kNeighbours) return false;
  const auto distance = [&](const Shape& s) { return std::fabs(std::log(s.parameters / parameters)); };
  std::stable_sort(shapes.begin(), shapes.end(), [&](const Shape& a, const Shape& b) { return distance(a) < distance(b); });
  shapes.resize(kNeighbours);
  const auto scale = [&](const Shape& s) { return std::cbrt(parameters / s.parameters); };

  const std::int64_t head_dim = parameters < 3e8 ? 64 : 128;
  const bool tied = median(shapes, [](const Shape& s) { return s.tied ? 1.0 : 0.0; }) > 0;
  auto vocab = static_cast<double>(multiple(median(shapes, [](const Shape& s) { return s.vocab; }), 64));
  const std::int64_t step = parameters < 1e9 ? head_dim : parameters < 3e9 ? 4 * head_dim : 8 * head_dim;
  const auto hidden = multiple(median(shapes, [&](const Shape& s) { return s.hidden * scale(s); }), step);
  const double tables = tied ? 1 : 2;
  // Models below the catalogue's smallest have smaller tables: at most a third of the parameters.
  vocab = std::min(vocab, std::max(64.0, std::floor(parameters / 3 / tables / static_cast<double>(hidden) / 64) * 64));
  const auto h = static_cast<double>(hidden);
  const auto heads = hidden / head_dim;
  const auto kv = divisor_near(heads, static_cast<double>(heads) / median(shapes, [](const Shape& s) { return s.group; }));
  // What is left for the MLPs decides layers and width: as many layers as keep the width near the usual ratio.
  const double attention = 2 * h * h + 2 * h * static_cast<double>(kv * head_dim) + 2 * h;
  const double usual = median(shapes, [](const Shape& s) { return s.ratio; }) * h;
  const double rest = parameters - tables * vocab * h - h;
  const auto layers = std::clamp<std::int64_t>(std::llround(rest / (attention + 3 * h * usual)), 1, 2000);
  const double width = (rest / static_cast<double>(layers) - attention) / (3 * h);
  const auto intermediate = std::clamp<std::int64_t>(std::llround(width), 1, std::int64_t{1} << 22);

  entry = {{"kind", "dense"},
           {"architectures", Json::array({"LlamaForCausalLM"})},
           {"model_type", "llama"},
           {"dtype", "bfloat16"},
           {"hidden_size", hidden},
           {"intermediate_size", intermediate},
           {"num_layers", layers},
           {"num_attention_heads", heads},
           {"num_kv_heads", kv},
           {"head_dim", head_dim},
           {"vocab_size", static_cast<std::int64_t>(vocab)},
           {"tie_word_embeddings", tied},
           {"position", "rope"},
           {"qk_norm", "none"},
           {"gated", true},
           {"activation", "silu"},
           {"mlp_bias", false},
           {"norm_type", "rmsnorm"},
           {"norms_per_layer", 2},
           {"attention_bias", "none"}};
  because = "only the size is known: taken as a dense decoder like Llama of the shape usual for it, hidden_size " + std::to_string(hidden) +
            ", " + std::to_string(layers) + " layers, " + std::to_string(heads) + " heads, " + std::to_string(kv) +
            " key and value heads, MLP " + std::to_string(intermediate) + ", vocabulary " +
            std::to_string(static_cast<std::int64_t>(vocab)) + ", bfloat16";
  return true;
}

}  // namespace tunefit::json

#include "tunefit/architecture.h"

#include "tunefit/build.h"

namespace tunefit {

std::int64_t parameter_count(const Architecture& a) {
  Recipe r;  // any recipe: what is there does not depend on it
  r.method = Method::full;
  r.batch = r.sequence_length = 1;
  std::int64_t n = 0;
  const Graph g = build_graph(a, r);
  for (int index : g.order)
    for (const Parameter& p : g.blocks[static_cast<std::size_t>(index)].parameters)
      if (p.has_storage()) n += p.numel();
  return n;
}

}  // namespace tunefit

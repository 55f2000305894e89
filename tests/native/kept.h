// What one layer keeps.
#pragma once
#include "tunefit/build.h"
#include "tunefit/trace.h"

namespace tunefit::test {

// Bytes that a layer in the middle of the stack adds per token between its forward and its backward, its output aside.
inline double kept_per_token(const Architecture& a, Recipe r) {
  r.checkpointing = Checkpointing::none;
  r.batch = 8;
  r.sequence_length = 4096;  // large, so that rounding to 512 B vanishes
  const Graph g = build_graph(a, r);
  const Block& layer = g.placed(g.order.size() / 2);
  const BlockTraces t = trace(layer, r);
  std::int64_t left = 0;
  for (const Trace* part : {&t.forward, &t.after_forward})
    for (const Event& e : *part) left += e.bytes;
  // forward frees the input unless it is kept, and leaves the output, which the next layer accounts for
  return static_cast<double>(left) / static_cast<double>(r.tokens());
}

}  // namespace tunefit::test

// Writes the adapters of one linear beside it, as PEFT's layers do; one method a kind.
#pragma once
#include <initializer_list>
#include <vector>

#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

class AdapterWriter {
 public:
  // Appends the linear `base` with its adapters to ops.
  AdapterWriter(Block&, const Recipe&, const Op& base, std::vector<Op>& ops);
  void write();

 private:
  Op& emit(OpKind, std::initializer_list<int> inputs, std::int64_t width);
  int parameter(const char* suffix, std::int64_t in, std::int64_t out, bool trained = true);
  int entered();                      // the input as the adapter takes it: cast to its type, dropped out
  int base_result();                  // the frozen linear's, cloned where PEFT does
  void add(int result, int adapted);  // the sum becomes the linear's output
  int low_rank(int x, std::int64_t rank);
  void lora();
  void dora();
  void vera();
  void loha();
  void lokr();
  void oft();
  void ia3();
  void delta(std::int64_t trained, int forward_weights, int backward_weights);

  Block& block_;
  const Recipe& r_;
  const Lora& lora_;
  const Op base_;
  const Parameter weight_;
  std::vector<Op>& ops_;
  std::int64_t in_ = 0, out_ = 0;  // widths of input and output
  bool quantized_ = false, autocast_ = false, peft_ = false, converts_ = false, bitsandbytes_ = false;
};

}  // namespace tunefit

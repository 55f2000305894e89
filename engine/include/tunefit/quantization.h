// Quantised linears: what they store, and what their code makes and keeps when it runs. A new scheme is a row here.
#pragma once
#include "tunefit/autograd.h"
#include "tunefit/graph.h"
#include "tunefit/recipe.h"
#include "tunefit/storage.h"

namespace tunefit {

// Bytes of a quantised weight and of its constants (scales, zero points, code books).
WeightStorage quantized_storage(const Parameter&, const Quantization&);

// Whether the code of this scheme keeps the linear's input although the weight is frozen. bnb_keeps_input: bitsandbytes before 0.43.2.
bool keeps_input(Scheme, bool bnb_keeps_input);

// Adds to the rule what the linear's forward makes and, where its input needs a gradient, keeps and makes again in backward.
// x: its input; compute: the type it multiplies in; batch: rows of the micro-batch; input_gradient: whether x needs one. Sources:
// quantization.cpp.
void add_quantized_linear(const Parameter&, const Tensor& x, DType compute, std::int64_t batch, bool input_gradient, Rule&);

}  // namespace tunefit

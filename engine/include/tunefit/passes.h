// Graph-to-graph passes, each in its own file (src/pass_*.cpp), in the order in which build_graph applies them. What composes
// in training composes here: a new method, kernel or framework habit is a pass or a rule, never a formula for a case.
#pragma once
#include "tunefit/architecture.h"
#include "tunefit/graph.h"
#include "tunefit/recipe.h"

namespace tunefit {

// 1. Which parameters are trained, in which dtype each is held; modules_to_save.
void assign_parameters(Block&, const Recipe&);

// 2. The head's loss, by variant: what is upcast, copied, chunked or never made (physics: bytes per logit).
void expand_loss(Block& head, const Architecture&, const Recipe&);

// 3. LoRA pairs beside the target modules, as the framework writes them.
void insert_adapters(Block&, const Recipe&);

// 4. Quantised storage of frozen linears; what their code keeps.
void quantize(Block&, const Recipe&);

// 5. PEFT's prepare_model_for_kbit_training: every parameter left in 16 bit becomes fp32.
void prepare_kbit(Block&, const Recipe&);

// 6. Liger, Unsloth and compiled kernels in place of chains of operations.
void fuse_kernels(Block&, const Recipe&);

// 7. dtypes of every tensor; the casts and weight copies that autocast makes.
//    residual: dtype of the hidden state that enters the block. Returns the dtype that leaves it.
DType assign_dtypes(Block&, const Recipe&, DType residual);

// 8. Which tensors require gradients. input: whether the block's input does. Returns whether its output does.
bool assign_gradients(Block&, const Recipe&, bool input);

// 9. Recomputation in backward.
void checkpoint(Block&, const Recipe&);

// Is this parameter's module a LoRA target of the recipe? "all-linear": every linear but the head; "attention": its projections;
// else the module's own name or one it answers to.
bool is_target(const Recipe&, const Parameter&);

}  // namespace tunefit

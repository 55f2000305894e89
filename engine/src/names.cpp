#include "tunefit/memory.h"

namespace tunefit {

const char* phase_name(Phase p) {
  switch (p) {
    case Phase::load:
      return "load";
    case Phase::forward:
      return "forward";
    case Phase::loss:
      return "loss";
    case Phase::backward:
      return "backward";
    case Phase::optimizer_step:
      return "optimizer_step";
    case Phase::eval:
      return "eval";
    case Phase::save:
      return "save";
  }
  return "";
}

const char* item_name(Item i) {
  switch (i) {
    case Item::base_weights:
      return "weights.base";
    case Item::quantization_constants:
      return "weights.quantization_constants";
    case Item::trained_weights:
      return "weights.trained";
    case Item::adapter_weights:
      return "weights.adapters";
    case Item::master_weights:
      return "weights.master";
    case Item::rotary_tables:
      return "rotary_tables";
    case Item::gradients:
      return "gradients";
    case Item::optimizer_state:
      return "optimizer.state";
    case Item::optimizer_temporary:
      return "optimizer.temporary";
    case Item::checkpoints:
      return "activations.checkpoints";
    case Item::saved_activations:
      return "activations.saved";
    case Item::activations:
      return "activations.temporary";
    case Item::activation_gradients:
      return "activations.gradients";
    case Item::logits:
      return "logits";
    case Item::loss_temporary:
      return "loss.temporary";
    case Item::autocast_weight_copies:
      return "autocast.weight_copies";
    case Item::dequantized_weights:
      return "dequantized_weights";
    case Item::operation_temporary:
      return "operations.temporary";
    case Item::merge_temporary:
      return "merge.temporary";
    case Item::library_workspace:
      return "library_workspace";
  }
  return "";
}

}  // namespace tunefit

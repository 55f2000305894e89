#include "tunefit/explain.h"

#include <algorithm>

namespace tunefit {
namespace {

struct Text {
  const char* formula;
  const char* source;
};

std::string weights_formula(const Recipe& r) {
  if (!r.quantization) return "values x bytes of the dtype they are held in";
  if (r.quantization->scheme == Scheme::int8)
    return "quantised linears: 1 B a value; embedding, head and norms: values x bytes of their dtype";
  return "quantised linears: 1/2 B a value; embedding, head and norms: values x bytes of their dtype (4 after k-bit preparation)";
}

std::string constants_formula(const Recipe& r) {
  if (!r.quantization || r.quantization->scheme == Scheme::int8) return "an fp32 scale for each output row";
  if (r.quantization->double_quant) return "1 B a block of values, an fp32 number for each 256 blocks, code books";
  return "an fp32 number a block of values, a code book";
}

std::string state_formula(const Recipe& r) {
  switch (r.optimizer) {
    case Optimizer::adamw:
      return "two moments of each trained value, in the dtype of the weight (fp32 with a master copy)";
    case Optimizer::adamw_8bit:
      return "two 8-bit moments of each trained value and two fp32 numbers for each 256; tensors below 4,096 values in fp32";
    case Optimizer::paged_adamw_8bit:
    case Optimizer::paged_adamw_32bit:
      return "only tensors below 100,000 values: larger ones are paged, in managed memory outside PyTorch's allocator";
    case Optimizer::adamw_apex:
    case Optimizer::adamw_anyprecision:
      return "two moments of each trained value in fp32";
    case Optimizer::adafactor:
    case Optimizer::adalomo:
      return "an fp32 number for each row and column of a trained matrix; of vectors one for each value";
    case Optimizer::came:
      return "an fp32 moment of each trained value, and two fp32 numbers for each row and column";
    case Optimizer::lion:
      return "one fp32 moment of each trained value";
    case Optimizer::lion_8bit:
      return "one 8-bit moment of each trained value and an fp32 number for each 256";
    case Optimizer::ademamix:
      return "three fp32 moments of each trained value";
    case Optimizer::sgd_momentum:
      return "one moment of each trained value";
    case Optimizer::muon:
      return "one momentum of each value of a hidden matrix; two moments of everything else";
    case Optimizer::galore_adamw:
    case Optimizer::galore_adamw_8bit:
    case Optimizer::apollo:
      return "of a linear two moments of rank x its longer side and a projector of rank x its shorter one; two moments of everything else";
    case Optimizer::adamw_deepspeed_cpu:
      return "none: states and master weights are held by the host";
    case Optimizer::lomo:
    case Optimizer::sgd:
      return "none";
  }
  return "";
}

Text text(Item i) {
  switch (i) {
    case Item::trained_weights:
      return {"values x bytes of trainable_dtype", "torch.nn.Parameter"};
    case Item::adapter_weights:
      return {"r x (in + out) of each adapted linear x bytes of lora.dtype", "peft/tuners/lora/layer.py"};
    case Item::master_weights:
      return {"4 B a trained value", "DeepSpeed, apex O2: fp32 master copy"};
    case Item::rotary_tables:
      return {"2 x max_position_embeddings x head_dim x bytes, in every layer", "transformers before 4.41, modeling_llama.py"};
    case Item::gradients:
      return {"values trained x bytes of the gradient's dtype, as far as backward has come; all of them between micro-steps",
              "torch.autograd: .grad has the leaf's dtype"};
    case Item::optimizer_temporary:
      return {
          "what the step makes for a moment: foreach AdamW the square roots of all second moments at once, a loop one tensor's, fused "
          "none; others "
          "copies of one tensor's gradient, weight or update",
          "torch/optim/adamw.py; the optimizers named in engine/src/storage.cpp"};
    case Item::checkpoints:
      return {"layers x tokens x hidden x bytes: the input of each layer, kept until its backward", "torch.utils.checkpoint"};
    case Item::saved_activations:
      return {"what autograd keeps for backward of the layers in hand, storage by storage",
              "PyTorch tools/autograd/derivatives.yaml and the modules' code"};
    case Item::activations:
      return {"results of operations until their last use", "the model's forward"};
    case Item::activation_gradients:
      return {"gradients of activations between two operations of backward", "torch.autograd"};
    case Item::logits:
      return {
          "tokens x vocabulary x bytes of each copy that this loss code makes: 16 bit, fp32, shifted, log-probabilities, their gradients",
          "loss code of the framework's version (loss_variant)"};
    case Item::loss_temporary:
      return {"chunks of logits and what the loss keeps a token", "loss code of the framework's version (loss_variant)"};
    case Item::autocast_weight_copies:
      return {
          "2 B a value of fp32 weights that autocast multiplies in 16 bit; of trained weights until the forward's autocast context ends",
          "PyTorch aten/src/ATen/autocast_mode.cpp, cached_cast"};
    case Item::dequantized_weights:
      return {"the largest linear in 16 bit and its restored fp32 absmax", "bitsandbytes/autograd/_functions.py, MatMul4Bit"};
    case Item::operation_temporary:
      return {"what one operation needs only while it runs", "the kernels and modules named in engine/src/autograd.cpp"};
    case Item::merge_temporary:
      return {"of the largest adapted module: the product of its adapter's matrices and copies of the weight while both are summed",
              "peft/tuners/lora/layer.py and bnb.py, merge"};
    case Item::library_workspace:
      return {"workspace of the matrix library for one stream", "PyTorch aten/src/ATen/cuda/CublasHandlePool.cpp"};
    case Item::base_weights:
    case Item::quantization_constants:
    case Item::optimizer_state:
      return {"", "bitsandbytes functional.py, optim/optimizer.py; torch/optim/adamw.py"};
  }
  return {"", ""};
}

}  // namespace

std::string explanation_id(Item i) { return std::string("m.") + item_name(i); }

std::vector<Explanation> explain_memory(const Architecture& a, const Recipe& r, const Accelerator& device, const MemoryEstimate& m) {
  std::vector<Explanation> out;
  const double tokens = static_cast<double>(r.tokens()), parameters = static_cast<double>(m.parameters),
               trained = static_cast<double>(m.trainable_parameters);
  const std::vector<std::pair<std::string, double>> shape = {{"tokens", tokens},
                                                             {"hidden", static_cast<double>(a.hidden)},
                                                             {"layers", static_cast<double>(a.layers.size())},
                                                             {"vocabulary", static_cast<double>(a.vocab)}};
  for (int k = 0; k < kItems; ++k) {
    const Item item = static_cast<Item>(k);
    const auto index = static_cast<std::size_t>(k);
    if (std::none_of(m.timeline.begin(), m.timeline.end(), [&](const PhasePeak& p) { return p.items[index] > 0; })) continue;
    const Text t = text(item);
    Explanation e{explanation_id(item), t.formula, t.source, {}};
    switch (item) {
      case Item::base_weights:
        e.formula = weights_formula(r), e.inputs = {{"parameters", parameters}};
        break;
      case Item::quantization_constants:
        e.formula = constants_formula(r);
        e.inputs = {{"parameters", parameters}, {"block_size", r.quantization ? static_cast<double>(r.quantization->block_size) : 0.0}};
        break;
      case Item::optimizer_state:
        e.formula = state_formula(r), e.inputs = {{"trainable_parameters", trained}};
        break;
      case Item::trained_weights:
      case Item::master_weights:
      case Item::gradients:
      case Item::optimizer_temporary:
        e.inputs = {{"trainable_parameters", trained}};
        break;
      case Item::adapter_weights:
        e.inputs = {{"r", r.lora ? static_cast<double>(r.lora->r) : 0.0}, {"trainable_parameters", trained}};
        break;
      case Item::rotary_tables:
        e.inputs = {{"max_position_embeddings", static_cast<double>(a.max_position_embeddings)},
                    {"layers", static_cast<double>(a.layers.size())}};
        break;
      case Item::library_workspace:
        e.inputs = {{"bytes", static_cast<double>(device.blas_workspace.value)}};
        break;
      default:
        e.inputs = shape;
        break;
    }
    out.push_back(std::move(e));
  }
  out.push_back({"m.allocated",
                 "the most that is allocated at one moment of a step, from the second step on; each allocation rounded up to 512 B",
                 "replay of the step's operations (docs/architecture.md); torch.cuda.max_memory_allocated", shape});
  out.push_back({"m.reserved",
                 "1.08 x allocated; the upper end is at least a replay of every allocation through PyTorch's caching allocator (with "
                 "expandable segments the replay itself)",
                 "c10/cuda/CUDACachingAllocator.cpp; torch.cuda.max_memory_reserved",
                 {{"allocated", m.allocated.expected}}});
  out.push_back({"m.device",
                 "reserved + context of the driver with its loaded kernels + paged optimizer state, as far as the card has room",
                 "what nvidia-smi shows for the process",
                 {{"reserved", m.reserved.expected},
                  {"context", static_cast<double>(device.context.value)},
                  {"managed", static_cast<double>(m.managed_on_device.value)}}});
  out.push_back({"m.fit_probability",
                 "probability that device stays within capacity, log(measured / predicted) taken as two half-normals",
                 "residuals over published measurements (provisional)",
                 {{"device", m.device.expected}, {"capacity", static_cast<double>(device.capacity.value)}}});
  return out;
}

}  // namespace tunefit

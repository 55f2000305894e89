// What the name of a method stands for.
#include "recipe_reader.h"

namespace tunefit::json {

namespace {

Lora read_lora(Reader& r, AdapterKind kind) {
  Lora lora;
  lora.kind = kind;
  lora.dtype = r.choice("/recipe/lora/dtype", lora.dtype);
  lora.r = r.count("/recipe/lora/r", lora.r);
  lora.alpha = r.number("/recipe/lora/alpha", lora.alpha);
  lora.dropout = r.number("/recipe/lora/dropout", lora.dropout);
  lora.target_modules = r.names("/recipe/lora/target_modules", {"all-linear"});
  lora.modules_to_save = r.names("/recipe/lora/modules_to_save", {});
  return lora;
}

constexpr const char* kParameters = "/recipe/method_parameters/";

// A number of method_parameters; where it is not stated, the default of the method's code, which becomes an assumption.
std::int64_t parameter(Reader& r, const std::string& name, std::int64_t otherwise, const char* source) {
  std::string pointer = kParameters;
  pointer.append(name);
  std::int64_t n = otherwise;
  if (const Json* stated = r.settings().stated(pointer); stated && whole_number(*stated, n) && n > 0 && n <= (1 << 20)) return n;
  r.settings().assume(pointer, otherwise, source);
  return otherwise;
}

bool yes(Reader& r, const std::string& name) {
  const Json* stated = r.settings().stated(kParameters + name);
  return stated && *stated == Json(true);
}

void read_adapter_parameters(Reader& r, Lora& lora) {
  if (lora.kind == AdapterKind::lokr) {
    const Json* factor = r.settings().stated(std::string(kParameters) + "decompose_factor");
    if (factor) whole_number(*factor, lora.factor);
    lora.decompose_both = yes(r, "decompose_both");
  }
  if (lora.kind == AdapterKind::oft) lora.oft_block_size = parameter(r, "oft_block_size", lora.oft_block_size, "OFTConfig.oft_block_size");
  if (lora.kind == AdapterKind::adalora)  // all along, whatever rank is aimed at
    lora.r = parameter(r, "init_r", 12, "AdaLoraConfig.init_r: the rank in training");
}

}  // namespace

void read_method(Reader& r, Recipe& recipe) {
  Settings& s = r.settings();
  const std::string name = text_of(s.use("/recipe/method"));
  switch (recipe.method) {
    case Method::full:
      if (name == "galore" || name == "apollo") {
        const Json* rank = s.stated("/recipe/galore_rank");
        if (!rank || !whole_number(*rank, recipe.galore_rank))
          s.assume("/recipe/galore_rank", recipe.galore_rank, "transformers' galore_adamw: rank 128");
      }
      return;
    case Method::freeze:
      if (name == "lisa") {  // LMFlow: states of layers that were active before stay
        recipe.freeze = Freeze{parameter(r, "lisa_activated_layers", 2, "LMFlow: lisa_activated_layers"), true, true, true};
      } else if (name == "badam") {
        recipe.freeze = Freeze{1, false, true, false};
      } else {
        recipe.freeze =
            Freeze{r.count("/recipe/freeze/trainable_layers", Freeze{}.layers), r.flag("/recipe/freeze/trainable_embeddings", false)};
      }
      return;
    case Method::prompt:
    case Method::prefix:
      recipe.virtual_tokens = parameter(r, "num_virtual_tokens", 20, "PEFT has no default; 20, as in its examples");
      return;
    case Method::lora:
    case Method::qlora:
      recipe.lora = read_lora(r, from_name<AdapterKind>(name).value_or(AdapterKind::lora));
      read_adapter_parameters(r, *recipe.lora);
      recipe.method = recipe.quantization ? Method::qlora : Method::lora;
      return;
  }
}

void read_optimizer(Reader& r, Recipe& recipe) {
  Settings& s = r.settings();
  struct Brought {
    const char *method, *optimizer, *also;
  };
  static constexpr Brought kBrought[] = {{"galore", "galore_adamw", "galore_adamw_8bit"},
                                         {"apollo", "apollo", "apollo"},
                                         {"lomo", "lomo", "adalomo"},
                                         {"badam", "badam", "badam"}};
  const std::string method = text_of(s.use("/recipe/method"));
  const Json* stated = s.stated("/recipe/optimizer");
  const Brought* brought = nullptr;
  for (const Brought& b : kBrought)
    if (method == b.method) brought = &b;
  if (brought && !stated) {
    recipe.optimizer = *from_name<Optimizer>(brought->optimizer);
    s.assume("/recipe/optimizer", brought->optimizer, "the method's own");
  } else {
    recipe.optimizer = r.choice("/recipe/optimizer", recipe.optimizer);
    const std::string name = stated ? text_of(*stated) : "";
    if (brought && name != brought->optimizer && name != brought->also) {
      std::string message = "The method brings its own optimizer, ";
      message.append(brought->optimizer).append(", not ").append(name).append(".");
      r.contradiction("/recipe/optimizer", std::move(message), "Leave optimizer out.");
    }
  }
  const bool of_torch =
      recipe.optimizer == Optimizer::adamw || recipe.optimizer == Optimizer::sgd || recipe.optimizer == Optimizer::sgd_momentum;
  recipe.optimizer_impl = of_torch && !brought ? r.choice("/recipe/optimizer_impl", recipe.optimizer_impl) : OptimizerImpl::for_loop;
  if (!of_torch && s.stated("/recipe/optimizer_impl")) recipe.optimizer_impl = r.choice("/recipe/optimizer_impl", recipe.optimizer_impl);
  const bool in_backward = recipe.optimizer == Optimizer::lomo || recipe.optimizer == Optimizer::adalomo;
  recipe.optimizer_in_backward = in_backward || r.flag("/recipe/optimizer_in_backward", false);
  if (method == "badam") recipe.fp32_master_weights = true;  // Ledzy/BAdam@bf989dcb src/badam/block_optim.py:275
}

}  // namespace tunefit::json

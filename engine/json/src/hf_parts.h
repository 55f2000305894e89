// Parts of a model that are not a dense decoder's, from the fields of a config.json to members of the entry
// (catalog/schema/model.schema.json).
#pragma once
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "hf_classes.h"
#include "hf_fields.h"

namespace tunefit::json {

// One flag a layer.
using LayerFlags = std::vector<bool>;

// Parameters that no other member accounts for; 0 adds nothing.
void add_parameters(Draft&, std::string_view name, std::int64_t count);

// {"layers": n, "type": type}
nlohmann::json layer_group(std::int64_t layers, const char* type);
// Leaves out groups of no layers.
void set_groups(Draft&, const char* member, std::vector<nlohmann::json> groups);

// The words of a list, one a layer; {} with an error if it is no such list or has words outside `known`.
std::vector<std::string> layer_words(Fields&, const char* name, std::int64_t layers, std::initializer_list<const char*> known);

// A whole number, or a list of equal ones (Hunyuan).
std::optional<std::int64_t> same_integer(Fields&, const char* name, Range);

// moe, and mlp_groups where the dense layers are not the lowest ones. False if there are no experts (count absent, 0 or 1).
bool read_experts(Fields&, Draft&, const ExpertFacts&);
// Which layers have experts, by whichever of the usual fields the file has.
LayerFlags expert_layers(Fields&, const Draft&, const ExpertFacts&);
// first_dense_layers, or mlp_groups, from the layers with experts; dense: width of the others, 0: intermediate_size.
void set_expert_layers(Draft&, const LayerFlags&, std::int64_t dense = 0);

// mla: latent attention of DeepSeek-V2 and those after it; heads and head_dim follow.
void read_latent(Fields&, Draft&);
// The sparse-attention indexer (index_n_heads, index_head_dim, index_topk); null if there is none.
nlohmann::json read_indexer(Fields&);

// linear_attention, the layers that have it, and the output gate of the others (Qwen3-Next, Qwen3.5).
void read_gated_deltanet(Fields&, Draft&);

// Llama 4: chunked layers, layers without rotary positions, layers with experts and dense ones of another width.
void finish_llama4(Fields&, Draft&);

}  // namespace tunefit::json

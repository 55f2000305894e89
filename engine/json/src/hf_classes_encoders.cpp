// Encoders and encoder-decoders: their own names and no head_dim, so each is read whole.
#include "hf_parts.h"

namespace tunefit::json {

namespace {

using nlohmann::json;

constexpr Range kRows{1, 1 << 24}, kTypes{0, 1 << 16}, kBuckets{1, 1 << 16};

// What all of them have. The members that differ follow.
void base(Fields& f, Draft& d, const char* kind, const char* type) {
  d.kind = kind;
  d.members["encoder_type"] = type;
  d.vocab = f.required_integer("vocab_size", kVocab).value_or(0);
  d.norm = "layernorm";
  d.gated = false;
  d.activation = "gelu";
  d.bias_qkv = d.bias_o = d.mlp_bias = true;
  d.position = "";
  d.tied = true;
}

void dimensions(Fields& f, Draft& d, std::initializer_list<const char*> hidden, std::initializer_list<const char*> layers,
                std::initializer_list<const char*> heads, std::initializer_list<const char*> intermediate) {
  d.hidden = f.required_integer(hidden, kHidden).value_or(0);
  d.layers = f.required_integer(layers, kLayers).value_or(0);
  d.heads = d.kv_heads = f.required_integer(heads, kHeads).value_or(0);
  d.intermediate = f.required_integer(intermediate, kIntermediate).value_or(0);
  if (d.heads == 0) return;
  d.head_dim = d.hidden / d.heads;
  if (d.hidden % d.heads != 0)
    f.error("inconsistent", f.name_of(heads),
            "The hidden size " + std::to_string(d.hidden) + " is not a multiple of the " + std::to_string(d.heads) + " heads.",
            "a number of heads that divides it");
}

void activation(Fields& f, Draft& d, const char* field) {
  const auto name = f.text(field, "gelu");
  d.activation = name == "relu" ? "relu" : name == "silu" || name == "swiglu" || name == "swish" ? "silu" : "gelu";
}

void bert_like(Fields& f, Draft& d, const char* type, std::int64_t padding) {
  base(f, d, "encoder", type);
  dimensions(f, d, {"hidden_size"}, {"num_hidden_layers"}, {"num_attention_heads"}, {"intermediate_size"});
  activation(f, d, "hidden_act");
  const auto rows = f.integer("max_position_embeddings", kRows).value_or(512 + padding);
  d.members["position_rows"] = rows;
  d.positions = rows > padding ? rows - padding : rows;
  d.members["type_vocab_size"] = f.integer("type_vocab_size", kTypes).value_or(2);
  d.members["pooler"] = f.boolean("add_pooling_layer", true);
}

void read_bert(Fields& f, Draft& d) { bert_like(f, d, "bert", 0); }

// The first positions of RoBERTa's table stand for padding.
void read_roberta(Fields& f, Draft& d) { bert_like(f, d, "roberta", f.integer("pad_token_id", {0, 1 << 20}).value_or(1) + 1); }

void read_distilbert(Fields& f, Draft& d) {
  base(f, d, "encoder", "distilbert");
  dimensions(f, d, {"dim", "hidden_size"}, {"n_layers", "num_hidden_layers"}, {"n_heads", "num_attention_heads"}, {"hidden_dim"});
  activation(f, d, "activation");
  d.positions = f.integer("max_position_embeddings", kRows).value_or(512);
  d.members["position_rows"] = d.positions;
}

void read_deberta_v2(Fields& f, Draft& d) {
  base(f, d, "encoder", "deberta-v2");
  dimensions(f, d, {"hidden_size"}, {"num_hidden_layers"}, {"num_attention_heads"}, {"intermediate_size"});
  activation(f, d, "hidden_act");
  d.positions = f.integer("max_position_embeddings", kRows).value_or(512);
  const auto buckets = f.integer("position_buckets", {-1, 1 << 16}).value_or(-1);
  d.members["rel_rows"] = 2 * (buckets > 0 ? buckets : d.positions);
  if (f.boolean("position_biased_input", true)) add_parameters(d, "absolute position table", d.positions * d.hidden);
  add_parameters(d, "token type table", f.integer("type_vocab_size", kTypes).value_or(0) * d.hidden);
  if (f.find("conv_kernel_size"))
    f.warn("left_out", "conv_kernel_size", "The convolution after the first layer is left out of the count.",
           "a file without conv_kernel_size");
}

// ModernBERT: gated MLP, no biases, every third layer sees all; the first has no norm before attention.
void read_modernbert(Fields& f, Draft& d) {
  base(f, d, "encoder", "modernbert");
  dimensions(f, d, {"hidden_size"}, {"num_hidden_layers"}, {"num_attention_heads"}, {"intermediate_size"});
  activation(f, d, "hidden_activation");
  d.gated = true, d.norm = "layernorm_nobias";
  d.bias_qkv = d.bias_o = f.boolean("attention_bias", false);
  d.mlp_bias = f.boolean("mlp_bias", false);
  if (f.boolean("norm_bias", false) || d.bias_qkv || d.mlp_bias)
    f.error("unsupported_feature", "norm_bias", "ModernBERT with biases is not read yet.", "norm_bias, attention_bias and mlp_bias false");
  d.positions = f.integer("max_position_embeddings", kRows).value_or(8192);
  d.window = f.integer("local_attention", kRows).value_or(128);
  const auto every = f.integer("global_attn_every_n_layers", kLayers).value_or(3);
  for (std::int64_t i = 0; i < d.layers; ++i) d.kinds.push_back(i % every == 0 ? LayerKind::full : LayerKind::sliding);
}

// Nomic BERT has the names of GPT-2, rotary positions and a gated MLP without biases.
void read_nomic_bert(Fields& f, Draft& d) {
  base(f, d, "encoder", "nomic-bert");
  dimensions(f, d, {"n_embd", "hidden_size"}, {"n_layer", "num_hidden_layers"}, {"n_head", "num_attention_heads"},
             {"n_inner", "intermediate_size"});
  activation(f, d, "activation_function");
  d.gated = true;
  d.bias_qkv = d.bias_o = d.mlp_bias = false;
  d.positions = f.integer({"n_positions", "max_position_embeddings"}, kRows).value_or(8192);
  d.members["type_vocab_size"] = f.integer("type_vocab_size", kTypes).value_or(2);
}

// T5: heads of d_kv whatever d_model; the head is tied unless the file says otherwise.
void read_t5(Fields& f, Draft& d) {
  base(f, d, "encoder-decoder", "t5");
  d.hidden = f.required_integer("d_model", kHidden).value_or(0);
  d.layers = f.required_integer("num_layers", kLayers).value_or(0);
  d.heads = d.kv_heads = f.required_integer("num_heads", kHeads).value_or(0);
  d.head_dim = f.integer("d_kv", kHeadDim).value_or(64);
  d.intermediate = f.required_integer("d_ff", kIntermediate).value_or(0);
  const auto projection = f.text("feed_forward_proj", "relu");
  d.gated = projection.starts_with("gated-");
  d.activation = projection.ends_with("relu") ? "relu" : projection.ends_with("silu") ? "silu" : "gelu";
  d.norm = "rmsnorm";
  d.bias_qkv = d.bias_o = d.mlp_bias = false;
  d.tied = f.boolean("tie_word_embeddings", true);
  d.positions = f.integer("n_positions", kRows).value_or(512);
  d.members["num_decoder_layers"] = f.integer("num_decoder_layers", kLayers).value_or(d.layers);
  d.members["rel_buckets"] = f.integer("relative_attention_num_buckets", kBuckets).value_or(32);
}

// mT5 is untied where the file does not say.
void read_mt5(Fields& f, Draft& d) {
  read_t5(f, d);
  d.tied = f.boolean("tie_word_embeddings", false);
}

void both_sides(Fields& f, Draft& d) {
  dimensions(f, d, {"d_model"}, {"encoder_layers"}, {"encoder_attention_heads"}, {"encoder_ffn_dim"});
  activation(f, d, "activation_function");
  d.members["num_decoder_layers"] = f.integer("decoder_layers", kLayers).value_or(d.layers);
  if (f.integer("decoder_ffn_dim", kIntermediate).value_or(d.intermediate) != d.intermediate)
    f.error("unsupported_feature", "decoder_ffn_dim", "Encoder and decoder with MLPs of other widths are not read yet.",
            "as encoder_ffn_dim");
}

void read_bart(Fields& f, Draft& d) {
  base(f, d, "encoder-decoder", "bart");
  both_sides(f, d);
  d.positions = f.integer("max_position_embeddings", kRows).value_or(1024);
  d.members["position_rows"] = d.positions + 2;
}

// Whisper: no bias on keys; frames come in as mel bins.
void read_whisper(Fields& f, Draft& d) {
  base(f, d, "encoder-decoder", "whisper");
  both_sides(f, d);
  d.members["attention_bias"] = "qvo";
  d.members["num_mel_bins"] = f.integer("num_mel_bins", {1, 4096}).value_or(80);
  d.positions = f.integer("max_target_positions", kRows).value_or(448);
  d.members["decoder_positions"] = d.positions;
  if (f.integer("max_source_positions", kRows).value_or(1500) != 1500)
    f.error("unsupported_feature", "max_source_positions", "Only the 1500 source positions of 30 seconds are read.", "1500");
}

constexpr ClassFacts kClasses[] = {
    {.name = "BertModel", .model_type = "bert", .encoder = read_bert},
    {.name = "RobertaModel", .model_type = "roberta", .encoder = read_roberta},
    {.name = "XLMRobertaModel", .model_type = "xlm-roberta", .encoder = read_roberta},
    {.name = "CamembertModel", .model_type = "camembert", .encoder = read_roberta},
    {.name = "DistilBertModel", .model_type = "distilbert", .encoder = read_distilbert},
    {.name = "ModernBertModel", .model_type = "modernbert", .encoder = read_modernbert},
    {.name = "DebertaV2Model", .model_type = "deberta-v2", .encoder = read_deberta_v2},
    {.name = "NomicBertModel", .model_type = "nomic_bert", .encoder = read_nomic_bert},
    {.name = "T5ForConditionalGeneration", .model_type = "t5", .encoder = read_t5},
    {.name = "MT5ForConditionalGeneration", .model_type = "mt5", .encoder = read_mt5},
    {.name = "BartForConditionalGeneration", .model_type = "bart", .encoder = read_bart},
    {.name = "WhisperForConditionalGeneration", .model_type = "whisper", .encoder = read_whisper},
};

}  // namespace

std::span<const ClassFacts> encoder_classes() { return kClasses; }

}  // namespace tunefit::json

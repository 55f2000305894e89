// Towers of vision and sound, encoders and encoder-decoders. The layouts are those of transformers' modelling files by name; what
// each counts agrees with published totals (the linter counts them in another way).
#include "model_entry.h"

namespace tunefit::json {

namespace {

Layer plain_layer(std::int64_t heads, std::int64_t head_dim, std::int64_t intermediate, bool bias) {
  Layer l;
  Attention a;
  a.heads = a.kv_heads = heads, a.head_dim = head_dim;
  a.bias_q = a.bias_k = a.bias_v = a.bias_o = bias;
  a.position = Position::learned;
  l.attention = a;
  Mlp m;
  m.intermediate = intermediate, m.gated = false, m.bias = bias, m.activation = Activation::gelu;
  l.mlp = m;
  return l;
}

void repeat(Stack& s, const Layer& l, std::int64_t times) {
  auto known = std::find(s.kinds.begin(), s.kinds.end(), l);
  const auto index = static_cast<std::uint16_t>(known - s.kinds.begin());
  if (known == s.kinds.end()) s.kinds.push_back(l);
  s.layers.insert(s.layers.end(), static_cast<std::size_t>(times), index);
}

std::int64_t square(std::int64_t n) { return n * n; }

// From the tower's width to the decoder's. False if the kind is not known.
bool read_projector(const Entry& v, Encoder& t) {
  const Json* given = v.stated("projector");
  if (!given || !given->is_object()) return true;
  const Entry p(*given);
  const std::int64_t a = p.integer("in"), b = p.integer("out");
  const auto type = p.text("type");
  if (type == "fixed") {
    t.projector_other = p.integer("params");
    return t.projector_other >= 0;
  }
  if (!within(a, kWidest) || !within(b, kWidest)) return false;
  if (t.merge == 1 && a % t.hidden == 0 && a > t.hidden && type != "linear") t.merge = a / t.hidden;
  if (type == "mlp2" || type == "mlp2-nobias") {
    const bool bias = type == "mlp2";
    t.projector = {{a, b, bias, true}, {b, b, bias, false}};
  } else if (type == "linear" || type == "linear-nobias") {
    t.projector = {{a, b, type == "linear", false}};
  } else if (type == "gemma3") {
    t.merge = std::max<std::int64_t>(1, v.integer("num_positions") / 256);  // averaged to 256 tokens an image
    t.projector_norm = a, t.projector = {{a, b, false, false}};
  } else if (type == "mistral3") {
    t.projector_norm = a, t.merge = 4, t.projector = {{4 * a, a, false, false}, {a, b, false, true}, {b, b, false, false}};
  } else if (type == "internvl") {
    t.projector_norm = 2 * a, t.projector = {{a, b, true, true}, {b, b, true, false}};
  } else {
    return false;
  }
  return true;
}

// Merger of the Qwen towers: positions of a square side by side, two linears.
void merger(Encoder& t, std::int64_t text) {
  const std::int64_t merged = t.merge * t.hidden;
  t.projector = {{merged, merged, true, true}, {merged, text, true, false}};
}

bool read_vit(const Entry& v, Encoder& t) {
  const auto type = v.text("type");
  const std::int64_t h = t.hidden, layers = v.integer("num_layers"), heads = v.integer("num_heads"), i = v.integer("intermediate_size");
  const std::int64_t positions = std::clamp<std::int64_t>(v.integer("num_positions"), 0, kLargestVocabulary) * h;
  if (!within(h, kWidest) || !within(layers, kMostLayers) || !within(i, kWidest) || !within(heads, kMostHeads) || h % heads != 0 ||
      !within(v.integer("patch_size"), 1024))
    return false;
  t.norm = NormKind::layernorm;
  t.causal = false;
  t.patch_values = 3 * square(v.integer("patch_size")) * std::clamp<std::int64_t>(v.integer("temporal_patch_size", 1), 1, 64);
  t.merge = square(std::clamp<std::int64_t>(v.integer("spatial_merge_size", 1), 1, 64));
  Layer l = plain_layer(heads, h / heads, i, true);
  if (type == "clip") {
    t.patch_bias = false, t.embeddings = h + positions, t.norm_before = true;
  } else if (type == "siglip") {
    t.embeddings = positions;
  } else if (type == "intern-vit") {
    t.embeddings = h + positions, t.norm_after = false, l.other = 2 * h;
  } else if (type == "qwen2-vit") {
    t.patch_bias = false, l.attention->fused_qkv = true, l.attention->position = Position::rope;
    merger(t, v.integer("text_hidden_size"));
  } else if (type == "qwen2.5-vit") {
    t.patch_bias = false, t.norm = NormKind::rmsnorm;
    l.attention->fused_qkv = true, l.attention->position = Position::rope, l.mlp->gated = true, l.mlp->activation = Activation::silu;
    merger(t, v.integer("text_hidden_size"));
  } else if (type == "qwen3-vit") {
    t.embeddings = positions, l.attention->fused_qkv = true, l.attention->position = Position::rope;
    merger(t, v.integer("text_hidden_size"));
    const std::int64_t merged = t.merge * h, text = v.integer("text_hidden_size");
    t.projector_other =
        std::clamp<std::int64_t>(v.integer("deepstack_mergers"), 0, 64) * (2 * merged + merged * merged + merged + merged * text + text);
  } else if (type == "pixtral") {
    t.patch_bias = false, t.norm = NormKind::rmsnorm, t.norm_before = true, t.norm_after = false;
    l = plain_layer(heads, h / heads, i, false);
    l.attention->position = Position::rope, l.mlp->gated = true, l.mlp->activation = Activation::silu;
  } else if (type == "mllama-vit") {
    const std::int64_t tiles = 9 * std::clamp<std::int64_t>(v.integer("max_num_tiles"), 1, 64);  // 9 shapes of the image
    t.patch_bias = false, t.norm_before = true;
    t.embeddings = h + (1 + positions + tiles * positions) + 2 * (tiles * h + 1);
    l.attention->bias_q = l.attention->bias_k = l.attention->bias_v = l.attention->bias_o = false;
    t.cross = true;
  } else {
    return false;
  }
  repeat(t, l, layers);
  if (type == "mllama-vit") {
    l.other = 2;  // gates of the global layers
    repeat(t, l, std::clamp<std::int64_t>(v.integer("num_global_layers"), 0, kMostLayers));
  }
  return !t.projector.empty() && t.projector.back().out < 1 ? false : read_projector(v, t);
}

std::int64_t count(const Encoder& t, std::int64_t text) {
  Architecture a;
  a.hidden = text, a.vocab = 1, a.kinds = {plain_layer(1, 1, 1, false)}, a.encoder = t, a.tied = true, a.final_norm = false;
  return parameter_count(a) - text;
}

// A tower of which the total is known but not the layout: as SigLIP with its dimensions if that is not more, the rest without operations.
bool read_fixed(const Entry& v, Encoder& t, std::int64_t text) {
  const std::int64_t total = v.integer("params");
  if (!within(total, kMostParameters)) return false;
  Encoder guess = t;
  Json shape{{"type", "siglip"}};
  for (const char* key : {"hidden_size", "intermediate_size", "num_layers", "num_heads", "patch_size"})
    if (v.stated(key)) shape[key] = *v.stated(key);
  if (v.stated("projector")) shape["projector"] = *v.stated("projector");
  const Entry as_siglip(shape);
  if (read_vit(as_siglip, guess)) {
    Encoder bare = guess;
    bare.projector.clear(), bare.projector_norm = bare.projector_other = 0;
    const std::int64_t rest = total - count(bare, text);
    if (rest >= 0) {
      t = guess, t.other = rest;
      return true;
    }
  }
  t.hidden = text, t.norm_after = false, t.patch_values = 1, t.patch_bias = false, t.other = total - text;
  Encoder none = t;
  if (read_projector(v, none)) {
    t.projector_other = count(none, text) - count(t, text);
  }
  return t.other >= 0;
}

void base_of(const Entry& e, Stack& s) {
  s.norm = NormKind::layernorm, s.causal = false, s.dropout = true;
  s.hidden = e.integer("hidden_size");
}

}  // namespace

bool read_tower(const Entry& e, Architecture& out, std::string& why_not) {
  const Json* vision = e.stated("vision");
  const Json* audio = e.stated("audio");
  if (!vision && !audio) return true;
  const Json& given = vision ? *vision : *audio;
  why_not = "its vision or audio tower is not known to the engine";
  if (!given.is_object()) return false;
  const Entry v(given);
  Encoder t;
  t.hidden = v.integer("hidden_size");
  if (v.text("type") == "whisper-encoder") return true;  // its parameters stand in extra_params
  if (v.text("type") == "fixed" ? !read_fixed(v, t, out.hidden) : !read_vit(v, t)) return false;
  out.encoder = std::move(t);
  why_not.clear();
  return true;
}

bool read_encoder(const Entry& e, Architecture& out, std::string& why_not) {
  const auto type = e.text("encoder_type");
  const std::int64_t h = out.hidden, layers = e.integer("num_layers"), i = e.integer("intermediate_size"),
                     heads = e.integer("num_attention_heads"), decoders = e.integer("num_decoder_layers"),
                     rows = std::clamp<std::int64_t>(e.integer("position_rows"), 0, kLargestVocabulary),
                     types = std::clamp<std::int64_t>(e.integer("type_vocab_size"), 0, kLargestVocabulary);
  why_not = "a dimension of the encoder is missing or beyond all measure";
  if (!within(heads, kMostHeads) || !within(i, kWidest) || !within(layers, kMostLayers) || decoders < 0 || decoders > kMostLayers)
    return false;
  if (!e.has("head_dim") && h % heads != 0) {
    why_not = std::to_string(h) + " hidden_size is not a multiple of " + std::to_string(heads) + " heads";
    return false;
  }
  const std::int64_t head_dim = e.integer("head_dim", h / heads);
  if (!within(head_dim, kMostHeads)) return false;
  base_of(e, out);
  out.tied = e.flag("tie_word_embeddings", true);
  out.final_norm = false;
  Layer l = plain_layer(heads, head_dim, i, true);
  const bool decodes = type == "t5" || type == "bart" || type == "whisper";
  out.language_head = decodes;
  if (!decodes) out.tied = true, out.embedding_norm = true, l.norm_after_residual = true;
  Encoder enc;
  base_of(e, enc);
  enc.input = Encoder::Input::tokens, enc.cross = true;
  if (type == "bert" || type == "roberta") {
    out.learned_positions = rows, out.other += types * h;
    out.pooler = e.flag("pooler", false) ? h : 0;
  } else if (type == "distilbert") {
    out.learned_positions = rows;
  } else if (type == "modernbert") {
    out.norm = NormKind::layernorm_nobias, out.dropout = false, out.final_norm = true;
    l = plain_layer(heads, head_dim, i, false);
    l.attention->position = Position::rope, l.attention->fused_qkv = true, l.mlp->gated = l.mlp->fused_gate_up = true;
    Layer first = l;
    first.norms = 1;  // no norm before the first attention: the embedding has one
    repeat(out, first, 1);
  } else if (type == "deberta-v2") {
    l.attention->position = Position::disentangled;
    out.other += e.integer("rel_rows") * h + 2 * h;
  } else if (type == "nomic-bert") {
    out.other += types * h, out.dropout = false;
    l = plain_layer(heads, head_dim, i, false);
    l.norm_after_residual = true;
    l.attention->position = Position::rope, l.attention->fused_qkv = true, l.mlp->gated = true;
  } else if (type == "t5") {
    out.norm = enc.norm = NormKind::rmsnorm, out.final_norm = true;
    l = plain_layer(heads, head_dim, i, false);
    l.attention->position = Position::relative, l.mlp->gated = e.flag("gated", true);
    const std::int64_t buckets = e.integer("rel_buckets") * heads;
    enc.other = buckets, out.other += buckets;
  } else if (type == "bart") {
    enc.embeddings = rows * h, out.learned_positions = rows;
    enc.norm_before = out.embedding_norm = true, enc.norm_after = false;
    l.norm_after_residual = true;
  } else if (type == "whisper") {
    enc.input = Encoder::Input::frames;
    enc.patch_values = 3 * std::clamp<std::int64_t>(e.integer("num_mel_bins"), 1, 4096);
    enc.fixed_positions = 1500, enc.embeddings = 1500 * h, enc.other = 3 * h * h + h;  // the second convolution
    out.learned_positions = e.integer("decoder_positions"), out.final_norm = true, out.dropout = enc.dropout = false;
    l.attention->bias_k = false;
  } else {
    why_not = "its encoder (" + std::string(type) + ") is not known to the engine";
    return false;
  }
  if (!decodes) {
    repeat(out, l, layers - static_cast<std::int64_t>(out.layers.size()));
  } else {
    repeat(enc, l, layers);
    Layer d = l;
    d.cross_attention = d.attention;
    d.cross_attention->cross = true;
    if (d.cross_attention->position == Position::relative) d.cross_attention->position = Position::none;
    d.norms = 3;
    d.mlp->intermediate = e.integer("decoder_intermediate_size", i);
    if (!within(d.mlp->intermediate, kWidest)) return false;
    repeat(out, d, decodes ? decoders : 0);
    out.causal = true;
    out.encoder = std::move(enc);
    if (decoders == 0) return false;
  }
  why_not.clear();
  return true;
}

}  // namespace tunefit::json

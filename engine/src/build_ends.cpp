// What stands before and after the layers: embedding, towers' ends, final norm, head.
#include "builder.h"
#include "tunefit/storage.h"

namespace tunefit {

// features: rows of an encoder's output that enter: they take the place of text embeddings, or are what the decoder attends to.
void Builder::embedding(const Architecture& a, std::int64_t features) {
  if (features > 0) b_.input = tensor(features, s_.hidden);
  int y = apply(OpKind::embedding, {}, a.hidden);
  Parameter table{"embed_tokens", ParamKind::embedding, a.vocab, a.hidden};
  const bool shared = a.encoder && a.encoder->input == Encoder::Input::tokens;  // the encoder's blocks own the table
  const bool tied = a.tied && !r_.habits.unties_head;
  table.tie = shared ? (tied ? Tie::sharer : Tie::borrower) : tied ? Tie::owner : Tie::none;
  const int index = b_.add_parameter(std::move(table));
  last().weight = index;
  if (a.learned_positions > 0) {
    const int positions = apply_rows(OpKind::embedding, {}, per_row_, a.hidden);
    const int at = b_.add_parameter({"position_embeddings", ParamKind::embedding, a.learned_positions, a.hidden});
    last().weight = at;
    y = apply(OpKind::add, {y, positions}, a.hidden);
  }
  if (a.embedding_norm) y = norm(y, "embed_layernorm", a.hidden);
  y = hidden_dropout(y);
  y = carry(y, "other", a.other);
  if (r_.method == Method::prompt) {  // rows of the micro-batch include the virtual tokens
    y = apply(OpKind::concatenate, {y}, a.hidden);
    const int prompt = b_.add_parameter({"prompt_embeddings", ParamKind::adapter, r_.virtual_tokens, a.hidden});
    last().weight = prompt;
  }
  if (features > 0) {
    if (a.encoder->cross) {
      b_.at(apply(OpKind::view, {b_.input}, s_.hidden)).held = while_used();
      b_.hands_context_on = true;
    } else {
      y = apply(OpKind::index_add, {y, b_.input}, a.hidden);  // masked_scatter: a copy of the embeddings with the features in place
    }
  }
  b_.output = y;
  // Shared by all layers and kept until backward has passed them: the additive mask, a learned bias on the scores, cos and sin.
  auto table_of = [&](std::int64_t elements) { b_.at(apply_rows(OpKind::table, {}, 1, elements)).held = while_used(); };
  const Layer& first = a.kinds.front();
  const std::int64_t s = per_row_;
  if (r_.attention == AttentionImpl::eager || (r_.attention_mask && r_.attention == AttentionImpl::sdpa))
    table_of(product((r_.attention_mask ? r_.batch : 1) * s, s, 1));
  if (first.attention && first.attention->position == Position::relative) table_of(product(first.attention->heads * s, s, 1));
  std::int64_t rope = 0;
  for (const Layer& l : a.kinds) {
    if (rope == 0 && l.attention && l.attention->position == Position::rope) rope = l.attention->head_dim;
    if (rope == 0 && l.latent) rope = l.latent->rope_dim;
  }
  if (rope > 0 && !r_.habits.rotary_per_layer) table_of(2 * s * rope);
}

void Builder::encoder_input(const Encoder& e, const Architecture& a) {
  int y;
  if (e.input == Encoder::Input::tokens) {
    y = apply(OpKind::embedding, {}, e.hidden);
    Parameter table{"embed_tokens", ParamKind::embedding, a.vocab, a.hidden};
    table.tie = Tie::owner;
    const int index = b_.add_parameter(std::move(table));
    last().weight = index;
  } else {
    const int pixels = apply(OpKind::table, {}, e.patch_values);
    y = apply(OpKind::conv, {pixels}, e.hidden);
    Parameter p{"patch_embedding", ParamKind::other, e.patch_values, e.hidden};
    p.part = part;
    const int index = b_.add_parameter(std::move(p));
    last().weight = index;
    if (e.patch_bias) {
      Parameter bias{"patch_embedding.bias", ParamKind::bias, 1, e.hidden};
      bias.part = part;
      const int at = b_.add_parameter(std::move(bias));
      last().bias = at;
    }
  }
  y = carry(y, "embeddings", e.embeddings);
  y = carry(y, "other", e.other);
  if (e.norm_before) y = norm(y, "pre_layernorm", e.hidden);
  y = hidden_dropout(y);
  b_.output = y;
  if (e.input == Encoder::Input::tokens && e.kinds.front().attention && e.kinds.front().attention->position == Position::relative)
    b_.at(apply_rows(OpKind::table, {}, 1, product(e.kinds.front().attention->heads * per_row_, per_row_, 1))).held = while_used();
}

// Last norm and projector: from the tower's width to the decoder's, merge positions into one.
void Builder::encoder_output(const Encoder& e, std::int64_t text) {
  b_.input = tensor(b_.tokens, e.hidden);
  int y = b_.input;
  if (e.norm_after) y = norm(y, "post_layernorm", e.hidden);
  part = Part::projector;
  y = carry(y, "projector norm", e.projector_norm);
  y = carry(y, "projector", e.projector_other);
  const bool together = e.projector.empty() || e.projector.front().in == e.hidden * e.merge;
  if (e.merge > 1 && together)
    y = apply_rows(OpKind::view, {y}, b_.tokens / e.merge, e.hidden * e.merge);
  else if (e.merge > 1)  // averaged (Gemma 3)
    y = apply_rows(OpKind::copy, {y}, b_.tokens / e.merge, e.hidden);
  int number = 0;
  for (const Projection& p : e.projector) {
    if (width(y) != p.in) y = apply(OpKind::concatenate, {y}, p.in);  // with outputs of lower layers (Llama 3.2 Vision)
    y = linear(y, weight("projector." + std::to_string(number++), p.in, p.out), p.bias);
    if (p.activation) y = apply(OpKind::activation, {y}, p.out);
  }
  if (width(y) != text) y = apply(OpKind::concatenate, {y}, text);  // by a projector whose layout is not known
  b_.output = y == b_.input ? apply(OpKind::view, {y}, width(y)) : y;
}

void Builder::final_norm(const Architecture& a) {
  b_.input = tensor(b_.tokens, a.hidden);
  b_.output = a.final_norm ? norm(b_.input, "norm", a.hidden) : apply(OpKind::view, {b_.input}, a.hidden);
}

// lm_head and a loss that expand_loss() writes out; or a classifier: of an encoder's first token (BertForSequenceClassification), of
// every token of a decoder (LlamaForSequenceClassification).
void Builder::head(const Architecture& a) {
  b_.input = tensor(b_.tokens, a.hidden);
  int x = b_.input;
  if (r_.task == Task::classification && !a.language_head) x = apply_rows(OpKind::index, {x}, r_.batch, a.hidden);
  if (a.pooler > 0) x = apply(OpKind::activation, {linear(x, weight("pooler", a.hidden, a.pooler), true)}, a.pooler);
  if (r_.task == Task::classification) {
    part = Part::task_head;
    const int logits = linear(hidden_dropout(x), weight("score", a.hidden, r_.labels), !a.language_head);
    const int probabilities = apply(OpKind::softmax, {logits}, r_.labels);
    apply_rows(OpKind::nll, {probabilities}, 1, 1);
    return;
  }
  // transformers/generation/utils.py _prefill: logits_to_keep=1.
  if (r_.generates()) x = apply_rows(OpKind::index, {x}, r_.batch, a.hidden);
  Parameter w{"lm_head", ParamKind::lm_head, a.hidden, a.logits()};
  if ((a.tied && !r_.habits.unties_head) || !a.language_head) w.tie = Tie::borrower;
  const int logits = apply(OpKind::linear, {x}, a.logits());
  b_.at(logits).logits = true;
  const int index = b_.add_parameter(std::move(w));
  last().weight = index;
  if (a.lm_head_bias) {
    const int at = b_.add_parameter({"lm_head.bias", ParamKind::bias, 1, a.logits()});
    last().bias = at;
  }
}

}  // namespace tunefit

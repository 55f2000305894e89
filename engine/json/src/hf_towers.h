// Vision and audio towers with their projectors: from vision_config and audio_config to members of the entry.
#pragma once
#include <cstdint>

#include "hf_parts.h"

namespace tunefit::json {

// Towers by class; each reads `root`'s vision_config (or the like) and adds `vision`, `audio` and extra_params to the draft.
void llava_tower(Fields& root, Fields& decoder, Draft&);      // CLIP, SigLIP or Pixtral, two linears; LLaVA-NeXT: image_newline
void gemma3_tower(Fields& root, Fields& decoder, Draft&);     // SigLIP, norm and one projection
void paligemma_tower(Fields& root, Fields& decoder, Draft&);  // SigLIP, one linear
void mistral3_tower(Fields& root, Fields& decoder, Draft&);   // Pixtral, patch merger
void idefics3_tower(Fields& root, Fields& decoder, Draft&);   // SigLIP, pixel shuffle and one linear
void internvl_tower(Fields& root, Fields& decoder, Draft&);   // InternViT, pixel shuffle and two linears
void qwen2_tower(Fields& root, Fields& decoder, Draft&);
void qwen25_tower(Fields& root, Fields& decoder, Draft&);
void qwen3_tower(Fields& root, Fields& decoder, Draft&);
void mllama_tower(Fields& root, Fields& decoder, Draft&);
void llama4_tower(Fields& root, Fields& decoder, Draft&);
void kimi_tower(Fields& root, Fields& decoder, Draft&);    // MoonViT
void gemma4_tower(Fields& root, Fields& decoder, Draft&);  // vision, and audio where there is one
void gemma3n_tower(Fields& root, Fields& decoder, Draft&);
void phi3v_tower(Fields& root, Fields& decoder, Draft&);
void voxtral_tower(Fields& root, Fields& decoder, Draft&);

// Dimensions of a transformer tower, with the defaults of its class for what the file leaves out.
struct Tower {
  std::int64_t hidden, intermediate, layers, heads, image, patch;
};
Tower read_tower(Fields&, const Tower& otherwise);

}  // namespace tunefit::json

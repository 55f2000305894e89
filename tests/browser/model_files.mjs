// Files of a model as they lie on a disk, made here: the headers are real, the weights are left out.

const u32 = (n) => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32LE(n);
  return bytes;
};
const u64 = (n) => {
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64LE(BigInt(n));
  return bytes;
};
const text = (words) => Buffer.concat([u64(Buffer.byteLength(words)), Buffer.from(words)]);

/** Dimensions of Llama-3.2-1B: 1,235,814,400 parameters. */
export const config = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 2048,
  intermediate_size: 8192,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  tie_word_embeddings: true,
  torch_dtype: 'bfloat16',
};
export const parameters = 1235814400;

/** Names and shapes of its tensors; layers from..to only. */
export function tensors(from = 0, to = config.num_hidden_layers) {
  const [h, m, kv] = [2048, 8192, 512];
  const shapes = {};
  if (from === 0) shapes['model.embed_tokens.weight'] = [128256, h];
  if (to === config.num_hidden_layers) shapes['model.norm.weight'] = [h];
  for (let i = from; i < to; ++i) {
    const of = { q: [h, h], k: [kv, h], v: [kv, h], o: [h, h] };
    for (const [name, shape] of Object.entries(of)) shapes[`model.layers.${i}.self_attn.${name}_proj.weight`] = shape;
    const mlp = { gate: [m, h], up: [m, h], down: [h, m] };
    for (const [name, shape] of Object.entries(mlp)) shapes[`model.layers.${i}.mlp.${name}_proj.weight`] = shape;
    for (const name of ['input', 'post_attention']) shapes[`model.layers.${i}.${name}_layernorm.weight`] = [h];
  }
  return shapes;
}

/** The front of a safetensors file. */
export function safetensors(shapes) {
  const header = Buffer.from(JSON.stringify(Object.fromEntries(Object.entries(shapes).map(([n, shape]) => [n, { dtype: 'BF16', shape }]))));
  return Buffer.concat([u64(header.length), header]);
}

/** model.safetensors.index.json of the whole model. */
export const index = () =>
  JSON.stringify({
    metadata: { total_size: 2 * parameters },
    weight_map: Object.fromEntries(Object.keys(tensors()).map((name) => [name, 'model-00001-of-00002.safetensors'])),
  });

/** The front of a GGUF file of the same dimensions. `architecture`: what general.architecture says. */
export function gguf(architecture = 'llama', version = 3) {
  const number = (key, n) => Buffer.concat([text(`${architecture}.${key}`), u32(4), u32(n)]);
  const fields = [
    Buffer.concat([text('general.architecture'), u32(8), text(architecture)]),
    Buffer.concat([text('general.name'), u32(8), text('House Llama')]),
    number('block_count', 16),
    number('embedding_length', 2048),
    number('feed_forward_length', 8192),
    number('attention.head_count', 32),
    number('attention.head_count_kv', 8),
    Buffer.concat([text('tokenizer.ggml.scores'), u32(9), u32(6), u64(128256), Buffer.alloc(4 * 128256)]),
  ];
  const infos = Object.entries(tensors()).map(([name, shape]) => {
    const kind = name === 'model.embed_tokens.weight' ? 'token_embd.weight' : name.replace('model.layers.', 'blk.');
    return Buffer.concat([text(kind), u32(shape.length), ...[...shape].reverse().map(u64), u32(12), u64(0)]);
  });
  return Buffer.concat([Buffer.from('GGUF'), u32(version), u64(infos.length), u64(fields.length), ...fields, ...infos]);
}

// Calls that go through every part of the engine and the codec, for the comparison of native with WebAssembly:
// [call, JSON text] each.
import { readFileSync } from 'node:fs';

const root = new URL('../../', import.meta.url);
const read = (path) => readFileSync(new URL(path, root), 'utf8');

const base = { placement: { accelerator: 'nvidia-a100-80gb-sxm', accelerators: 1 } };
const models = ['meta-llama/Llama-3.1-8B', 'meta-llama/Llama-2-70b-hf', 'Qwen/Qwen2.5-0.5B', 'google/gemma-2-2b', 'microsoft/phi-2'];
const methods = [
  { method: 'full', optimizer: 'adamw_torch', mixed_precision: 'bf16' },
  { method: 'full', trainable_dtype: 'bf16', optimizer: 'adamw_8bit', gradient_checkpointing: 'none' },
  { method: 'full', optimizer: 'sgd', mixed_precision: 'no', optimizer_in_backward: true },
  { method: 'lora', lora: { r: 64, target_modules: 'all-linear', dropout: 0.1 } },
  { method: 'qlora', optimizer: 'paged_adamw_32bit', attention: 'eager', sequence_length: 777 },
  { method: 'qlora', quantization: { scheme: 'fp4', double_quant: false }, per_device_train_batch_size: 3 },
  { method: 'qlora', framework: 'unsloth', sequence_length: 8192 },
  { method: 'lora', framework: 'torchtune', packing: true },
  { method: 'lora', framework: 'litgpt', sequence_length: 512 },
  { method: 'full', kernels: ['liger'], sequence_length: 4096 },
];

const sized = models.flatMap((model) => methods.map((recipe) => ({ ...base, model, recipe })));

const wrong = [
  '',
  '{',
  'null',
  '[]',
  '"\\ud800"',
  '{"model": "\u00e9\u{1f600}"}',
  '{"model": "no/such-model"}',
  '{"model": "meta-llama/Llama-3.1-8B", "recipe": {"sequence_length": 1e308}}',
  '{"model": "meta-llama/Llama-3.1-8B", "recipe": {"sequence_length": -0.0, "lora": {"r": 1e400}}}',
  '{"model": "meta-llama/Llama-3.1-8B", "recipe": {"sequence_length": "2048", "methd": "lora"}}',
  '{"model": {"name": "x", "config": {"architectures": ["MixtralForCausalLM"]}}}',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
  `{"model": "${'\\u0000'.repeat(50)}"}`,
];

const measured = read('catalog/measured/memory.jsonl')
  .split('\n')
  .filter(Boolean)
  .map((line) => JSON.stringify(JSON.parse(line).request));

const config = read('tests/native/configs/HuggingFaceTB--SmolLM2-135M.json');

export const calls = [
  ...sized.map((request) => ['size', JSON.stringify(request)]),
  ...measured.map((text) => ['size', text]),
  ...wrong.map((text) => ['size', text]),
  ...['models', 'accelerators', 'systems', 'offers', 'frameworks', 'schema', 'x'].map((kind) => ['catalogue', JSON.stringify({ kind })]),
  ['catalogue', JSON.stringify({ kind: 'models', query: 'llama' })],
  ['import', JSON.stringify({ kind: 'hf-config', text: config })],
  ['import', JSON.stringify({ kind: 'hf-config', text: '{"architectures": 7}' })],
  ['version', ''],
];

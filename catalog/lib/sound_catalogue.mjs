// A sound catalogue of one entry a kind, for the linters' tests to break.
import { loadCatalogue } from '../lib/catalogue.mjs';

const schemas = loadCatalogue().schemas;

const LICENCE = {
  id: 'acme-open',
  name: 'Acme Open',
  class: 'permissive',
  mind: [],
  basis: 'sources',
  sources: ['https://example.org/open'],
};
const MODEL = {
  id: 'acme-7b',
  hf_id: 'acme/Acme-7B',
  family: 'Acme',
  owner: 'Acme',
  kind: 'dense',
  licence: { id: 'acme-open', basis: 'sources', sources: ['https://example.org/licence'] },
  release: '2026-01',
  release_basis: 'hub',
  max_position_embeddings: 4096,
  architectures: ['LlamaForCausalLM'],
  dtype: 'bfloat16',
  params_total: 6738415616,
  params_total_source: 'acme/acme@0123456 README.md',
  params_total_basis: 'published',
  model_type: 'llama',
  hidden_size: 4096,
  intermediate_size: 11008,
  num_layers: 32,
  num_attention_heads: 32,
  num_kv_heads: 32,
  head_dim: 128,
  vocab_size: 32000,
  tie_word_embeddings: false,
  basis: 'config',
  sources: ['acme/acme@0123456 config.json'],
};
const ACCELERATOR = {
  id: 'acme-x1-24gb',
  name: 'Acme X1',
  vendor: 'Acme',
  memory_marketed_gb: 24,
  memory_marketed_bytes: 24 * 2 ** 30,
  memory_reported_bytes: 24564 * 2 ** 20,
  price: { purchase_usd: 1600, date: '2026-01', source: 'https://example.org/price' },
  basis: 'sources',
  sources: ['https://example.org/x1'],
};
const SYSTEM = {
  id: 'acme-box',
  name: 'Acme box',
  vendor: 'Acme',
  kind: 'server',
  accelerator: 'acme-x1-24gb',
  accelerators: 4,
  nodes: 2,
  price: null,
  basis: 'sources',
  sources: ['https://example.org/box'],
};
const OFFER = {
  id: 'acme-cloud-x1',
  name: 'Acme cloud',
  provider: 'Acme',
  accelerator: 'acme-x1-24gb',
  accelerators: 1,
  nodes: 1,
  price: { usd_per_hour: 0.5, date: '2026-08-27', source: 'https://example.org/hour' },
  price_spot: null,
  basis: 'sources',
  sources: ['https://example.org/cloud'],
};
const FRAMEWORK = {
  id: 'transformers',
  name: 'Acme trainer',
  extends: null,
  packages: ['transformers', 'torch'],
  current: { transformers: { version: '5.4.0', source: 'acme/acme tag v5.4.0' } },
  defaults: [
    {
      pointer: '/recipe/attention',
      value: 'sdpa',
      when: { transformers: '>=4.36' },
      because: 'its default',
      source: 'acme/acme@0123456 a.py:12',
    },
  ],
  habits: [{ habit: 'holds_outputs', value: true, source: 'acme/acme@0123456 a.py:13', basis: 'code' }],
};
const TERM = {
  id: 'acme-term',
  term: 'Acme term',
  aliases: ['acme'],
  text: 'What the people of Acme call the thing that others have no word for.',
  see: [],
};
const RULE = {
  id: 'acme-rule',
  rule: 'Sixteen bytes for each trained parameter, plus activations.',
  predicts: 'gpu_memory_run',
  when: { methods: ['full'] },
  arithmetic: { form: 'times', of: 'trained_parameters', value: [16, 16], plus: 'activations', bound: 'about' },
  holds: 'With fp32 weights, gradients and AdamW states.',
  misleads: 'With bf16 states it is half of that.',
  source: 'hardware vendor guide C',
  see: ['acme-term'],
};

// The catalogue with each change made: {models: (entry) => {...}} changes the entry of that kind in place or returns another.
export function sound(changes = {}) {
  const make = (kind, original) => {
    const entry = structuredClone(original);
    const changed = changes[kind]?.(entry) ?? entry;
    return [changed].flat().map((e) => ({ entry: e, raw: e, file: `${kind}/acme.json` }));
  };
  return {
    models: make('models', MODEL),
    accelerators: make('accelerators', ACCELERATOR),
    systems: make('systems', SYSTEM),
    offers: make('offers', OFFER),
    frameworks: make('frameworks', FRAMEWORK),
    glossary: make('glossary', TERM),
    rules: make('rules', RULE),
    tables: { licences: { licences: [LICENCE] } },
    schemas,
    files: [],
    broken: [],
  };
}

export const messages = (findings) => findings.map((f) => f.message).join('\n');

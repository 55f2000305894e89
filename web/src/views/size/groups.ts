// Which fields the form has, in which order. The link carries these and no others.

export type Control = 'radio' | 'select' | 'number' | 'check' | 'text' | 'items';

export interface Entry {
  readonly pointer: string;
  readonly control: Control;
  /** A number whose k is 1,024. */
  readonly kilo?: 1024;
  /** A slider beside it, up to this value. */
  readonly slideTo?: number;
  /** Of many choices, those that stand side by side. */
  readonly first?: readonly string[];
  /** The page must have a value. */
  readonly fixed?: boolean;
}

export interface Group {
  readonly id: 'training' | 'data' | 'adapter' | 'precision' | 'rare';
  readonly entries: readonly Entry[];
}

const r = (name: string): string => `/recipe/${name}`;

export const kGroups: readonly Group[] = [
  {
    id: 'training',
    entries: [
      { pointer: r('method'), control: 'radio', fixed: true, first: ['full', 'lora', 'qlora'] },
      { pointer: r('framework'), control: 'select', fixed: true },
      { pointer: r('objective'), control: 'select' },
    ],
  },
  {
    id: 'data',
    entries: [
      { pointer: r('sequence_length'), control: 'number', kilo: 1024, slideTo: 131072, fixed: true },
      { pointer: r('per_device_train_batch_size'), control: 'number', slideTo: 128, fixed: true },
      { pointer: r('gradient_accumulation_steps'), control: 'number' },
      { pointer: r('packing'), control: 'check' },
    ],
  },
  {
    id: 'adapter',
    entries: [
      { pointer: r('lora/r'), control: 'number' },
      { pointer: r('lora/dropout'), control: 'number' },
      { pointer: r('lora/target_modules'), control: 'text' },
    ],
  },
  {
    id: 'precision',
    entries: [
      { pointer: r('optimizer'), control: 'select' },
      { pointer: r('gradient_checkpointing'), control: 'select' },
      { pointer: r('mixed_precision'), control: 'select' },
      { pointer: r('attention'), control: 'select' },
      { pointer: r('loss'), control: 'select' },
    ],
  },
  {
    id: 'rare',
    entries: [
      { pointer: r('framework_version'), control: 'text' },
      { pointer: r('base_dtype'), control: 'select' },
      { pointer: r('trainable_dtype'), control: 'select' },
      { pointer: r('quantization/scheme'), control: 'select' },
      { pointer: r('quantization/block_size'), control: 'number' },
      { pointer: r('quantization/double_quant'), control: 'check' },
      { pointer: r('kbit_prep'), control: 'select' },
      { pointer: r('lora/alpha'), control: 'number' },
      { pointer: r('lora/dtype'), control: 'select' },
      { pointer: r('lora/modules_to_save'), control: 'text' },
      { pointer: r('master_weights'), control: 'select' },
      { pointer: r('gradient_dtype'), control: 'select' },
      { pointer: r('optimizer_impl'), control: 'select' },
      { pointer: r('optimizer_in_backward'), control: 'check' },
      { pointer: r('loss_variant'), control: 'select' },
      { pointer: r('kernels'), control: 'items' },
      { pointer: r('compile'), control: 'check' },
      { pointer: r('attention_mask'), control: 'check' },
      { pointer: r('padding_free'), control: 'check' },
      { pointer: r('use_reentrant'), control: 'check' },
      { pointer: r('max_grad_norm'), control: 'number' },
      { pointer: r('allocator_conf'), control: 'text' },
      { pointer: r('eval/per_device_eval_batch_size'), control: 'number' },
      { pointer: r('eval/keep_logits'), control: 'check' },
      { pointer: r('save/merge_adapter'), control: 'check' },
      { pointer: '/placement/memory_used_by_others_bytes', control: 'number' },
    ],
  },
];

/** Every pointer a person can set on this page. */
export const kPointers: readonly string[] = [
  '/model',
  '/placement/accelerator',
  '/placement/system',
  ...kGroups.flatMap((group) => group.entries.map((entry) => entry.pointer)),
];

const kAdapterOnly = ['/recipe/lora/', '/recipe/quantization/', '/recipe/kbit_prep', '/recipe/save/'];

/** Whether a field means anything with this method. Without adapters there is no frozen base to quantise either. */
const kWithAdapters = new Set(['lora', 'qlora', 'dora', 'qdora', 'adalora', 'vera', 'loha', 'lokr', 'oft', 'ia3']);

export const appliesTo = (pointer: string, method: unknown): boolean =>
  kWithAdapters.has(String(method)) || !kAdapterOnly.some((prefix) => pointer.startsWith(prefix));

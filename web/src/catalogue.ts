// What the page reads of catalogue entries (catalog/schema has them whole).

export interface Model {
  readonly id: string;
  readonly hf_id?: string;
  readonly name?: string;
  readonly family?: string;
  readonly owner?: string;
  readonly kind: string;
  readonly licence?: { readonly name: string; readonly class: string } | string;
  readonly params_total?: number;
  readonly max_position_embeddings?: number;
}

export interface Accelerator {
  readonly id: string;
  readonly name: string;
  readonly vendor: string;
  readonly memory_marketed_bytes?: number;
}

export interface System {
  readonly id: string;
  readonly name: string;
  readonly vendor?: string;
  readonly kind?: string;
  readonly accelerator: string | null;
  readonly accelerators: number;
}

export interface Version {
  readonly engine_version: string;
  readonly catalogue: { readonly version: string; readonly date: string };
}

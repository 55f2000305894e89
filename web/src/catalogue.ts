// What the page reads of catalogue entries (catalog/schema has them whole).

/** Any entry; members that nothing here names are shown too. */
export interface Entry {
  readonly id: string;
  readonly [member: string]: unknown;
}

export interface Licence {
  readonly id?: string;
  readonly name?: string;
  readonly class?: string;
  /** What to mind, the gravest first. */
  readonly mind?: readonly string[];
  readonly link?: string;
  /** Where it was read that the model is under it. */
  readonly basis?: string;
  readonly sources?: readonly string[];
  readonly note?: string;
  /** Where the terms themselves were read. */
  readonly terms?: { readonly basis?: string; readonly sources?: readonly string[]; readonly note?: string };
}

export interface Model extends Entry {
  readonly hf_id?: string;
  readonly name?: string;
  readonly family?: string;
  readonly owner?: string;
  readonly kind: string;
  readonly licence?: Licence;
  readonly release?: string;
  readonly hf_downloads_month?: number;
  readonly params_total?: number;
  readonly max_position_embeddings?: number;
  readonly basis?: string;
}

export interface Price {
  readonly purchase_usd?: number;
  readonly usd_per_hour?: number;
  readonly usd_per_hour_range?: readonly number[];
  readonly date?: string;
  readonly source?: string;
}

export interface Accelerator extends Entry {
  readonly name: string;
  readonly vendor: string;
  readonly memory_marketed_bytes?: number;
  readonly memory_reported_bytes?: number;
  readonly memory_bandwidth_bytes_per_s?: number;
  readonly tflops_dense?: Readonly<Record<string, number | undefined>>;
  readonly power_w?: number;
  readonly supports?: Readonly<Record<string, boolean | string | undefined>>;
  readonly price?: Price;
}

interface Machine extends Entry {
  readonly name: string;
  readonly accelerator: string | null;
  readonly accelerators: number;
  readonly host?: Readonly<Record<string, number | string | undefined>>;
  readonly price?: Price;
}

export interface System extends Machine {
  readonly vendor?: string;
  readonly kind?: string;
  readonly power_w?: number;
  readonly places?: readonly string[];
}

export interface Offer extends Machine {
  readonly provider: string;
  readonly price_spot?: Price;
}

export interface Version {
  readonly engine_version: string;
  readonly catalogue: { readonly version: string; readonly date: string };
}

/** A vendor's or customer's own entries, in the catalogue's shape. */
export type Overlay = Readonly<Record<string, unknown>>;

/** Kinds of entry an overlay may hold. */
export const kOverlayKinds = ['models', 'accelerators', 'systems', 'offers'] as const;

/** A published measurement and what the engine says of it (wasm/package/index.d.ts). */
export interface MeasuredRun {
  readonly id: string;
  readonly source: string;
  readonly counter: string;
  /** Bytes; absent for a run that ran out of memory. */
  readonly measured?: number;
  readonly predicted: { readonly expected: number; readonly low: number; readonly high: number };
  readonly family: string;
  readonly quality: string;
  readonly model: string;
  readonly framework: string;
  readonly method: string;
  readonly oom: boolean;
  readonly verdict: string;
}

import type { Answer, Request } from './types.d.ts';

export type { Answer, Request } from './types.d.ts';

export interface Finding {
  severity: 'error' | 'warning';
  code: string;
  /** JSON pointer into the request. */
  pointer: string;
  message: string;
  hint: string;
}

/** What any call gives for a wrong request: all findings, the first error also alone. */
export interface ErrorDocument {
  error: Omit<Finding, 'severity'>;
  findings: Finding[];
}

export type CatalogueKind = 'models' | 'accelerators' | 'systems' | 'offers' | 'frameworks' | 'glossary' | 'rules' | 'schema';

export interface CatalogueQuery {
  kind: CatalogueKind;
  query?: string;
  catalogue_overlay?: Request['catalogue_overlay'];
}

export type ImportKind = 'hf-config' | 'safetensors-index' | 'safetensors-header' | 'gguf';

export interface ImportSource {
  kind: ImportKind;
  /** The file's JSON; of a GGUF file {"metadata": {...}, "tensors": [{"name", "dtype", "shape"}]}. */
  text: string;
  /** What to call the model. */
  name?: string;
}

/** A field of the file; `kind` where several files were read. */
export interface ImportedField {
  kind?: ImportKind;
  pointer: string;
  value: unknown;
}

export interface Imported {
  request: Pick<Request, 'schema' | 'model'>;
  /** The config as an entry of the catalogue; not with headers alone. */
  entry?: Record<string, unknown>;
  understood: ImportedField[];
  not_understood: ImportedField[];
  findings: Finding[];
}

/** A browser's File, or anything that has a name and gives slices as one does. */
export interface ModelFile {
  readonly name: string;
  readonly size: number;
  readonly slice: (from: number, to: number) => { readonly arrayBuffer: () => Promise<ArrayBuffer> };
}

/** A published measurement. Bytes are bytes; `measured` is absent for a run that ran out of memory. */
export interface MeasuredRun {
  id: string;
  source: string;
  counter: 'allocated' | 'reserved' | 'device' | 'unknown';
  measured?: number;
  predicted: { expected: number; low: number; high: number };
  family: string;
  /** A: everything needed is stated; B: one or two documented defaults; C: vague. */
  quality: 'A' | 'B' | 'C';
  model: string;
  framework: string;
  method: string;
  oom: boolean;
  verdict: 'fits' | 'tight' | 'no';
}

export interface Version {
  engine_version: string;
  catalogue: { version: string; date: string };
  schema: string;
}

/** Every call takes plain data or its JSON text, returns plain data and never throws. */
export interface Engine {
  size(request: Request | string): Answer | ErrorDocument;
  catalogue(query: CatalogueQuery | string): Record<string, unknown>[] | ErrorDocument;
  import(source: ImportSource | string): Imported | ErrorDocument;
  /** The files of one model together: config.json, safetensors, their index, GGUF. Of weights only the header is read. */
  importFiles(files: Iterable<ModelFile>): Promise<Imported | ErrorDocument>;
  /** The published measurements that the figures are checked against, each with what is predicted. Takes about a second. */
  measured(): MeasuredRun[];
  version(): Version;
  /** The same calls as JSON text in, JSON text out. */
  readonly text: {
    size(request: string): string;
    catalogue(query: string): string;
    import(source: string): string;
    measured(): string;
    version(): string;
  };
  /** True after a fault of the engine itself; load() a new one. */
  readonly stopped: boolean;
}

export interface LoadOptions {
  /** Bytes of tunefit.wasm; with them nothing is read or fetched. */
  wasmBinary?: ArrayBuffer | Uint8Array;
  /** Where tunefit.wasm is (browser only); default: beside the package's own file. */
  wasmUrl?: string | URL;
}

export function load(options?: LoadOptions): Promise<Engine>;

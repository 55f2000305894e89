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

export interface ImportSource {
  kind: 'hf-config';
  text: string;
}

export interface Imported {
  request: Partial<Request>;
  /** The file as an entry of the catalogue. */
  entry: Record<string, unknown>;
  understood: unknown[];
  not_understood: unknown[];
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
  version(): Version;
  /** The same calls as JSON text in, JSON text out. */
  readonly text: {
    size(request: string): string;
    catalogue(query: string): string;
    import(source: string): string;
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

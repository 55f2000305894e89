// What page and worker say to each other. Requests and answers travel as the JSON text the engine reads and writes.

export type Work =
  /** Decode and start the engine. `wasm` is base64 of the gzipped module. */
  | { readonly kind: 'start'; readonly wasm: string }
  | { readonly kind: 'version' }
  | { readonly kind: 'size'; readonly request: string }
  | { readonly kind: 'measured' }
  | { readonly kind: 'catalogue'; readonly call: string }
  | { readonly kind: 'import'; readonly call: string }
  /** Size several requests, one after another; each answer is reported as it is there, and a cancel is heeded in between. */
  | { readonly kind: 'batch'; readonly requests: readonly string[] };

export type ToEngine = { readonly id: number; readonly work: Work } | { readonly id: number; readonly cancel: true };

export type FromEngine =
  | { readonly id: number; readonly kind: 'done'; readonly text: string }
  | { readonly id: number; readonly kind: 'progress'; readonly done: number; readonly total: number; readonly text: string }
  | { readonly id: number; readonly kind: 'cancelled' }
  | { readonly id: number; readonly kind: 'failed'; readonly message: string };

/** What both a dedicated worker and a MessagePort offer. */
export interface Port {
  postMessage(message: unknown): void;
  onmessage: ((event: MessageEvent) => void) | null;
}

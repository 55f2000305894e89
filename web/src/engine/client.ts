// The page's end of the protocol: starts the engine, keeps track of calls, gives up on one that never ends.
import createTunefit from 'virtual:tunefit/glue';
import workerSource from 'virtual:tunefit/worker';
import type { FromEngine, Port, ToEngine, Work } from './protocol';
import { serve } from './server';

export class Cancelled extends Error {}

interface Pending {
  readonly resolve: (text: string) => void;
  readonly reject: (error: Error) => void;
  readonly progress: ((done: number, total: number, text: string) => void) | undefined;
  timer: ReturnType<typeof setTimeout>;
}

/** Milliseconds without a sign of life after which the worker is replaced. No sizing takes a hundredth of it. */
const kPatience = 20_000;

export interface CallOptions {
  readonly signal?: AbortSignal;
  readonly progress?: (done: number, total: number, text: string) => void;
}

export class Engine {
  readonly #wasm: () => Promise<string>;
  readonly #pending = new Map<number, Pending>();
  #port: Port | null = null;
  #worker: Worker | null = null;
  #started: Promise<string> | null = null;
  #workers = typeof Worker !== 'undefined';
  #next = 1;

  /** `wasm` gives base64 of the gzipped module. */
  constructor(wasm: () => Promise<string>) {
    this.#wasm = wasm;
  }

  /** Starts the engine, once; the text is that of version(). */
  start(): Promise<string> {
    this.#started ??= this.#wasm().then(async (wasm) => {
      if (this.#workers) {
        try {
          this.#openWorker();
          return await this.#call({ kind: 'start', wasm }, {});
        } catch {
          this.#workers = false; // a policy without `worker-src blob:`, or an old browser: in the page, then
        }
      }
      this.#openHere();
      return this.#call({ kind: 'start', wasm }, {});
    });
    return this.#started;
  }

  async call(work: Work, options: CallOptions = {}): Promise<string> {
    await this.start();
    return this.#call(work, options);
  }

  #call(work: Work, { signal, progress }: CallOptions): Promise<string> {
    if (signal?.aborted) return Promise.reject(new Cancelled());
    const id = this.#next++;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject, progress, timer: this.#watch(id) });
      signal?.addEventListener('abort', () => this.#cancel(id), { once: true });
      this.#send({ id, work });
    });
  }

  #send(message: ToEngine): void {
    this.#port?.postMessage(message);
  }

  #cancel(id: number): void {
    if (!this.#pending.has(id)) return;
    this.#send({ id, cancel: true });
    this.#settle(id)?.reject(new Cancelled());
  }

  #settle(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    if (pending) clearTimeout(pending.timer);
    this.#pending.delete(id);
    return pending;
  }

  #watch(id: number): ReturnType<typeof setTimeout> {
    return setTimeout(() => this.#drop(`no answer to call ${id} within ${kPatience / 1000} s`), kPatience);
  }

  #openWorker(): void {
    const url = URL.createObjectURL(new Blob([workerSource], { type: 'text/javascript' }));
    const worker = new Worker(url, { name: 'tunefit engine' });
    worker.onerror = (event) => {
      event.preventDefault();
      this.#drop(event.message || 'the worker could not be started');
    };
    this.#worker = worker;
    this.#listen(worker);
  }

  // The same server behind a channel.
  #openHere(): void {
    const { port1, port2 } = new MessageChannel();
    serve(port2, createTunefit);
    this.#listen(port1);
  }

  #listen(port: Port): void {
    port.onmessage = (event: MessageEvent<FromEngine>) => this.#hear(event.data);
    this.#port = port;
  }

  #hear(reply: FromEngine): void {
    if (reply.kind === 'progress') {
      const pending = this.#pending.get(reply.id);
      if (!pending) return;
      clearTimeout(pending.timer);
      pending.timer = this.#watch(reply.id);
      pending.progress?.(reply.done, reply.total, reply.text);
      return;
    }
    const pending = this.#settle(reply.id);
    if (reply.kind === 'done') pending?.resolve(reply.text);
    else if (reply.kind === 'cancelled') pending?.reject(new Cancelled());
    else {
      pending?.reject(new Error(reply.message));
      this.#drop(reply.message);
    }
  }

  // After a trap or a hang nothing in that engine can be trusted: what was pending fails, the next call starts afresh.
  #drop(reason: string): void {
    this.#worker?.terminate();
    this.#worker = null;
    this.#port = null;
    this.#started = null;
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(new Error(reason));
  }
}

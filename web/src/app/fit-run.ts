// The verdict for every accelerator and system. In a worker of its own, so that no sizing waits behind it; what a newer
// request has overtaken is given up.
import type { Answer, Failure, Request } from '../contract';
import { isFailure } from '../contract';
import type { Engine } from '../engine/client';
import { Cancelled } from '../engine/client';
import { same } from '../state/pointer';
import type { Fit } from '../state/state';
import type { Store } from '../state/store';

/** Milliseconds that typing must rest. */
const kRest = 120;

export class FitRun {
  readonly #store: Store;
  readonly #engine: Engine;
  #abort: AbortController | null = null;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #of: unknown = null;

  constructor(store: Store, engine: Engine) {
    this.#store = store;
    this.#engine = engine;
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#abort?.abort();
    this.#abort = null;
    this.#of = null;
  }

  /** Starts over for a request, unless only its place differs from the last one's. */
  start(request: Request): void {
    const { placement, ...run } = request;
    const of = { ...run, others: placement?.memory_used_by_others_bytes ?? 0 };
    if (same(of, this.#of)) return;
    this.stop();
    this.#of = of;
    this.#timer = setTimeout(() => void this.#run(request), this.#store.state.fit.answer ? kRest : 0);
  }

  async #run(request: Request): Promise<void> {
    const abort = new AbortController();
    this.#abort = abort;
    this.#set({ running: true });
    const progress = (_done: number, _total: number, text: string): void => {
      const answer = JSON.parse(text) as Answer | Failure;
      if (!isFailure(answer)) this.#set({ answer });
    };
    try {
      const requests = [JSON.stringify({ ...request, want: ['fit'] })];
      await this.#engine.call({ kind: 'batch', requests }, { signal: abort.signal, progress });
      this.#set({ running: false });
    } catch (error) {
      if (error instanceof Cancelled) return;
      this.#of = null;
      this.#set({ running: false });
    }
  }

  #set(change: Partial<Fit>): void {
    this.#store.apply((state) => ({ ...state, fit: { ...state.fit, ...change } }));
  }
}

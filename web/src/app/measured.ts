// The published runs, sized when somebody first looks at them, and those nearest to the request while they are looked at.
import type { MeasuredRun } from '../catalogue';
import { type Answer, type Failure, isFailure, type Request } from '../contract';
import type { Engine } from '../engine/client';
import type { Measured, State } from '../state/state';
import type { Store } from '../state/store';
import { sent } from './session';

class MeasuredRuns {
  readonly #store: Store;
  readonly #engine: Engine;
  #asked = false;
  #of: Request | null = null;

  constructor(store: Store, engine: Engine) {
    this.#store = store;
    this.#engine = engine;
  }

  look(state: State): void {
    if (state.engine !== 'ready' || state.ui.place.view !== 'measured') return;
    if (!this.#asked) {
      this.#asked = true;
      void this.#runs();
    }
    if (state.answered && state.answered !== this.#of) void this.#nearest(state, state.answered);
  }

  async #runs(): Promise<void> {
    try {
      this.#set({ runs: JSON.parse(await this.#engine.call({ kind: 'measured' })) as readonly MeasuredRun[] });
    } catch (error) {
      console.error(error);
      this.#set({ failed: true });
    }
  }

  async #nearest(state: State, of: Request): Promise<void> {
    this.#of = of;
    try {
      const request = JSON.stringify({ ...sent(state), want: ['nearest_measured'] });
      const answer = JSON.parse(await this.#engine.call({ kind: 'size', request })) as Answer | Failure;
      if (this.#of === of && !isFailure(answer)) this.#set({ nearest: answer.nearest_measured ?? [] });
    } catch (error) {
      console.error(error);
    }
  }

  #set(change: Partial<Measured>): void {
    this.#store.apply((state) => ({ ...state, measured: { ...state.measured, ...change } }));
  }
}

/** Keeps the view Measured filled. `engine`: that of the long work, so that no sizing waits. */
export function followMeasured(store: Store, engine: Engine): void {
  const runs = new MeasuredRuns(store, engine);
  store.listen((state) => runs.look(state));
}

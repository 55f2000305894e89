// Holds the state; tells listeners once per turn, after all changes of that turn.
import type { State } from './state';

export type Change = (state: State) => State;
export type Listener = (state: State, before: State) => void;

export class Store {
  #state: State;
  #told: State;
  #waiting = false;
  readonly #listeners: Listener[] = [];

  constructor(state: State) {
    this.#state = state;
    this.#told = state;
  }

  get state(): State {
    return this.#state;
  }

  apply(change: Change): void {
    const next = change(this.#state);
    if (next === this.#state) return;
    this.#state = next;
    if (this.#waiting) return;
    this.#waiting = true;
    queueMicrotask(() => {
      this.#waiting = false;
      const before = this.#told;
      this.#told = this.#state;
      for (const listener of this.#listeners) listener(this.#told, before);
    });
  }

  listen(listener: Listener): void {
    this.#listeners.push(listener);
  }
}

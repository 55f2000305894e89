// What follows from a change of the request: an answer, the fit tables, the address bar, the spoken sentence.
import { type Answer, type Failure, type Finding, isFailure, type Request } from '../contract';
import { Cancelled, type Engine } from '../engine/client';
import { say } from '../state/actions';
import { get, set } from '../state/pointer';
import type { State } from '../state/state';
import type { Store } from '../state/store';
import { t } from '../strings/en';
import { appliesTo, kPointers } from '../views/size/groups';
import { Announcer } from './announcer';
import { FitRun } from './fit-run';

/**
 * The request as it is sent: without what means nothing with its method, though the person may have set it before; with the
 * entries of files in use.
 */
export function sent({ request: { present }, overlays: { merged } }: State): Request {
  const method = get(present, '/recipe/method');
  const request = kPointers.reduce(
    (next, pointer) => (appliesTo(pointer, method) || get(next, pointer) === undefined ? next : set(next, pointer, undefined)),
    present,
  );
  return merged ? { ...request, catalogue_overlay: merged } : request;
}

export class Session {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #fit: FitRun;
  readonly #announcer: Announcer;
  #running = false;

  /** `second`: an engine of its own for the long work. */
  constructor(store: Store, engine: Engine, second: Engine) {
    this.#store = store;
    this.#engine = engine;
    this.#fit = new FitRun(store, second);
    this.#announcer = new Announcer((text) => store.apply(say(text)));
    store.listen((state, before) => {
      if (state.request.present !== before.request.present || state.overlays.merged !== before.overlays.merged) void this.size();
    });
  }

  /** Asks for an answer; while one is on its way, changes wait and only the last of them is asked for. */
  async size(): Promise<void> {
    if (this.#running || this.#store.state.engine !== 'ready') return;
    this.#running = true;
    try {
      for (let again = true; again;) {
        const asked = this.#store.state;
        const answer = await this.#ask(asked);
        const { request, overlays } = this.#store.state;
        // What was asked with other entries is no answer to take.
        if (overlays.merged === asked.overlays.merged) this.#take(asked, answer);
        again = request.present !== asked.request.present || overlays.merged !== asked.overlays.merged;
      }
    } finally {
      this.#running = false;
    }
  }

  async #ask(state: State): Promise<Answer | Failure> {
    try {
      const text = await this.#engine.call({ kind: 'size', request: JSON.stringify({ ...sent(state), want: ['memory', 'explain'] }) });
      return JSON.parse(text) as Answer | Failure;
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      const problem = { severity: 'error', code: 'engine', pointer: '', message: t.engineStopped, hint: String(error) } satisfies Finding;
      return { error: problem, findings: [problem] };
    }
  }

  #take(asked: State, answer: Answer | Failure): void {
    const request = asked.request.present;
    const { findings } = answer;
    if (isFailure(answer)) {
      this.#fit.stop();
      this.#store.apply((state) => ({ ...state, findings, judged: request }));
      this.#announcer.wrong(findings.filter((finding) => finding.severity === 'error').length);
    } else {
      this.#store.apply((state) => ({ ...state, answer, answered: request, judged: request, findings }));
      this.#announcer.answer(answer);
      this.#fit.start(sent(asked));
    }
  }
}

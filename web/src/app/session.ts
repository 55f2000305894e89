// What follows from a change of the request: an answer, the fit tables, the address bar, the spoken sentence.
import { type Answer, type Failure, type Finding, isFailure, type Request } from '../contract';
import { Cancelled, type Engine } from '../engine/client';
import { say } from '../state/actions';
import { get, set } from '../state/pointer';
import type { State } from '../state/state';
import type { Store } from '../state/store';
import { t } from '../strings/en';
import { appliesTo, kPointers } from '../views/size/groups';
import { linkOf } from '../views/size/link';
import { Announcer } from './announcer';
import { FitRun } from './fit-run';

/** The request as it is sent: without what means nothing with its method, though the person may have set it before. */
export function sent(request: Request): Request {
  const method = get(request, '/recipe/method');
  return kPointers.reduce(
    (next, pointer) => (appliesTo(pointer, method) || get(next, pointer) === undefined ? next : set(next, pointer, undefined)),
    request,
  );
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
      if (state.request.present === before.request.present) return;
      this.showLink(state);
      void this.size();
    });
  }

  showLink(state: State): void {
    const wanted = linkOf(state.request.present);
    if (location.hash === wanted) return;
    try {
      history.replaceState(null, '', wanted === '' ? location.pathname + location.search : wanted);
    } catch {
      // A browser that lets no file change its address; the link can still be copied.
    }
  }

  /** Asks for an answer; while one is on its way, changes wait and only the last of them is asked for. */
  async size(): Promise<void> {
    if (this.#running || this.#store.state.engine !== 'ready') return;
    this.#running = true;
    try {
      for (let request: Request | null = this.#store.state.request.present; request !== null;) {
        const asked: Request = request;
        this.#take(asked, await this.#ask(asked));
        request = this.#store.state.request.present === asked ? null : this.#store.state.request.present;
      }
    } finally {
      this.#running = false;
    }
  }

  async #ask(request: Request): Promise<Answer | Failure> {
    try {
      const text = await this.#engine.call({ kind: 'size', request: JSON.stringify({ ...sent(request), want: ['memory', 'explain'] }) });
      return JSON.parse(text) as Answer | Failure;
    } catch (error) {
      if (error instanceof Cancelled) throw error;
      const problem = { severity: 'error', code: 'engine', pointer: '', message: t.engineStopped, hint: String(error) } satisfies Finding;
      return { error: problem, findings: [problem] };
    }
  }

  #take(request: Request, answer: Answer | Failure): void {
    const { findings } = answer;
    if (isFailure(answer)) {
      this.#fit.stop();
      this.#store.apply((state) => ({ ...state, findings, judged: request }));
      this.#announcer.wrong(findings.filter((finding) => finding.severity === 'error').length);
    } else {
      this.#store.apply((state) => ({ ...state, answer, answered: request, judged: request, findings }));
      this.#announcer.answer(answer);
      this.#fit.start(sent(request));
    }
  }
}

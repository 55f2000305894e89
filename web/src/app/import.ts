// The customer's own model: files and pasted text, read here, judged by the engine. Nothing leaves the machine, and of files
// with weights only the header is read.
import type { Failure, Finding, Request } from '../contract';
import type { Engine } from '../engine/client';
import { callOfJson, type Named, readFiles, type ReadFiles } from '../files/headers';
import { type Imported, importPieces } from '../files/pieces';
import { edit, own, say } from '../state/actions';
import type { Store } from '../state/store';
import { t } from '../strings/en';
import { kLongestConfig } from '../views/size/form/model';
import { looksLikeOverlay } from './overlays';

const problem = (message: string, hint: string): Finding => ({ severity: 'error', code: 'own_model', pointer: '/model', message, hint });

export class Importer {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #overlay: (name: string, text: string) => void;
  #turn: Promise<unknown> = Promise.resolve();

  /** `overlay` takes a text that is no model but a file of entries. */
  constructor(store: Store, engine: Engine, overlay: (name: string, text: string) => void) {
    this.#overlay = overlay;
    this.#store = store;
    this.#engine = engine;
  }

  #refuse(findings: readonly Finding[]): void {
    this.#store.apply(own({ reading: false, findings, about: null }));
    const first = findings.find(({ severity }) => severity === 'error');
    if (first) this.#store.apply(say(first.message));
  }

  // One after another, in the order in which they came.
  #later<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#turn.then(work);
    this.#turn = turn.catch(() => undefined);
    return turn;
  }

  /** Whether the files were about a model, and not entries alone. */
  files(files: readonly Named[]): Promise<boolean> {
    return this.#later(async () => {
      this.#store.apply(own({ reading: true, findings: [], about: null, fromText: false }));
      const { calls, findings } = await readFiles(files);
      const overlays = calls.filter(({ kind, text }) => kind === 'hf-config' && looksLikeOverlay(text));
      for (const {
        files: [name = ''],
        text,
      } of overlays)
        this.#overlay(name, text);
      const model = calls.filter((call) => !overlays.includes(call));
      if (model.length === 0) this.#refuse(findings);
      else await this.#use({ calls: model, findings });
      return model.length > 0 || findings.length > 0;
    });
  }

  text(text: string): Promise<void> {
    return this.#later(async () => {
      this.#store.apply(own({ fromText: true }));
      if (text.trim() === '') {
        this.#refuse([problem(t.own.empty, t.own.emptyHint)]);
      } else if (text.length > kLongestConfig) {
        this.#refuse([problem(t.own.tooLong(text.length), t.own.tooLongHint)]);
      } else {
        this.#store.apply(own({ text, reading: true, findings: [], about: null }));
        await this.#use({ calls: [callOfJson(text, [])], findings: [] });
      }
    });
  }

  async #use(read: ReadFiles): Promise<void> {
    const before = this.#store.state.request.present.model;
    const { model, findings } = await importPieces(
      read,
      async ({ kind, text, name }) => {
        try {
          const call = JSON.stringify({ kind, text, ...(name === undefined ? {} : { name }) });
          return JSON.parse(await this.#engine.call({ kind: 'import', call })) as Imported | Failure;
        } catch (error) {
          const finding = problem(t.engineStopped, String(error));
          return { error: finding, findings: [finding] };
        }
      },
      before,
    );
    if (!model) {
      this.#refuse(findings);
      return;
    }
    const chosen = model as Request['model'];
    this.#store.apply(own({ reading: false, findings, about: chosen }));
    this.#store.apply(edit('/model', chosen));
  }
}

// The customer's own config.json: read here, judged by the engine, kept as it is. It never leaves the machine.
import type { Failure, Finding, Request } from '../contract';
import { isFailure } from '../contract';
import type { Engine } from '../engine/client';
import { edit, own } from '../state/actions';
import type { Store } from '../state/store';
import { t } from '../strings/en';
import { kLongestConfig } from '../views/size/form/model';
import { kLongestOverlay, looksLikeOverlay } from './overlays';

/** What import gives for a config it can read. */
interface Imported {
  readonly request: Pick<Request, 'model'>;
  readonly findings: readonly Finding[];
}

const finding = (message: string, hint: string): Finding => ({ severity: 'error', code: 'own_model', pointer: '/model', message, hint });

export class Importer {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #overlay: (name: string, text: string) => void;

  /** `overlay` takes a text that is no model but a file of entries. */
  constructor(store: Store, engine: Engine, overlay: (name: string, text: string) => void) {
    this.#overlay = overlay;
    this.#store = store;
    this.#engine = engine;
  }

  #refuse(findings: readonly Finding[]): void {
    this.#store.apply(own({ reading: false, findings }));
  }

  async file(file: File): Promise<void> {
    if (file.size > kLongestOverlay) {
      this.#refuse([finding(t.own.tooLong(file.size), t.own.tooLongHint)]);
      return;
    }
    let text: string;
    try {
      text = await file.text();
    } catch {
      this.#refuse([finding(t.own.unreadable, t.own.unreadableHint)]);
      return;
    }
    if (looksLikeOverlay(text)) this.#overlay(file.name, text);
    else await this.text(text);
  }

  async text(text: string): Promise<void> {
    if (text.trim() === '') {
      this.#refuse([finding(t.own.empty, t.own.emptyHint)]);
    } else if (text.length > kLongestConfig) {
      this.#refuse([finding(t.own.tooLong(text.length), t.own.tooLongHint)]);
    } else {
      this.#store.apply(own({ text, reading: true, findings: [] }));
      await this.#read(text);
    }
  }

  async #read(text: string): Promise<void> {
    let answer: Imported | Failure;
    try {
      const reply = await this.#engine.call({ kind: 'import', call: JSON.stringify({ kind: 'hf-config', text }) });
      answer = JSON.parse(reply) as Imported | Failure;
    } catch (error) {
      this.#refuse([finding(t.engineStopped, String(error))]);
      return;
    }
    if (isFailure(answer)) {
      this.#refuse(answer.findings);
      return;
    }
    this.#store.apply(own({ reading: false, findings: answer.findings }));
    this.#store.apply(edit('/model', answer.request.model));
  }
}

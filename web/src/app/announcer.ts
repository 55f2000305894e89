// Says the verdict to a screen reader, in one short sentence, once typing has come to rest.
import type { Answer } from '../contract';
import { t } from '../strings/en';

const kRest = 700;

export class Announcer {
  readonly #say: (text: string) => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #first = true;

  constructor(say: (text: string) => void) {
    this.#say = say;
  }

  answer({ memory }: Answer): void {
    if (!memory) return;
    const word = t.verdictWord[memory.verdict ?? 'unknown'] ?? '';
    this.#soon(t.said(word, memory.peak.device.expected, memory.capacity_bytes));
  }

  wrong(count: number): void {
    this.#soon(t.saidWrong(count));
  }

  // The first answer comes with the page; nobody has changed anything yet.
  #soon(text: string): void {
    clearTimeout(this.#timer);
    if (this.#first) {
      this.#first = false;
      return;
    }
    this.#timer = setTimeout(() => this.#say(text), kRest);
  }
}

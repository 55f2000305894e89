// Somebody's own entries: read here, judged by the engine, kept beside the request, so that undo and links leave them alone.
import { kOverlayKinds, type Overlay } from '../catalogue';
import { type Failure, type Finding, isFailure } from '../contract';
import type { Engine } from '../engine/client';
import type { OverlayFile, State } from '../state/state';
import type { Store } from '../state/store';
import { c } from '../strings/catalogue';

/** As long as a text the engine reads. */
export const kLongestOverlay = 16 * 2 ** 20;
/** The engine names a hundred findings at a time; entries that have one are taken out, and it is asked again. */
const kMostRounds = 40;
const kPrefix = '/catalogue_overlay';
const o = c.overlay;

const isObject = (value: unknown): value is Overlay => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Whether a text is an overlay rather than a model's config.json. */
export function looksLikeOverlay(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) && kOverlayKinds.some((kind) => Array.isArray(value[kind]));
  } catch {
    return false;
  }
}

const finding = (message: string, hint: string, pointer = ''): Finding => ({ severity: 'error', code: 'overlay', pointer, message, hint });

interface Judged {
  readonly accepted: Overlay;
  readonly findings: readonly Finding[];
}

/** Lists of both, one after the other. */
function joined(first: Overlay, second: Overlay): Overlay {
  const all: Record<string, unknown> = { ...first };
  for (const [kind, list] of Object.entries(second)) {
    const before = all[kind];
    all[kind] = Array.isArray(before) && Array.isArray(list) ? [...(before as unknown[]), ...(list as unknown[])] : list;
  }
  return all;
}

const lengthOf = (overlay: Overlay, kind: string): number => {
  const list = overlay[kind];
  return Array.isArray(list) ? list.length : 0;
};

interface Named {
  readonly name: string;
  readonly origin: OverlayFile['origin'];
  readonly given: unknown;
  /** What kept it from being read at all. */
  readonly unread?: Finding;
}

export class OverlayReader {
  readonly #store: Store;
  readonly #engine: Engine;
  readonly #changed: () => Promise<void>;
  #turn: Promise<void> = Promise.resolve();

  /** `changed` is called when other entries are in use. */
  constructor(store: Store, engine: Engine, changed: () => Promise<void>) {
    this.#store = store;
    this.#engine = engine;
    this.#changed = changed;
  }

  /** What the page it stands in brings along; before the first sizing. */
  async readPage(element: HTMLElement | null): Promise<void> {
    if (!element) return;
    await this.#put([{ name: element.dataset['name'] ?? '', origin: 'page', ...parsed(element.textContent) }]);
  }

  async file(chosen: File): Promise<void> {
    let one: Named;
    if (chosen.size > kLongestOverlay) {
      one = { name: chosen.name, origin: 'file', given: null, unread: finding(o.tooLong(chosen.size), o.tooLongHint) };
    } else {
      try {
        one = { name: chosen.name, origin: 'file', ...parsed(await chosen.text()) };
      } catch {
        one = { name: chosen.name, origin: 'file', given: null, unread: finding(o.unreadable, o.unreadableHint) };
      }
    }
    await this.#add(one);
  }

  async text(name: string, text: string): Promise<void> {
    await this.#add({ name, origin: 'file', ...parsed(text) });
  }

  async remove(name: string): Promise<void> {
    await this.#later(() => this.#put(this.#files().filter((file) => file.origin === 'page' || file.name !== name)));
  }

  // A file of the same name takes the place of the one before.
  async #add(one: Named): Promise<void> {
    await this.#later(() => this.#put([...this.#files().filter((file) => file.origin === 'page' || file.name !== one.name), one]));
  }

  #files(): readonly Named[] {
    return this.#store.state.overlays.files.map(({ name, origin, given, findings, counts }) => {
      const unread = given === null && Object.keys(counts).length === 0 ? findings[0] : undefined;
      return { name, origin, given, ...(unread ? { unread } : {}) };
    });
  }

  // One after another, in the order in which they came.
  #later(work: () => Promise<void>): Promise<void> {
    this.#turn = this.#turn.then(work);
    return this.#turn;
  }

  async #put(given: readonly Named[]): Promise<void> {
    this.#set((overlays) => ({ ...overlays, reading: true }));
    const files: OverlayFile[] = [];
    const origins = new Map<string, OverlayFile>();
    let merged: Overlay = {};
    for (const one of given) {
      const { accepted, findings } = one.unread ? { accepted: {}, findings: [one.unread] } : await this.#judge(merged, one.given);
      const counts = Object.fromEntries(kOverlayKinds.map((kind) => [kind, lengthOf(accepted, kind)]));
      const file: OverlayFile = { name: one.name, origin: one.origin, given: one.given, counts: one.unread ? {} : counts, findings };
      files.push(file);
      for (const kind of kOverlayKinds) {
        const list = accepted[kind];
        if (!Array.isArray(list)) continue;
        for (const { id } of list as readonly { id: string }[]) origins.set(`${kind}:${id.toLowerCase()}`, file);
      }
      merged = joined(merged, accepted);
    }
    const any = origins.size > 0;
    this.#store.apply((state) => ({ ...state, judged: null, overlays: { files, reading: false, merged: any ? merged : null, origins } }));
    await this.#changed();
  }

  #set(change: (overlays: State['overlays']) => State['overlays']): void {
    this.#store.apply((state) => ({ ...state, overlays: change(state.overlays) }));
  }

  // Which entries of `given` the engine takes beside those already in use, and what is wrong with the others.
  async #judge(used: Overlay, given: unknown): Promise<Judged> {
    if (!isObject(given)) return { accepted: {}, findings: (await this.#ask(given)).map((one) => ({ ...one, pointer: '' })) };
    if (Object.keys(given).length === 0) return { accepted: {}, findings: [finding(o.empty, o.noJsonHint)] };
    const findings: Finding[] = [];
    // Where each entry stands in the file.
    const kept = new Map<string, readonly number[] | null>(
      Object.entries(given).map(([kind, list]) => [kind, Array.isArray(list) ? list.map((_, index) => index) : null]),
    );
    for (let round = 0; round < kMostRounds; ++round) {
      const accepted = Object.fromEntries(
        [...kept].map(([kind, places]) => [kind, places ? places.map((place) => (given[kind] as unknown[])[place]) : given[kind]]),
      );
      const wrong = await this.#ask(joined(used, accepted));
      if (wrong.length === 0) return { accepted, findings };
      if (!this.#takeOut(kept, used, wrong, findings)) return { accepted: {}, findings };
    }
    return { accepted: {}, findings: [...findings, finding(o.tooManyWrong, o.tooManyWrongHint)] };
  }

  // Takes out what findings name; false if one names nothing that can be.
  #takeOut(kept: Map<string, readonly number[] | null>, used: Overlay, wrong: readonly Finding[], findings: Finding[]): boolean {
    const out = new Map<string, Set<number> | 'all'>();
    for (const one of wrong) {
      const [kind = '', index = '', ...rest] = one.pointer.slice(kPrefix.length + 1).split('/');
      const places = kept.get(kind);
      if (places === undefined) {
        findings.push({ ...one, pointer: one.pointer.slice(kPrefix.length) });
        return false;
      }
      const place = places?.[Number(index) - lengthOf(used, kind)];
      if (index === '' || place === undefined) {
        out.set(kind, 'all');
        findings.push({ ...one, pointer: `/${kind}` });
      } else {
        findings.push({ ...one, pointer: ['', kind, String(place), ...rest].join('/') });
        const some = out.get(kind) ?? new Set<number>();
        if (some !== 'all') out.set(kind, some.add(place));
      }
    }
    for (const [kind, some] of out) {
      if (some === 'all') kept.delete(kind);
      else kept.set(kind, kept.get(kind)?.filter((place) => !some.has(place)) ?? null);
    }
    return true;
  }

  // The engine's errors about an overlay; the list it is asked for is the shortest there is.
  async #ask(overlay: unknown): Promise<readonly Finding[]> {
    const call = JSON.stringify({ kind: 'frameworks', query: 'no framework has this name', catalogue_overlay: overlay });
    try {
      const answer = JSON.parse(await this.#engine.call({ kind: 'catalogue', call })) as Failure | readonly unknown[];
      return isFailure(answer) ? answer.findings.filter(({ severity }) => severity === 'error') : [];
    } catch (error) {
      return [finding(String(error), '')];
    }
  }
}

function parsed(text: string): { given: unknown; unread?: Finding } {
  try {
    return { given: JSON.parse(text) as unknown };
  } catch (error) {
    return { given: null, unread: finding(o.noJson(error instanceof Error ? error.message : String(error)), o.noJsonHint) };
  }
}

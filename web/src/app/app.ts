// Ties state, engine and document together.
import { render } from 'lit/html.js';
import { type Accelerator, type Entry, kOverlayKinds, type Model, type Offer, type System, type Version } from '../catalogue';
import { type Failure, isFailure } from '../contract';
import { Engine } from '../engine/client';
import { wasm } from '../engine/payload';
import type { Context } from '../fields/context';
import { notice, place, printing, redo, replace, say, undo } from '../state/actions';
import { fromFragment, type Ignored } from '../state/fragment';
import { startingRequest } from '../state/start';
import { initialState, type Place, type State } from '../state/state';
import { Store } from '../state/store';
import { t } from '../strings/en';
import { harvest } from './harvest';
import { c } from '../strings/catalogue';
import { Importer } from './import';
import { followMeasured } from './measured';
import { linkFields, linkOf, placeOf } from '../views/size/link';
import { fragmentOf, Navigation } from './navigation';
import { OverlayReader } from './overlays';
import { sent, Session } from './session';
import { shell } from './shell';
import { applyTheme, readTheme } from './theme';

/** Kinds whose entries open where they stand. */
const kOpensInPlace: readonly string[] = kOverlayKinds;
/** Kinds of the catalogue that an engine may have besides those. */
const kFurther = ['glossary', 'rules'];

/** Milliseconds for which a notice stands. */
const kNotice = 4000;

const noteOf = ({ why, key, value }: Ignored): string => {
  const short = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  if (why === 'own') return value === 'hardware' ? t.ignoredBecause.ownHardware : t.ignoredBecause.own;
  if (why === 'length') return t.ignoredBecause[why];
  return why === 'version' ? t.ignoredBecause.version(short) : t.ignoredBecause[why](key.slice(0, 60), short);
};

export class App {
  readonly #root: HTMLElement;
  readonly #store: Store;
  readonly #engine = new Engine(wasm);
  readonly #session: Session;
  readonly #importer: Importer;
  readonly #overlays: OverlayReader;
  readonly #navigation: Navigation;
  #noticed: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, savedPage: string) {
    this.#root = root;
    const state = initialState(startingRequest, savedPage);
    const address = location.protocol === 'file:' ? '' : (location.href.split('#')[0] ?? '');
    this.#store = new Store({ ...state, address, ui: { ...state.ui, theme: readTheme() } });
    const second = new Engine(wasm);
    this.#session = new Session(this.#store, this.#engine, second);
    followMeasured(this.#store, second);
    this.#overlays = new OverlayReader(this.#store, this.#engine, () => this.#lists());
    this.#importer = new Importer(this.#store, this.#engine, (name, text) => void this.#opened(name, this.#overlays.text(name, text)));
    this.#navigation = new Navigation(this.#store, () => this.#readLink());
  }

  start(): void {
    applyTheme(this.#store.state.ui.theme);
    this.#navigation.start();
    harvest(this.#root, () => this.#render(this.#store.state));
    this.#store.listen((state, before) => {
      if (state.ui.theme !== before.ui.theme) applyTheme(state.ui.theme);
      this.#render(state);
      if (state.ui.list && state.ui.list !== before.ui.list) {
        this.#root.querySelector('[role=option].active')?.scrollIntoView({ block: 'nearest' });
      }
    });
    this.#listen();
    void this.#startEngine();
  }

  readonly #context = (state: State): Context => ({
    state,
    apply: (change) => this.#store.apply(change),
    act: {
      importText: (text) => void this.#importer.text(text),
      importFiles: (files) => void this.#imported(files),
      openOverlay: (file) => void this.#opened(file.name, this.#overlays.file(file)),
      removeOverlay: (name) => void this.#removed(name),
      go: (to) => this.#go(to),
      copyLink: () => void this.#copyLink(),
      download: (what) => this.#download(what),
      focus: (id) => this.#focus(id),
      notify: (text) => this.#notify(text),
    },
  });

  #render(state: State): void {
    render(shell(this.#context(state)), this.#root);
  }

  async #startEngine(): Promise<void> {
    try {
      const version = JSON.parse(await this.#engine.start()) as Version;
      await this.#overlays.readPage(document.getElementById('tunefit-overlay'));
      this.#store.apply((state) => ({ ...state, version }));
      await this.#lists();
      this.#showEntry(this.#store.state.ui.place.entry);
    } catch (error) {
      console.error(error);
      this.#store.apply((state) => ({ ...state, engine: 'failed' }));
    }
  }

  // The short lists first: the answer names what is in them. The models are only needed to choose another one.
  async #lists(): Promise<void> {
    const { merged } = this.#store.state.overlays;
    const list = async <T>(kind: string): Promise<readonly T[]> => {
      const call = JSON.stringify({ kind, ...(merged ? { catalogue_overlay: merged } : {}) });
      const answer = JSON.parse(await this.#engine.call({ kind: 'catalogue', call })) as readonly T[] | Failure;
      return isFailure(answer) ? [] : answer;
    };
    // Of entries that are no longer in use no list is taken.
    const add = (change: Partial<State['catalogue']>): void =>
      this.#store.apply((state) => (state.overlays.merged === merged ? { ...state, catalogue: { ...state.catalogue, ...change } } : state));
    add({ accelerators: await list<Accelerator>('accelerators'), systems: await list<System>('systems') });
    this.#store.apply((state) => ({ ...state, engine: 'ready' }));
    await this.#session.size();
    add({ models: await list<Model>('models'), offers: await list<Offer>('offers') });
    const further: [string, readonly Entry[]][] = [];
    for (const kind of kFurther) further.push([kind, await list<Entry>(kind)]);
    add({ further: Object.fromEntries(further.filter(([, entries]) => entries.length > 0)) });
  }

  #readLink(): void {
    const link = fromFragment(fragmentOf(), startingRequest, linkFields);
    if (!link) return;
    const { view = '' } = link;
    const to = placeOf(view);
    const ignored: readonly Ignored[] = to ? link.ignored : [...link.ignored, { why: 'value', key: 'view', value: view }];
    this.#store.apply(replace(link.request, ignored.map(noteOf)));
    if (to) this.#store.apply(place(to));
  }

  #go(to: Place): void {
    const from = this.#store.state.ui.place;
    this.#navigation.go(to);
    if (to.kind !== from.kind || !kOpensInPlace.includes(to.kind)) this.#showEntry(to.entry);
  }

  #showEntry(id: string): void {
    if (id !== '') requestAnimationFrame(() => document.getElementById(`entry-${id}`)?.scrollIntoView({ block: 'start' }));
  }

  // What came of the files of a model stands beside the model.
  async #imported(files: readonly File[]): Promise<void> {
    const { view } = this.#store.state.ui.place;
    if (!(await this.#importer.files(files)) || this.#store.state.ui.place.view !== view) return;
    const { about, findings } = this.#store.state.ui.own;
    const [first] = about === null ? findings : [];
    if (first) this.#notify(first.message); // whatever part of the page is in view
    if (view !== 'size') this.#navigation.go({ ...this.#store.state.ui.place, view: 'size', entry: '' });
  }

  // What came of a file of entries is told where such files are listed.
  async #opened(name: string, opening: Promise<void>): Promise<void> {
    const { place } = this.#store.state.ui;
    if (place.view !== 'catalogue') this.#navigation.go({ ...place, view: 'catalogue', entry: '' });
    await opening;
    const { files } = this.#store.state.overlays;
    const file = files.find((one) => one.origin === 'file' && one.name === name);
    if (!file) return;
    const said = c.overlay.said(
      name,
      Object.values(file.counts).reduce((sum, n) => sum + n, 0),
      file.findings.length,
    );
    this.#store.apply(say(said));
    this.#notify(said);
    this.#focus('own-entries'); // not there if the person has gone elsewhere meanwhile
  }

  async #removed(name: string): Promise<void> {
    await this.#overlays.remove(name);
    this.#store.apply(say(c.overlay.removed(name)));
    this.#notify(c.overlay.removed(name));
    this.#focus('own-entries');
  }

  async #copyLink(): Promise<void> {
    const request = this.#store.state.request.present;
    const address = `${location.href.split('#')[0] ?? ''}${linkOf(this.#store.state)}`;
    let said: string = typeof request.model === 'string' ? t.linkCopied : t.linkCopiedWithoutModel;
    try {
      await navigator.clipboard.writeText(address);
    } catch {
      said = t.linkInBar;
    }
    this.#store.apply(say(said));
    this.#notify(said);
  }

  #notify(text: string): void {
    this.#store.apply(notice(text));
    clearTimeout(this.#noticed);
    this.#noticed = setTimeout(() => this.#store.apply(notice('')), kNotice);
  }

  #download(what: 'request' | 'answer'): void {
    const { state } = this.#store;
    const text = JSON.stringify(what === 'request' ? sent(state) : state.answer, null, 2);
    const link = document.createElement('a');
    link.href = URL.createObjectURL(new Blob([text, '\n'], { type: 'application/json' }));
    link.download = `tunefit-${what}.json`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  }

  #focus(id: string): void {
    const target = document.getElementById(id);
    for (let at = target?.parentElement; at; at = at.parentElement) if (at instanceof HTMLDetailsElement) at.open = true;
    target?.focus();
    target?.scrollIntoView({ block: 'center' });
  }

  #listen(): void {
    // A file dropped beside the target must not replace the page.
    addEventListener('dragover', (event) => event.preventDefault());
    addEventListener('drop', (event) => {
      if (event.defaultPrevented) return; // taken by the place it was dropped on
      event.preventDefault();
      const files = [...(event.dataTransfer?.files ?? [])];
      if (files.length > 0) void this.#imported(files);
    });
    addEventListener('keydown', (event) => this.#key(event));
    addEventListener('pointerdown', (event) => this.#closeHelp(event.target as Node));
    let closed: HTMLDetailsElement[] = [];
    addEventListener('beforeprint', () => {
      this.#store.apply(printing(true));
      closed = [...this.#root.querySelectorAll<HTMLDetailsElement>('details:not([open], .help, .own)')];
      for (const details of closed) details.open = true;
    });
    addEventListener('afterprint', () => {
      this.#store.apply(printing(false));
      for (const details of closed) details.open = false;
    });
  }

  #key(event: KeyboardEvent): void {
    if (event.key === 'Escape') this.#closeHelp(null);
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const { target } = event;
    const writes = target instanceof HTMLTextAreaElement || (target instanceof HTMLInputElement && /^(text|search)$/.test(target.type));
    if (writes) return;
    const key = event.key.toLowerCase();
    if (key === 'z' || key === 'y') {
      event.preventDefault();
      this.#store.apply(key === 'y' || event.shiftKey ? redo : undo);
    }
  }

  // A help text is open until one turns elsewhere.
  #closeHelp(turnedTo: Node | null): void {
    for (const help of this.#root.querySelectorAll<HTMLDetailsElement>('details.help[open]')) {
      if (!turnedTo || !help.contains(turnedTo)) help.open = false;
    }
  }
}

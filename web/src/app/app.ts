// Ties state, engine and document together.
import { render } from 'lit/html.js';
import type { Accelerator, Model, System, Version } from '../catalogue';
import { Engine } from '../engine/client';
import { wasm } from '../engine/payload';
import type { Context } from '../fields/context';
import { notice, printing, redo, replace, say, undo } from '../state/actions';
import { fromFragment, type Ignored } from '../state/fragment';
import { startingRequest } from '../state/start';
import { initialState, type State } from '../state/state';
import { Store } from '../state/store';
import { t } from '../strings/en';
import { harvest } from './harvest';
import { Importer } from './import';
import { linkFields, linkOf } from '../views/size/link';
import { sent, Session } from './session';
import { shell } from './shell';
import { applyTheme, readTheme } from './theme';

/** Milliseconds for which a notice stands. */
const kNotice = 4000;

const noteOf = ({ why, key, value }: Ignored): string => {
  const short = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  if (why === 'length' || why === 'own') return t.ignoredBecause[why];
  return why === 'version' ? t.ignoredBecause.version(short) : t.ignoredBecause[why](key.slice(0, 60), short);
};

export class App {
  readonly #root: HTMLElement;
  readonly #store: Store;
  readonly #engine = new Engine(wasm);
  readonly #session: Session;
  readonly #importer: Importer;
  #noticed: ReturnType<typeof setTimeout> | undefined;

  constructor(root: HTMLElement, savedPage: string) {
    this.#root = root;
    const state = initialState(startingRequest, savedPage);
    const address = location.protocol === 'file:' ? '' : (location.href.split('#')[0] ?? '');
    this.#store = new Store({ ...state, address, ui: { ...state.ui, theme: readTheme() } });
    this.#session = new Session(this.#store, this.#engine, new Engine(wasm));
    this.#importer = new Importer(this.#store, this.#engine);
  }

  start(): void {
    applyTheme(this.#store.state.ui.theme);
    this.#readLink();
    harvest(this.#root, () => this.#render(this.#store.state));
    this.#store.listen((state, before) => {
      if (state.ui.theme !== before.ui.theme) applyTheme(state.ui.theme);
      this.#render(state);
      if (state.ui.list && state.ui.list !== before.ui.list) {
        this.#root.querySelector('[role=option].active')?.scrollIntoView({ block: 'nearest' });
      }
    });
    addEventListener('hashchange', () => this.#readLink());
    this.#listen();
    void this.#startEngine();
  }

  readonly #context = (state: State): Context => ({
    state,
    apply: (change) => this.#store.apply(change),
    act: {
      importConfig: (text) => void this.#importer.text(text),
      importFile: (file) => void this.#importer.file(file),
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
    const list = async <T>(kind: string): Promise<readonly T[]> =>
      JSON.parse(await this.#engine.call({ kind: 'catalogue', call: JSON.stringify({ kind }) })) as readonly T[];
    const add = (change: Partial<State['catalogue']>): void =>
      this.#store.apply((state) => ({ ...state, catalogue: { ...state.catalogue, ...change } }));
    try {
      const version = JSON.parse(await this.#engine.start()) as Version;
      // The short lists first: the answer names what is in them. The models are only needed to choose another one.
      add({ accelerators: await list<Accelerator>('accelerators'), systems: await list<System>('systems') });
      this.#store.apply((state) => ({ ...state, engine: 'ready', version }));
      await this.#session.size();
      add({ models: await list<Model>('models') });
    } catch (error) {
      console.error(error);
      this.#store.apply((state) => ({ ...state, engine: 'failed' }));
    }
  }

  #readLink(): void {
    // Not location.hash: Firefox hands it out decoded.
    const [, fragment = ''] = /#(.*)$/s.exec(location.href) ?? [];
    const link = fromFragment(fragment, startingRequest, linkFields);
    if (link) this.#store.apply(replace(link.request, link.ignored.map(noteOf)));
  }

  async #copyLink(): Promise<void> {
    const request = this.#store.state.request.present;
    const address = `${location.href.split('#')[0] ?? ''}${linkOf(request)}`;
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
    const { request, answer } = this.#store.state;
    const text = JSON.stringify(what === 'request' ? sent(request.present) : answer, null, 2);
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
      event.preventDefault();
      const file = event.dataTransfer?.files[0];
      if (file) void this.#importer.file(file);
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

// Views and the browser's history: a view is a step of it, what changes within a view is not.
import { place as setPlace } from '../state/actions';
import { same } from '../state/pointer';
import { kStart, type Place, type State } from '../state/state';
import type { Store } from '../state/store';
import { c } from '../strings/catalogue';
import { t } from '../strings/en';
import { m } from '../strings/measured';
import { linkOf, placeOf } from '../views/size/link';

/** Marks steps that are ours: going back to one changes the view, not the request. */
const kMark = { tunefit: true };

const isOurs = (): boolean => (history.state as Partial<typeof kMark> | null)?.tunefit === true;

/** The fragment in the address bar. Not location.hash: Firefox hands it out decoded. */
export const fragmentOf = (): string => /#(.*)$/s.exec(location.href)?.[1] ?? '';

/** The place in a fragment of ours; the view Size leaves the kind that the catalogue had. */
function placeIn(fragment: string, from: Place): Place {
  const view = new URLSearchParams(fragment).get('view') ?? '';
  return view === '' ? { ...from, view: 'size', entry: '' } : (placeOf(view) ?? kStart);
}

function write(how: 'pushState' | 'replaceState', link: string): void {
  try {
    history[how](kMark, '', link === '' ? location.pathname + location.search : link);
  } catch {
    // A browser that lets no file change its address; the link can still be copied.
  }
}

export class Navigation {
  readonly #store: Store;
  readonly #read: () => void;

  /** `read` takes over what a link asks for, the request included. */
  constructor(store: Store, read: () => void) {
    this.#store = store;
    this.#read = read;
  }

  start(): void {
    this.#read();
    write('replaceState', fragmentOf() === '' ? '' : `#${fragmentOf()}`);
    this.#name(this.#store.state);
    this.#store.listen((state, before) => {
      const moved = state.ui.place.view !== before.ui.place.view;
      if (moved) this.#arrive(state);
      if (state.request.present !== before.request.present || state.overlays !== before.overlays || state.ui.place !== before.ui.place) {
        this.showLink();
      }
    });
    addEventListener('hashchange', () => this.#travelled());
  }

  /** Goes to a place of the page. */
  go(to: Place): void {
    const { place } = this.#store.state.ui;
    if (same(place, to)) return;
    this.#store.apply(setPlace(to));
    if (to.view !== place.view) write('pushState', linkOf(this.#store.state));
  }

  /** The address bar shows the link of what the page shows. */
  showLink(): void {
    const wanted = linkOf(this.#store.state);
    if (wanted !== (fragmentOf() === '' ? '' : `#${fragmentOf()}`)) write('replaceState', wanted);
  }

  // Somebody went back or forward, or put a link into the address bar.
  #travelled(): void {
    if (isOurs()) {
      this.#store.apply(setPlace(placeIn(fragmentOf(), this.#store.state.ui.place)));
      this.showLink();
    } else {
      this.#read();
      write('replaceState', linkOf(this.#store.state));
    }
  }

  #name(state: State): void {
    document.title = { size: t, catalogue: c, measured: m }[state.ui.place.view].pageTitle;
  }

  // A new view begins at its title, for eyes and for a screen reader.
  #arrive(state: State): void {
    this.#name(state);
    requestAnimationFrame(() => {
      const { activeElement } = document;
      // Unless somebody has already said where to go.
      if (activeElement && activeElement !== document.body && document.querySelector('main')?.contains(activeElement)) return;
      document.getElementById('view-title')?.focus({ preventScroll: true });
      scrollTo({ top: 0, behavior: 'instant' });
    });
  }
}

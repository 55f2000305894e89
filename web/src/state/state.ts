// The whole state of the page, in one place. Everything shown follows from it.
import type { Answer, Finding, Request } from '../contract';
import type { Accelerator, Entry, MeasuredRun, Model, Offer, Overlay, System, Version } from '../catalogue';
import { begin, type History } from './history';

export type Theme = 'auto' | 'light' | 'dark';

/** A list of the page that opens, is searched and walked through by keyboard. */
export interface OpenList {
  readonly id: string;
  /** As typed; null while nothing was. */
  readonly text: string | null;
  readonly active: number;
}

export interface TableUi {
  readonly query: string;
  readonly verdict: string;
  readonly sort: string;
  readonly descending: boolean;
  readonly all: boolean;
}

/** A list of the catalogue: what is looked for in it, and how much of it is shown. */
export interface ListUi {
  readonly query: string;
  /** Values of its filters, by their ids; '' or absent: not set. */
  readonly filters: Readonly<Record<string, string>>;
  readonly sort: string;
  readonly descending: boolean;
  readonly shown: number;
  /** Whether a narrow screen shows the filters. */
  readonly filtering: boolean;
}

/** Where one is in the page. */
export interface Place {
  readonly view: 'size' | 'catalogue' | 'measured';
  /** In the catalogue: the kind of entries, and the one that is open ('' if none). */
  readonly kind: string;
  readonly entry: string;
}

export interface Ui {
  readonly place: Place;
  readonly lists: Readonly<Record<string, ListUi>>;
  readonly theme: Theme;
  /** Text typed into a field that differs from how the page would write the value: "4k", "12x". By JSON pointer. */
  readonly drafts: Readonly<Record<string, string>>;
  readonly list: OpenList | null;
  readonly exactBytes: boolean;
  /** Rows whose formula is shown. */
  readonly explained: ReadonlySet<string>;
  readonly tables: Readonly<Record<string, TableUi>>;
  /** The customer's own model: text in the box, findings about the last one tried; `about`: the model they are about, null if none
   *  came of it. */
  readonly own: {
    readonly text: string;
    readonly reading: boolean;
    readonly findings: readonly Finding[];
    readonly about: Request['model'] | null;
    /** Whether that was the text and not files. */
    readonly fromText: boolean;
  };
  /** What the last link asked for and did not get; a sentence each. */
  readonly linkNotes: readonly string[];
  readonly said: string;
  /** Shown for a moment. */
  readonly notice: string;
  /** While the page is printed everything is shown. */
  readonly printing: boolean;
}

export interface Catalogue {
  readonly models: readonly Model[];
  readonly accelerators: readonly Accelerator[];
  readonly systems: readonly System[];
  readonly offers: readonly Offer[];
  /** Kinds this engine knows besides (glossary, rules ...), by their names. */
  readonly further: Readonly<Record<string, readonly Entry[]>>;
}

/** A file of somebody's own entries, or what the page it stands in brought along. */
export interface OverlayFile {
  readonly name: string;
  readonly origin: 'file' | 'page';
  /** As it was given. */
  readonly given: unknown;
  readonly counts: Readonly<Record<string, number>>;
  /** About entries that are left out; pointers into the file. */
  readonly findings: readonly Finding[];
}

export interface Overlays {
  readonly files: readonly OverlayFile[];
  readonly reading: boolean;
  /** The good entries of all files together; null if there are none. */
  readonly merged: Overlay | null;
  /** Which of `files` an entry came from, by "kind:id". */
  readonly origins: ReadonlyMap<string, OverlayFile>;
}

export type EngineStatus = 'starting' | 'ready' | 'failed';

/** The fit tables: their last answer, and whether a newer one is on its way. */
export interface Fit {
  readonly answer: Answer | null;
  readonly running: boolean;
}

/** Published runs; null while they were not asked for. */
export interface Measured {
  readonly runs: readonly MeasuredRun[] | null;
  readonly failed: boolean;
  /** Those nearest to the answered request. */
  readonly nearest: Answer['nearest_measured'] | null;
}

export interface State {
  readonly request: History<Request>;
  readonly ui: Ui;
  readonly savedPage: string;
  /** Address of the page without its fragment; '' for a file, whose path is nobody's business. */
  readonly address: string;
  readonly engine: EngineStatus;
  readonly version: Version | null;
  readonly catalogue: Catalogue;
  readonly overlays: Overlays;
  /** The last answer that came out, with the request it belongs to; `findings` are about the present request. */
  readonly answer: Answer | null;
  readonly answered: Request | null;
  /** The last request the engine has judged, with an answer or without. */
  readonly judged: Request | null;
  readonly findings: readonly Finding[];
  readonly fit: Fit;
  readonly measured: Measured;
}

export const kPage = 50;
export const kList: ListUi = { query: '', filters: {}, sort: '', descending: false, shown: kPage, filtering: false };
export const kStart: Place = { view: 'size', kind: 'models', entry: '' };
export const kTable: TableUi = { query: '', verdict: '', sort: '', descending: false, all: false };

/** `savedPage`: where the site keeps the saved page; '' in the saved page itself. */
export function initialState(request: Request, savedPage: string): State {
  return {
    request: begin(request),
    ui: {
      place: kStart,
      lists: {},
      theme: 'auto',
      drafts: {},
      list: null,
      exactBytes: false,
      explained: new Set(),
      tables: {},
      own: { text: '', reading: false, findings: [], about: null, fromText: true },
      linkNotes: [],
      said: '',
      notice: '',
      printing: false,
    },
    savedPage,
    address: '',
    engine: 'starting',
    version: null,
    catalogue: { models: [], accelerators: [], systems: [], offers: [], further: {} },
    overlays: { files: [], reading: false, merged: null, origins: new Map() },
    answer: null,
    answered: null,
    judged: null,
    findings: [],
    fit: { answer: null, running: false },
    measured: { runs: null, failed: false, nearest: null },
  };
}

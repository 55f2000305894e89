// Changes of the state, as plain functions. Whatever a person does goes through one of them.
import type { Request } from '../contract';
import * as history from './history';
import { same, set } from './pointer';
import { kList, kTable, type ListUi, type OpenList, type Place, type State, type TableUi, type Theme, type Ui } from './state';
import type { Change } from './store';

const withUi = (state: State, ui: Partial<Ui>): State => ({ ...state, ui: { ...state.ui, ...ui } });

function withDraft(state: State, pointer: string, draft: string | null): State {
  const { [pointer]: old, ...others } = state.ui.drafts;
  if ((old ?? null) === draft) return state;
  return withUi(state, { drafts: draft === null ? others : { ...others, [pointer]: draft } });
}

/** Sets the request's value at a pointer; undefined leaves it to the framework. `draft` is the text as typed. */
export const edit =
  (pointer: string, value: unknown, draft: string | null = null): Change =>
  (state) => {
    const request = set(state.request.present, pointer, value);
    const key = draft === null ? null : pointer;
    return withDraft({ ...state, request: history.record(state.request, request, key) }, pointer, draft);
  };

/** Several pointers as one step of the history. */
export const editAll =
  (changes: Readonly<Record<string, unknown>>): Change =>
  (state) => {
    let request: Request = state.request.present;
    for (const [pointer, value] of Object.entries(changes)) request = set(request, pointer, value);
    const cleared = Object.keys(changes).reduce((next, pointer) => withDraft(next, pointer, null), state);
    return { ...cleared, request: history.record(state.request, request, null) };
  };

/** The person left the field: text that was understood is rewritten the page's way, text that was not stays. */
export const leave =
  (pointer: string, understood: boolean): Change =>
  (state) => {
    const closed = { ...state, request: history.close(state.request) };
    return understood ? withDraft(closed, pointer, null) : closed;
  };

const travel =
  (step: (h: history.History<Request>) => history.History<Request>): Change =>
  (state) =>
    withUi({ ...state, request: step(state.request) }, { drafts: {}, list: null });

export const undo = travel(history.undo);
export const redo = travel(history.redo);

/** Another request altogether (a link, a reset); what was there can be undone to. */
export const replace = (request: Request, linkNotes: readonly string[] = []): Change => {
  const go = travel((h) => history.record(h, request, null));
  return (state) => withUi(same(state.request.present, request) ? state : go(state), { linkNotes });
};

export const place =
  (value: Place): Change =>
  (state) =>
    withUi(state, { place: value, list: null });

/** Changes a list of the catalogue. */
export const catalogueList =
  (kind: string, change: Partial<ListUi>): Change =>
  (state) =>
    withUi(state, { lists: { ...state.ui.lists, [kind]: { ...(state.ui.lists[kind] ?? kList), ...change } } });

export const theme =
  (value: Theme): Change =>
  (state) =>
    withUi(state, { theme: value });

export const list =
  (value: OpenList | null): Change =>
  (state) =>
    withUi(state, { list: value });

export const table =
  (id: string, change: Partial<TableUi>): Change =>
  (state) =>
    withUi(state, { tables: { ...state.ui.tables, [id]: { ...(state.ui.tables[id] ?? kTable), ...change } } });

export const own =
  (change: Partial<Ui['own']>): Change =>
  (state) =>
    withUi(state, { own: { ...state.ui.own, ...change } });

export const toggleBytes: Change = (state) => withUi(state, { exactBytes: !state.ui.exactBytes });

export const toggleExplained =
  (id: string): Change =>
  (state) => {
    const explained = new Set(state.ui.explained);
    if (!explained.delete(id)) explained.add(id);
    return withUi(state, { explained });
  };

export const say =
  (said: string): Change =>
  (state) =>
    state.ui.said === said ? state : withUi(state, { said });

export const notice =
  (text: string): Change =>
  (state) =>
    withUi(state, { notice: text });

export const printing =
  (value: boolean): Change =>
  (state) =>
    withUi(state, { printing: value });

export const dismissNotes: Change = (state) => withUi(state, { linkNotes: [] });

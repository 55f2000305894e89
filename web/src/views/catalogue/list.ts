// The list of a kind: search and filters, a table, a page of it at a time, one entry open.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';
import type { Entry } from '../../catalogue';
import type { Context } from '../../fields/context';
import { catalogueList, editAll } from '../../state/actions';
import { get } from '../../state/pointer';
import { kList, kPage, type ListUi } from '../../state/state';
import { c } from '../../strings/catalogue';
import { t } from '../../strings/en';
import { badge, unknown } from './badge';
import { details } from './details';
import { overlayOrigin } from './origin';
import { searchField } from './search';
import { activeFilters, select, type Selection } from './select';
import type { Column, Filter, KindSpec } from './spec';

const targetValue = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;

function filterField<E extends Entry>(
  ctx: Context,
  spec: KindSpec<E>,
  filter: Filter<E>,
  entries: readonly E[],
  ui: ListUi,
): TemplateResult {
  const id = `catalogue-${filter.id}`;
  const value = ui.filters[filter.id] ?? '';
  const set = (event: Event): void =>
    ctx.apply(catalogueList(spec.id, { filters: { ...ui.filters, [filter.id]: targetValue(event) }, shown: kPage }));
  if (filter.choices) {
    const choices = filter.choices(entries, ctx.state);
    return html`<label class="filter"
      >${filter.label}<select id=${id} @change=${set}>
        <option value="" .selected=${live(value === '')}>${c.any}</option>
        ${choices.map(([choice, label]) => html`<option value=${choice} .selected=${live(value === choice)}>${label}</option>`)}
      </select></label
    >`;
  }
  const wrong = value.trim() !== '' && filter.parse?.(value) === undefined;
  return html`<label class="filter"
    >${filter.label}<input
      id=${id}
      type="text"
      inputmode="decimal"
      autocomplete="off"
      .value=${live(value)}
      aria-invalid=${wrong ? 'true' : 'false'}
      aria-describedby=${wrong ? `${id}-wrong` : nothing}
      @input=${set}
    />${wrong ? html`<span class="wrong-number" id=${`${id}-wrong`}>${c.noNumber(value.trim())}</span>` : nothing}</label
  >`;
}

function filters<E extends Entry>(ctx: Context, spec: KindSpec<E>, entries: readonly E[], ui: ListUi): TemplateResult {
  const any = ui.query !== '' || Object.values(ui.filters).some((value) => value !== '');
  const set = activeFilters(spec, ui).length;
  return html`<div class=${ui.filtering ? 'list-filters filtering' : 'list-filters'}>
    ${searchField(ctx, spec.id, ui)}
    <button
      type="button"
      class="small filter-switch"
      aria-expanded=${ui.filtering ? 'true' : 'false'}
      @click=${() => ctx.apply(catalogueList(spec.id, { filtering: !ui.filtering }))}
    >
      ${c.filters(set)}
    </button>
    ${spec.filters.map((filter) => filterField(ctx, spec, filter, entries, ui))}
    <button
      type="button"
      class="small"
      ?disabled=${!any}
      @click=${() => ctx.apply(catalogueList(spec.id, { query: '', filters: {}, shown: kPage }))}
    >
      ${c.clear}
    </button>
  </div>`;
}

function heading<E extends Entry>(ctx: Context, spec: KindSpec<E>, column: Column<E>, ui: ListUi): TemplateResult {
  const look = `${column.numeric ? 'number' : ''} ${column.from ?? ''}`;
  if (!column.by) return html`<th scope="col" class=${look}>${column.label}</th>`;
  const sorted = ui.sort === column.id ? (ui.descending ? 'descending' : 'ascending') : 'none';
  const sort = (): void =>
    ctx.apply(
      catalogueList(spec.id, {
        sort: column.id,
        descending: sorted === 'none' ? (column.numeric ?? false) : sorted === 'ascending',
        shown: kPage,
      }),
    );
  return html`<th scope="col" class=${look} aria-sort=${sorted}>
    <button type="button" class="sort" @click=${sort}>
      ${column.label}<span aria-hidden="true">${sorted === 'ascending' ? ' ▴' : sorted === 'descending' ? ' ▾' : ''}</span>
    </button>
  </th>`;
}

function use<E extends Entry>(ctx: Context, spec: KindSpec<E>, entry: E): void {
  const change = spec.use?.(entry);
  if (!change) return;
  ctx.apply(editAll(change));
  ctx.act.go({ ...ctx.state.ui.place, view: 'size', entry: '' });
  ctx.act.notify(c.used(spec.name(entry)));
}

const inUse = <E extends Entry>(ctx: Context, spec: KindSpec<E>, entry: E): boolean =>
  Object.entries(spec.use?.(entry) ?? {}).every(([pointer, value]) => {
    const present = get(ctx.state.request.present, pointer);
    return present === value || (pointer === '/model' && present === entry.id);
  }) && spec.id !== 'offers';

function rows<E extends Entry>(ctx: Context, spec: KindSpec<E>, entry: E): TemplateResult {
  const { place } = ctx.state.ui;
  const open = place.entry === entry.id;
  const id = `entry-${entry.id}`;
  const name = spec.name(entry);
  const file = overlayOrigin(ctx.state, spec.id, entry.id);
  const [, ...columns] = spec.columns;
  const isModel = spec.id === 'models';
  const usable = spec.use?.(entry) !== undefined;
  const useButton = (label: string, look: string, more: string | typeof nothing): TemplateResult =>
    html`<button type="button" class=${look} aria-label=${more} @click=${() => use(ctx, spec, entry)}>${label}</button>`;
  return html`<tr class=${open ? 'open' : ''}>
      <th scope="row">
        <button
          type="button"
          class="opens"
          id=${id}
          aria-expanded=${open ? 'true' : 'false'}
          aria-controls=${`${id}-details`}
          @click=${() => ctx.act.go({ ...place, entry: open ? '' : entry.id })}
        >
          <span>${name}</span>
        </button>
        <small>${spec.detail(entry, ctx.state)}</small>
        ${usable && inUse(ctx, spec, entry) ? badge('in-use', c.inUse) : nothing} ${file === '' ? nothing : badge('own-entry', file)}
      </th>
      ${columns.map(
        (column) =>
          html`<td class=${`${column.numeric ? 'number' : ''} ${column.from ?? ''}`}>${column.cell(entry, ctx.state) ?? unknown()}</td>`,
      )}
      <td class="use">${usable && !open ? useButton(c.use, 'small', isModel ? c.useModel(name) : c.useOn(name)) : nothing}</td>
    </tr>
    ${
      open
        ? html`<tr class="details-row" id=${`${id}-details`}>
            <td colspan=${spec.columns.length + 1}>
              ${usable ? html`<p class="use-long">${useButton(isModel ? c.useModelLong : c.useOnLong, 'primary', nothing)}</p>` : nothing}
              ${details(ctx, spec.id, entry, name, id)}
            </td>
          </tr>`
        : nothing
    }`;
}

function leftOut<E extends Entry>({ unsure }: Selection<E>): TemplateResult {
  return html`${unsure.map(
    ({ filter, unknown: n, partly }) =>
      html`${n > 0 ? html`<p class="note">${c.leftOut(n, filter.label)}</p>` : nothing}
      ${partly > 0 ? html`<p class="note">${c.partly(partly, filter.label)}</p>` : nothing}`,
  )}`;
}

function table<E extends Entry>(ctx: Context, spec: KindSpec<E>, entries: readonly E[], ui: ListUi): TemplateResult {
  const what = c.kinds[spec.id] ?? spec.id;
  const selection = select(spec, entries, ui, ctx.state);
  const found = selection.entries;
  // The open entry is shown, wherever it stands.
  const open = found.findIndex(({ id }) => id === ctx.state.ui.place.entry);
  const shown = ctx.state.ui.printing ? found : found.slice(0, Math.max(ui.shown, open + 1));
  const rest = found.length - shown.length;
  const asked = [
    ...(ui.query.trim() === '' ? [] : [c.print(ui.query.trim())]),
    ...activeFilters(spec, ui).map(({ filter, value }) => `${filter.label}: ${value}`),
  ];
  return html`<p class="found" role="status">${c.found(found.length, entries.length, what.toLowerCase())}</p>
    <p class="print-only note">${asked.join('; ')}</p>
    ${leftOut(selection)}
    <div class="scroll" role="region" aria-label=${c.table(what)} tabindex="0">
      <table class="entries">
        <caption class="hidden">
          ${what}
        </caption>
        <thead>
          <tr>
            ${spec.columns.map((column) => heading(ctx, spec, column, ui))}
            <th scope="col"><span class="hidden">${c.use}</span></th>
          </tr>
        </thead>
        <tbody>
          ${repeat(
            shown,
            ({ id }) => id,
            (entry) => rows(ctx, spec, entry),
          )}
        </tbody>
      </table>
    </div>
    ${found.length === 0 ? html`<p class="note">${c.none}</p>` : nothing}
    ${
      rest > 0
        ? html`<p class="row more-rows">
            <button type="button" class="small" @click=${() => ctx.apply(catalogueList(spec.id, { shown: shown.length + kPage }))}>
              ${c.moreRows(Math.min(kPage, rest))}
            </button>
            <button type="button" class="small" @click=${() => ctx.apply(catalogueList(spec.id, { shown: found.length }))}>
              ${c.allRows(found.length)}
            </button>
          </p>`
        : nothing
    }`;
}

export function list<E extends Entry>(ctx: Context, spec: KindSpec<E>, entries: readonly E[]): TemplateResult {
  const ui = ctx.state.ui.lists[spec.id] ?? kList;
  if (entries.length === 0) return html`<p class="note">${ctx.state.engine === 'failed' ? t.failed : c.loading}</p>`;
  const { overlays, catalogue, request } = ctx.state;
  const { place, printing } = ctx.state.ui;
  return html`${filters(ctx, spec, entries, ui)}
  ${guard([entries, ui, place, printing, overlays, catalogue, request.present], () => table(ctx, spec, entries, ui))}`;
}

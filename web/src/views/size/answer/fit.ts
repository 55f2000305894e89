// The verdict for every accelerator and every system: searchable, sortable, filtered by verdict.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { Context } from '../../../fields/context';
import { gibUnit, percent } from '../../../format/units';
import { editAll, table as setTable } from '../../../state/actions';
import { kTable, type TableUi } from '../../../state/state';
import { t } from '../../../strings/en';
import { type FitRow, acceleratorRows, systemRows } from './fit-rows';

const kFew = 12;
const kRank: Readonly<Record<string, number>> = { fits: 0, tight: 1, no: 2, unknown: 3 };

const kCompare: Readonly<Record<string, (a: FitRow, b: FitRow) => number>> = {
  name: (a, b) => a.name.localeCompare(b.name),
  memory: (a, b) => (a.memory ?? 0) - (b.memory ?? 0),
  headroom: (a, b) => (a.headroom ?? -Infinity) - (b.headroom ?? -Infinity),
  // The smallest that fits first: what one would buy.
  '': (a, b) => (kRank[a.verdict] ?? 9) - (kRank[b.verdict] ?? 9) || (a.memory ?? 0) - (b.memory ?? 0),
};

function select(rows: readonly FitRow[], ui: TableUi): readonly FitRow[] {
  const words = ui.query.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = rows.filter((row) => (ui.verdict === '' || row.verdict === ui.verdict) && words.every((word) => row.search.includes(word)));
  const compare = kCompare[ui.sort] ?? kCompare[''];
  const sign = ui.descending ? -1 : 1;
  return compare ? kept.sort((a, b) => sign * compare(a, b)) : kept;
}

export const verdictBadge = (verdict: string): TemplateResult =>
  html`<span class=${`badge ${verdict}`}><span class="mark" aria-hidden="true"></span>${t.verdictWord[verdict] ?? verdict}</span>`;

interface Kind {
  readonly id: 'accelerators' | 'systems';
  readonly title: string;
  readonly rows: readonly FitRow[];
}

function heading(ctx: Context, id: string, ui: TableUi, column: string, label: string, numeric: boolean): TemplateResult {
  const sorted = ui.sort === column ? (ui.descending ? 'descending' : 'ascending') : 'none';
  return html`<th scope="col" class=${numeric ? 'number' : ''} aria-sort=${sorted}>
    <button
      type="button"
      class="sort"
      @click=${() => ctx.apply(setTable(id, { sort: column, descending: sorted === 'none' ? numeric : sorted === 'ascending' }))}
    >
      ${label}<span aria-hidden="true">${sorted === 'ascending' ? ' ▴' : sorted === 'descending' ? ' ▾' : ''}</span>
    </button>
  </th>`;
}

function use(ctx: Context, row: FitRow): void {
  ctx.apply(editAll(row.use));
  ctx.act.notify(t.fit.used(row.name));
}

function body(ctx: Context, kind: Kind, ui: TableUi): TemplateResult {
  const rows = select(kind.rows, ui);
  const shown = ui.all || ctx.state.ui.printing ? rows : rows.slice(0, kFew);
  return html`<div class="scroll" role="region" aria-label=${kind.title} tabindex="0">
      <table class="fit">
        <thead>
          <tr>
            ${heading(ctx, kind.id, ui, 'name', t.fit.name, false)}
            <th scope="col">${t.fit.verdict}</th>
            ${heading(ctx, kind.id, ui, 'memory', t.fit.memory, true)} ${heading(ctx, kind.id, ui, 'headroom', t.fit.headroom, true)}
            <th scope="col"><span class="hidden">${t.fit.use}</span></th>
          </tr>
        </thead>
        <tbody>
          ${shown.map(
            (row) =>
              html`<tr>
                <th scope="row">${row.name}${row.detail ? html` <small>${row.detail}</small>` : nothing}</th>
                <td>${verdictBadge(row.verdict)}${row.limit ? html` <small>${row.limit}</small>` : nothing}</td>
                <td class="number">${row.memory === undefined ? '–' : gibUnit(row.memory)}</td>
                <td class="number">${row.headroom === undefined ? '–' : percent(row.headroom)}</td>
                <td>
                  <button type="button" class="small" aria-label=${t.fit.useFor(row.name)} @click=${() => use(ctx, row)}>
                    ${t.fit.use}
                  </button>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${rows.length === 0 ? html`<p class="note">${t.fit.none}</p>` : nothing}
    ${
      rows.length > kFew
        ? html`<button type="button" class="small all" @click=${() => ctx.apply(setTable(kind.id, { all: !ui.all }))}>
            ${ui.all ? t.fit.showFewer : t.fit.showAll(rows.length)}
          </button>`
        : nothing
    }`;
}

function fitTable(ctx: Context, kind: Kind): TemplateResult {
  const ui = ctx.state.ui.tables[kind.id] ?? kTable;
  const count = (verdict: string): number => kind.rows.filter((row) => row.verdict === verdict).length;
  return html`<div class="fit-table" id=${`fit-${kind.id}`}>
    <h4>${kind.title}</h4>
    <p class="note">${t.fit.summary(count('fits'), count('tight'), kind.rows.length)}</p>
    <div class="filters">
      <label
        >${t.fit.query}<input
          type="search"
          id=${`fit-${kind.id}-query`}
          autocomplete="off"
          .value=${live(ui.query)}
          @input=${(event: Event) => ctx.apply(setTable(kind.id, { query: (event.target as HTMLInputElement).value }))}
      /></label>
      <label
        >${t.fit.verdict}<select
          id=${`fit-${kind.id}-verdict`}
          @change=${(event: Event) => ctx.apply(setTable(kind.id, { verdict: (event.target as HTMLSelectElement).value }))}
        >
          <option value="">${t.fit.any}</option>
          ${Object.keys(kRank).map((verdict) => html`<option value=${verdict} .selected=${live(ui.verdict === verdict)}>${t.verdictWord[verdict]}</option>`)}
        </select></label
      >
    </div>
    ${guard([kind.rows, ui, ctx.state.ui.printing], () => body(ctx, kind, ui))}
  </div>`;
}

export function fit(ctx: Context): TemplateResult {
  const { running } = ctx.state.fit;
  return html`<section class="card" aria-labelledby="fit">
    <div class="card-head">
      <h3 id="fit">${t.fit.title}</h3>
      ${running ? html`<span class="note late">${t.fit.running}</span>` : nothing}
    </div>
    <div class="pair">
      ${fitTable(ctx, { id: 'accelerators', title: t.fit.accelerators, rows: acceleratorRows(ctx.state) })}
      ${fitTable(ctx, { id: 'systems', title: t.fit.systems, rows: systemRows(ctx.state) })}
    </div>
  </section>`;
}

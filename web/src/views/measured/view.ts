// The view Measured: what the engine says of published runs, those nearest to the person's own first.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { guard } from 'lit/directives/guard.js';
import { live } from 'lit/directives/live.js';
import type { MeasuredRun } from '../../catalogue';
import { type Dot, scatter } from '../../charts/scatter';
import type { Answer } from '../../contract';
import type { Context } from '../../fields/context';
import { labelOf } from '../../fields/field';
import { exact, gib, percent } from '../../format/units';
import { replace, table as setTable } from '../../state/actions';
import { kTable, type TableUi } from '../../state/state';
import { c } from '../../strings/catalogue';
import { m } from '../../strings/measured';
import { byCounter, type Compared, errorOf, isWithin } from './statistics';

const kFew = 40;
const kId = 'measured';

type Near = NonNullable<Answer['nearest_measured']>[number];

const amount = (bytes: number | undefined): TemplateResult =>
  bytes === undefined
    ? html`<td class="number">${m.table.oom}</td>`
    : html`<td class="number" title=${`${exact(bytes)} B`}>${gib(bytes)} GiB</td>`;

/** The cells measured, predicted, error. */
function compared(run: Compared): TemplateResult {
  const error = errorOf(run);
  return html`${amount(run.measured)} ${amount(run.predicted.expected)}
    <td class="number">
      ${error === null ? '–' : m.signed(error)}${error === null || isWithin(run) ? nothing : html`<small class="outside">${m.table.outside}</small>`}
    </td>`;
}

/** A table that scrolls sideways where it must. */
const wide = (title: string, columns: readonly (TemplateResult | typeof nothing)[], rows: readonly TemplateResult[]): TemplateResult =>
  html`<div class="scroll" role="region" tabindex="0" aria-label=${c.table(title)}>
    <table class="runs">
      <thead>
        <tr>
          ${columns}
        </tr>
      </thead>
      <tbody>
        ${rows}
      </tbody>
    </table>
  </div>`;

const column = (name: string): TemplateResult => html`<th scope="col">${name}</th>`;
const figures = (...names: readonly string[]): readonly TemplateResult[] =>
  names.map((name) => html`<th scope="col" class="number">${name}</th>`);
const kCompared = figures(m.table.measured, m.table.predicted, m.table.error);

function use(ctx: Context, near: Near): void {
  ctx.apply(replace({ ...near.request, schema: 'tunefit.request/1' } as Parameters<typeof replace>[0]));
  ctx.act.go({ ...ctx.state.ui.place, view: 'size', entry: '' });
  ctx.act.notify(m.nearest.used(near.id));
}

function nameOf({ request }: Near): string {
  const { model, recipe } = request as { model: string | { name?: string }; recipe: { method: string } };
  return `${typeof model === 'string' ? model : (model.name ?? '')}, ${recipe.method}`;
}

function nearest(ctx: Context): TemplateResult {
  const { nearest: near } = ctx.state.measured;
  const rows = (near ?? []).map(
    (run) =>
      html`<tr>
        <th scope="row">
          ${nameOf(run)}<small>${run.source}, ${run.id}</small>
          <small
            >${m.nearest.differs}:
            ${run.differs_in.length === 0 ? m.nearest.same : run.differs_in.map((pointer) => labelOf(pointer).toLowerCase()).join(', ')}</small
          >
        </th>
        ${compared(run)}
        <td>
          <button type="button" class="small" aria-label=${m.nearest.useLong(run.id)} @click=${() => use(ctx, run)}>
            ${m.nearest.use}
          </button>
        </td>
      </tr>`,
  );
  return html`<section class="card" aria-labelledby="nearest-title">
    <h2 id="nearest-title">${m.nearest.heading}</h2>
    ${
      near === null
        ? html`<p class="note">${m.nearest.waiting}</p>`
        : rows.length === 0
          ? html`<p class="note">${m.nearest.none}</p>`
          : wide(m.nearest.heading, [column(m.table.run), ...kCompared, html`<td></td>`], rows)
    }
  </section>`;
}

function classes(runs: readonly MeasuredRun[]): TemplateResult {
  return html`<section class="card" aria-labelledby="classes-title">
    <h2 id="classes-title">${m.classes.heading}</h2>
    ${wide(
      m.classes.heading,
      [column(m.classes.counter), ...figures(m.classes.n, m.classes.median, m.classes.p90, m.classes.under, m.classes.within)],
      byCounter(runs).map(
        ({ counter, n, median, p90, under, within }) =>
          html`<tr class=${counter === '' ? 'total' : ''}>
            <th scope="row">${counter === '' ? m.classes.all : (m.counters[counter] ?? counter)}</th>
            <td class="number">${n}</td>
            ${[median, p90, under].map((share) => html`<td class="number">${(share * 100).toFixed(1)} %</td>`)}
            <td class="number">${percent(within)}</td>
          </tr>`,
      ),
    )}
    <p class="note">${m.classes.note}</p>
  </section>`;
}

const textOf = (run: MeasuredRun): string =>
  `${run.model} ${run.method} ${run.framework} ${run.counter} ${run.family} ${run.source} ${run.id}`.toLowerCase();

function all(ctx: Context, runs: readonly MeasuredRun[], ui: TableUi): TemplateResult {
  const words = ui.query.toLowerCase().split(/\s+/).filter(Boolean);
  const kept = runs.filter((run) => words.every((word) => textOf(run).includes(word)));
  const shown = ui.all ? kept : kept.slice(0, kFew);
  return html`<section class="card" aria-labelledby="runs-title">
    <h2 id="runs-title">${m.table.heading}</h2>
    <label
      ><span>${m.table.search}</span
      ><input
        type="search"
        placeholder=${m.table.searchFor}
        .value=${live(ui.query)}
        @input=${(event: Event) => ctx.apply(setTable(kId, { query: (event.target as HTMLInputElement).value }))}
    /></label>
    <p class="note" role="status">${kept.length === 0 ? m.table.none : m.table.found(kept.length, runs.length)}</p>
    ${wide(
      m.table.heading,
      [column(m.table.run), column(m.table.counter), ...kCompared],
      shown.map(
        (run) =>
          html`<tr>
            <th scope="row">
              ${run.model}<small>${run.method}, ${run.framework}, ${m.table.quality(run.quality)}</small
              ><small>${run.source}, ${run.id}</small>
            </th>
            <td>${run.counter}</td>
            ${compared(run)}
          </tr>`,
      ),
    )}
    ${
      shown.length < kept.length
        ? html`<button type="button" class="all" @click=${() => ctx.apply(setTable(kId, { all: true }))}>
            ${m.table.more(kept.length)}
          </button>`
        : nothing
    }
  </section>`;
}

function summary(runs: readonly MeasuredRun[]): TemplateResult {
  const oom = runs.filter((run) => run.oom);
  return html`<p class="note">${m.summary(runs.length - oom.length, oom.length, oom.filter((run) => run.verdict !== 'fits').length)}</p>`;
}

function plot(runs: readonly MeasuredRun[], near: readonly Near[]): TemplateResult {
  const names = new Set(near.map(({ id }) => id));
  const dots: Dot[] = runs.flatMap(({ id, counter, measured, predicted, model, method }) =>
    measured === undefined
      ? []
      : [{ id, counter, measured, predicted: predicted.expected, title: `${model}, ${method}`, near: names.has(id) }],
  );
  return html`<section class="card" aria-labelledby="plot-title">
    <h2 id="plot-title">${m.plot.heading}</h2>
    ${scatter(dots)}
  </section>`;
}

export function measuredView(ctx: Context): TemplateResult {
  const { runs, failed, nearest: near } = ctx.state.measured;
  if (!runs) return html`<section class="card" id="measured" tabindex="-1"><p role="status">${failed ? m.failed : m.running}</p></section>`;
  const ui = ctx.state.ui.tables[kId] ?? kTable;
  return html`<div class="measured" id="measured" tabindex="-1">
    ${guard([runs], () => summary(runs))} ${nearest(ctx)} ${guard([runs, near], () => plot(runs, near ?? []))}
    ${guard([runs], () => classes(runs))} ${guard([runs, ui], () => all(ctx, runs, ui))}
  </div>`;
}

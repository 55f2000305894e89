// Memory by phase: the chart and the same numbers in a table.
import { html, type TemplateResult } from 'lit/html.js';
import { inOrder } from '../../../charts/palette';
import { timelineChart } from '../../../charts/timeline';
import type { Memory } from '../../../contract';
import type { Context } from '../../../fields/context';
import { t } from '../../../strings/en';
import { swatch } from './breakdown';
import { bytes } from './figure';

export function timeline(ctx: Context, memory: Memory): TemplateResult {
  const columns = memory.timeline;
  const items = inOrder([...new Set(columns.flatMap((column) => column.items.map(({ item }) => item)))].map((item) => ({ item })));
  return html`<section class="card" aria-labelledby="timeline">
    <h3 id="timeline">${t.timeline.title}</h3>
    ${timelineChart(columns, memory.binding_phase, memory.capacity_bytes)}
    <ul class="legend" aria-hidden="true">
      ${items.map(({ item }) => html`<li>${swatch(item)}${t.item(item)}</li>`)}
    </ul>
    <details class="numbers">
      <summary>${t.timeline.table}</summary>
      <div class="scroll" role="region" aria-label=${t.timeline.table} tabindex="0">
        <table class="matrix">
          <thead>
            <tr>
              <th scope="col">${t.breakdown.item}</th>
              ${columns.map((column) => html`<th scope="col" class="number">${t.phases[column.phase] ?? column.phase}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${items.map(
              ({ item }) =>
                html`<tr>
                  <th scope="row">${swatch(item)}${t.item(item)}</th>
                  ${columns.map((column) => {
                    const value = column.items.find((one) => one.item === item)?.bytes ?? 0;
                    return html`<td class="number">${value > 0 ? bytes(ctx, value) : '–'}</td>`;
                  })}
                </tr>`,
            )}
            <tr class="total">
              <th scope="row">${t.breakdown.total}</th>
              ${columns.map((column) => html`<td class="number">${bytes(ctx, column.bytes)}</td>`)}
            </tr>
          </tbody>
        </table>
      </div>
    </details>
  </section>`;
}

// What the peak consists of: a table whose rows open to formula, inputs and source.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { inOrder, part } from '../../../charts/palette';
import type { Answer, Memory } from '../../../contract';
import type { Context } from '../../../fields/context';
import { percent } from '../../../format/units';
import { toggleBytes, toggleExplained } from '../../../state/actions';
import { t } from '../../../strings/en';
import { explanation } from './explain';
import { bytes } from './figure';

export const swatch = (item: string): TemplateResult =>
  html`<svg class="swatch" width="16" height="16" aria-hidden="true">${part(item, { x: 0, y: 0, width: 16, height: 16 }, '')}</svg>`;

interface Row {
  readonly item: string;
  readonly label: string;
  readonly bytes: number;
  readonly explain?: string | undefined;
}

function row(ctx: Context, answer: Answer, total: number, { item, label, bytes: value, explain }: Row): TemplateResult {
  const open = ctx.state.ui.explained.has(item);
  const id = `explain-${item.replaceAll('.', '-')}`;
  return html`<tr>
      <th scope="row">
        <button
          type="button"
          class="opens"
          aria-expanded=${open ? 'true' : 'false'}
          aria-controls=${id}
          @click=${() => ctx.apply(toggleExplained(item))}
        >
          ${item === 'allocated' ? nothing : swatch(item)}<span>${label}</span>
        </button>
      </th>
      <td class="number">${bytes(ctx, value)}</td>
      <td class="number">${percent(value / total)}</td>
    </tr>
    <tr id=${id} class="explain" ?hidden=${!open}>
      <td colspan="3">${explanation(answer.explain?.[explain ?? ''])}</td>
    </tr>`;
}

export function breakdown(ctx: Context, answer: Answer, memory: Memory): TemplateResult {
  const { allocated, reserved, device } = memory.peak;
  const items = inOrder(memory.breakdown).filter((one) => one.bytes > 0);
  const explained = (key: string): string | undefined => (answer.explain?.[key] ? key : undefined);
  return html`<section class="card" aria-labelledby="breakdown">
    <div class="card-head">
      <h3 id="breakdown">${t.breakdown.title}</h3>
      <label class="switch"
        ><input
          type="checkbox"
          .checked=${live(ctx.state.ui.exactBytes)}
          @change=${() => ctx.apply(toggleBytes)}
        />${t.breakdown.exact}</label
      >
    </div>
    <table class="breakdown">
      <caption>
        ${t.breakdown.caption(t.phases[memory.binding_phase] ?? memory.binding_phase)}
      </caption>
      <thead>
        <tr>
          <th scope="col">${t.breakdown.item}</th>
          <th scope="col" class="number">${t.breakdown.bytes}</th>
          <th scope="col" class="number">${t.breakdown.share}</th>
        </tr>
      </thead>
      <tbody>
        ${items.map((one) => row(ctx, answer, device.expected, { ...one, label: t.item(one.item) }))}
      </tbody>
      <tbody class="sums">
        ${row(ctx, answer, device.expected, { item: 'allocated', label: t.peak.allocated, bytes: allocated.expected, explain: explained('m.allocated') })}
        ${
          reserved.expected > allocated.expected
            ? row(ctx, answer, device.expected, {
                item: 'cached',
                label: t.item('cached'),
                bytes: reserved.expected - allocated.expected,
                explain: explained('m.reserved'),
              })
            : nothing
        }
        ${row(ctx, answer, device.expected, { item: 'context', label: t.item('context'), bytes: device.expected - reserved.expected, explain: explained('m.device') })}
        <tr class="total">
          <th scope="row">${t.breakdown.device}</th>
          <td class="number">${bytes(ctx, device.expected)}</td>
          <td class="number">${percent(1)}</td>
        </tr>
      </tbody>
    </table>
  </section>`;
}

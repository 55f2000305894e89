// A number of bytes: GiB to read, the exact count on hover or by the switch.
import { html, type TemplateResult } from 'lit/html.js';
import type { Interval } from '../../../contract';
import type { Context } from '../../../fields/context';
import { exact, gib, gibUnit } from '../../../format/units';
import { t } from '../../../strings/en';

export const bytes = (ctx: Context, value: number): TemplateResult =>
  ctx.state.ui.exactBytes
    ? html`<data value=${value}>${exact(value)}</data>`
    : html`<data value=${value} title=${t.exactly(exact(value))}>${gibUnit(value)}</data>`;

export const interval = (ctx: Context, value: Interval): TemplateResult =>
  ctx.state.ui.exactBytes
    ? html`<span class="interval">${t.interval(`${exact(Math.round(value.low))} – ${exact(Math.round(value.high))}`)}</span>`
    : html`<span class="interval" title=${t.intervalWhy}>${t.interval(`${gib(value.low)} – ${gibUnit(value.high)}`)}</span>`;

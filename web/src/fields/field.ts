// The frame of every field: label, where the value comes from, help, what is wrong.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { edit } from '../state/actions';
import { t } from '../strings/en';
import { type Context, factsOf, findingsAt, idOf, type Shown } from './context';

export interface FieldOptions {
  readonly pointer: string;
  readonly label?: string;
  /** Label above the control instead of beside it. */
  readonly stacked?: boolean;
  /** What was understood of the text, shown with the control. */
  readonly note?: string;
  /** Unset leaves it to the framework; false where the page must have a value. */
  readonly unsettable?: boolean;
  /** Of many choices, those that stand side by side; the rest are in a list below. */
  readonly first?: readonly string[];
}

export const labelOf = (pointer: string): string =>
  pointer === '' ? t.wholeAnswer : (factsOf(pointer).title ?? pointer.slice(pointer.lastIndexOf('/') + 1));

/** Attributes that tie a control to its help and to what is wrong with it. */
export function describedBy(ctx: Context, pointer: string): string {
  const id = idOf(pointer);
  const wrong = findingsAt(ctx.state, pointer).length > 0 ? ` ${id}-wrong` : '';
  return `${id}-note${wrong}`;
}

export const invalid = (ctx: Context, pointer: string): 'true' | 'false' =>
  findingsAt(ctx.state, pointer).some((finding) => finding.severity === 'error') ? 'true' : 'false';

export const help = (pointer: string, label: string): TemplateResult | typeof nothing => {
  const text = factsOf(pointer).description;
  if (!text) return nothing;
  return html`<details class="help">
    <summary aria-label=${t.about(label)}><span aria-hidden="true">?</span></summary>
    <p>${text}</p>
  </details>`;
};

/** Whether the value is the framework's, and the way back to that. */
export const origin = (ctx: Context, pointer: string, { origin, because }: Shown): TemplateResult | typeof nothing => {
  if (origin === 'assumed') return html`<span class="origin" title=${because}>${t.default}</span>`;
  if (origin === 'open') return html`<span class="origin">${t.default}</span>`;
  return html`<button
    type="button"
    class="origin"
    aria-label=${t.useDefaultFor(labelOf(pointer))}
    @click=${() => ctx.apply(edit(pointer, undefined))}
  >
    ${t.useDefault}
  </button>`;
};

/** What is wrong with a field, beside it. */
export const wrong = (ctx: Context, pointer: string): TemplateResult => {
  const findings = findingsAt(ctx.state, pointer);
  return html`<div id=${`${idOf(pointer)}-wrong`} class="wrong">
    ${findings.map((finding) => html`<p class=${finding.severity}>${finding.message} ${finding.hint}</p>`)}
  </div>`;
};

export function field(
  ctx: Context,
  options: FieldOptions,
  control: TemplateResult,
  source: TemplateResult | typeof nothing = nothing,
): TemplateResult {
  const { pointer, label = labelOf(pointer), stacked = false, note = '' } = options;
  const id = idOf(pointer);
  return html`<div class=${stacked ? 'field stacked' : 'field'}>
    <div class="field-head"><label for=${id}>${label}</label>${help(pointer, label)}</div>
    <div class="field-body">
      ${control}
      <p class="note" id=${`${id}-note`}>${note}</p>
      ${source}
    </div>
    ${wrong(ctx, pointer)}
  </div>`;
}

// What is wrong, what is worth knowing, what of a link was ignored: each with a way to the field it names.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Finding } from '../../../contract';
import { type Context, idOf } from '../../../fields/context';
import { labelOf } from '../../../fields/field';
import { dismissNotes } from '../../../state/actions';
import { nearest } from '../../../state/pointer';
import { t } from '../../../strings/en';
import { kPointers } from '../groups';

const known: ReadonlySet<string> = new Set(kPointers);

function line(ctx: Context, finding: Finding): TemplateResult {
  const pointer = nearest(finding.pointer, known);
  const text = html`${finding.message} <span class="hint">${finding.hint}</span>`;
  if (!pointer) return html`<li>${text}</li>`;
  return html`<li>
    <button type="button" class="link" @click=${() => ctx.act.focus(idOf(pointer))}>${t.goTo(labelOf(pointer))}</button> ${text}
  </li>`;
}

const list = (ctx: Context, kind: string, title: string, findings: readonly Finding[]): TemplateResult | typeof nothing =>
  findings.length === 0
    ? nothing
    : html`<section class=${`card problems ${kind}`} aria-labelledby=${`problems-${kind}`}>
        <h3 id=${`problems-${kind}`}><span class="mark" aria-hidden="true"></span>${title}</h3>
        <ul>
          ${findings.map((finding) => line(ctx, finding))}
        </ul>
      </section>`;

export function problems(ctx: Context): TemplateResult {
  const { findings, answer, ui } = ctx.state;
  return html`${
    ui.linkNotes.length === 0
      ? nothing
      : html`<section class="card problems notes" aria-labelledby="problems-link">
          <h3 id="problems-link">${t.ignored}</h3>
          <ul>
            ${ui.linkNotes.map((note) => html`<li>${note}</li>`)}
          </ul>
          <button type="button" class="small" @click=${() => ctx.apply(dismissNotes)}>${t.dismiss}</button>
        </section>`
  }
  ${list(
    ctx,
    'error',
    answer ? t.stale : t.wrongHere,
    findings.filter((finding) => finding.severity === 'error'),
  )}`;
}

export const warnings = (ctx: Context): TemplateResult | typeof nothing =>
  list(
    ctx,
    'warning',
    t.warnings,
    ctx.state.findings.filter((finding) => finding.severity === 'warning'),
  );

// The view Size: the run at the left, the answer at the right.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Context } from '../../fields/context';
import { t } from '../../strings/en';
import { assumptions, inputs } from './answer/assumptions';
import { breakdown } from './answer/breakdown';
import { fit, verdictBadge } from './answer/fit';
import { habits } from './answer/habits';
import { problems, warnings } from './answer/problems';
import { timeline } from './answer/timeline';
import { peaks, verdict, verdictOf } from './answer/verdict';
import { form } from './form/form';

function waiting(ctx: Context): TemplateResult {
  const { engine, findings } = ctx.state;
  return html`<section class="card verdict waiting" aria-labelledby="verdict">
    <h3 id="verdict">${engine === 'failed' ? t.failed : findings.length > 0 ? t.noAnswer : t.starting}</h3>
    <p class="sentence">${engine === 'failed' ? t.failedHint : ''}</p>
  </section>`;
}

const isStale = (ctx: Context): string => (ctx.state.findings.some((finding) => finding.severity === 'error') ? ' stale' : '');

function answer(ctx: Context): TemplateResult {
  const { answer } = ctx.state;
  const memory = answer?.memory;
  if (!answer || !memory) return html`${problems(ctx)} ${waiting(ctx)}`;
  return html`${problems(ctx)}
    <div class=${`results${isStale(ctx)}`}>
      ${verdict(ctx, answer, memory)} ${inputs(ctx)} ${warnings(ctx)} ${peaks(ctx, memory)} ${timeline(ctx, memory)}
      ${breakdown(ctx, answer, memory)}
    </div>`;
}

/** What a phone shows at the lower edge while the form is in view. */
function glance(ctx: Context): TemplateResult | typeof nothing {
  const memory = ctx.state.answer?.memory;
  if (!memory) return nothing;
  return html`<button type="button" class="glance" @click=${() => ctx.act.focus('answer')}>
    ${verdictBadge(verdictOf(memory))}<span>${t.glance(memory.peak.device.expected, memory.capacity_bytes)}</span
    ><span class="more">${t.seeAnswer}</span>
  </button>`;
}

export function sizeView(ctx: Context): TemplateResult {
  const { answer: last } = ctx.state;
  return html`<div class="columns">
      <section class="run" aria-labelledby="run">
        <h2 id="run">${t.yourRun}</h2>
        ${form(ctx)}
      </section>
      <section
        class="answer"
        id="answer"
        tabindex="-1"
        aria-labelledby="answer-title"
        data-judged=${ctx.state.judged === ctx.state.request.present}
      >
        <h2 id="answer-title">${t.answer}</h2>
        ${answer(ctx)}
      </section>
    </div>
    ${
      last
        ? html`<section class="further" aria-labelledby="further">
            <h2 id="further">${t.further}</h2>
            <div class=${`results${isStale(ctx)}`}>${fit(ctx)} ${assumptions(last)} ${habits(last)}</div>
          </section>`
        : nothing
    }
    ${glance(ctx)}`;
}

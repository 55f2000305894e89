// Formula, inputs and source of a figure.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Answer } from '../../../contract';
import { writeValue } from '../../../fields/number';
import { t } from '../../../strings/en';

type Explanation = NonNullable<Answer['explain']>[string];

export function explanation(explain: Explanation | undefined): TemplateResult {
  if (!explain) return html`<p class="note">${t.explain.none}</p>`;
  const inputs = Object.entries(explain.inputs);
  return html`<dl class="explanation">
    <dt>${t.explain.formula}</dt>
    <dd><code>${explain.formula}</code></dd>
    ${
      inputs.length === 0
        ? nothing
        : html`<dt>${t.explain.inputs}</dt>
            <dd>
              <ul class="inputs">
                ${inputs.map(([name, value]) => html`<li><code>${name}</code> = ${writeValue(value)}</li>`)}
              </ul>
            </dd>`
    }
    ${
      explain.source
        ? html`<dt>${t.explain.source}</dt>
            <dd>${explain.source}</dd>`
        : nothing
    }
  </dl>`;
}

// Where the model's dimensions come from, and how far the answer can be trusted for that.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Answer } from '../../../contract';
import { t } from '../../../strings/en';

const kSizePointers: readonly string[] = ['/model/parameters', '/model/safetensors_index'];

export function basis({ model, findings, assumptions }: Answer): TemplateResult {
  const isGeneric = findings.some(({ code }) => code === 'generic_reading');
  const isRough = isGeneric || model.basis === 'size_only';
  const shape = model.basis === 'size_only' ? assumptions.find(({ pointer }) => kSizePointers.includes(pointer))?.because : undefined;
  return html`<p class="note basis">
    ${isRough ? html`<span class="badge">${t.rough}</span> ` : nothing}${t.basis[isGeneric ? 'generic' : model.basis] ?? model.basis}
    ${shape ? `${shape}.` : nothing}
  </p>`;
}

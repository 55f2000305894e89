// What was left open and taken for it, with the reason; and for print, what was entered.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Answer } from '../../../contract';
import type { Context } from '../../../fields/context';
import { factsOf } from '../../../fields/context';
import { labelOf } from '../../../fields/field';
import { writeNumber } from '../../../fields/number';
import { get } from '../../../state/pointer';
import { t } from '../../../strings/en';
import { kPointers } from '../groups';
import { ownName } from '../form/model';
import { linkOf } from '../link';

/** A value of the request in words. */
export function inWords(pointer: string, value: unknown): string {
  if (value === null || value === undefined) return t.nothing;
  if (typeof value === 'boolean') return value ? t.yes : t.no;
  if (typeof value === 'number') return writeNumber(value);
  if (Array.isArray(value)) return value.length === 0 ? t.nothing : value.map((item) => inWords('', item)).join(', ');
  if (typeof value === 'string') return factsOf(pointer).choices?.find(([choice]) => choice === value)?.[1] ?? value;
  return Object.entries(value)
    .map(([name, part]) => `${name} ${inWords('', part)}`)
    .join(', ');
}

export function assumptions(answer: Answer): TemplateResult | typeof nothing {
  if (answer.assumptions.length === 0) return nothing;
  return html`<details class="card">
    <summary>
      <h3>${t.assumptions.title}</h3>
      <span>${t.assumptions.lead(answer.assumptions.length)}</span>
    </summary>
    <table class="assumptions">
      <thead>
        <tr>
          <th scope="col">${t.assumptions.setting}</th>
          <th scope="col">${t.assumptions.value}</th>
          <th scope="col">${t.assumptions.because}</th>
        </tr>
      </thead>
      <tbody>
        ${answer.assumptions.map(
          ({ pointer, value, because, source }) =>
            html`<tr>
              <th scope="row">${labelOf(pointer)}</th>
              <td>${inWords(pointer, value)}</td>
              <td>${because}${source ? html` <small>${source}</small>` : nothing}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

/** For print only. The customer's own config is named, not printed. */
export function inputs({ state }: Context): TemplateResult {
  const { request, version, address } = state;
  const rows = kPointers
    .map((pointer) => [pointer, get(request.present, pointer)] as const)
    .filter(([, value]) => value !== undefined)
    .map(([pointer, value]) => [
      labelOf(pointer),
      pointer === '/model' && typeof value === 'object' ? ownName({ ...value, name: '' }) : inWords(pointer, value),
    ]);
  return html`<section class="card print-only inputs-entered">
    <h3>${t.inputs.title}</h3>
    <table class="assumptions">
      <tbody>
        ${rows.map(
          ([label, value]) =>
            html`<tr>
              <th scope="row">${label}</th>
              <td>${value}</td>
            </tr>`,
        )}
      </tbody>
    </table>
    <p class="provenance">${version ? t.footer.versions(version.engine_version, version.catalogue.version, version.catalogue.date) : ''}</p>
    ${address === '' ? nothing : html`<p class="provenance">${address}${linkOf(state)}</p>`}
  </section>`;
}

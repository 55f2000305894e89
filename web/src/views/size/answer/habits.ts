// What the training code does that nobody sets, with the line it was read from.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Answer } from '../../../contract';
import { t } from '../../../strings/en';
import { inWords } from './assumptions';

export function habits({ framework }: Answer): TemplateResult | typeof nothing {
  if (framework.habits.length === 0) return nothing;
  const versions = Object.entries(framework.versions)
    .map(([name, version]) => `${name} ${version}`)
    .join(', ');
  return html`<details class="card">
    <summary>
      <h3>${t.habits.title}</h3>
      <span>${versions}</span>
    </summary>
    <table class="assumptions">
      <thead>
        <tr>
          <th scope="col">${t.habits.habit}</th>
          <th scope="col">${t.assumptions.value}</th>
          <th scope="col">${t.explain.source}</th>
        </tr>
      </thead>
      <tbody>
        ${framework.habits.map(
          ({ habit, value, source }) =>
            html`<tr>
              <th scope="row">${t.words(habit)}</th>
              <td>${inWords('', value)}</td>
              <td>${source ?? t.habits.usual}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`;
}

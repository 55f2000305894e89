// An opened entry: its licence, every figure with where it is from, its sources.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Entry, Licence } from '../../catalogue';
import type { Context } from '../../fields/context';
import { c } from '../../strings/catalogue';
import { badge, unknown } from './badge';
import { type Section, sectionsOf } from './figures';
import { type Origin, overlayOrigin, sourcesOf } from './origin';
import { sourceText } from './source';

const origin = ({ text, unchecked }: Origin): TemplateResult | typeof nothing =>
  text === '' ? nothing : html`<small class=${unchecked ? 'from unchecked' : 'from'}>${sourceText(text)}</small>`;

function section(id: string, { id: name, figures }: Section): TemplateResult {
  return html`<section aria-labelledby=${`${id}-${name}`}>
    <h3 id=${`${id}-${name}`}>${c.sections[name]}</h3>
    <table class="facts">
      <tbody>
        ${figures.map(
          (figure) =>
            html`<tr>
              <th scope="row">${figure.label}${figure.meaning === '' ? nothing : html` <small>${figure.meaning}</small>`}</th>
              <td>${figure.value ?? unknown()} ${origin(figure.origin)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </section>`;
}

const listed = (list: readonly string[] | undefined, label: string): TemplateResult | typeof nothing =>
  list === undefined || list.length === 0
    ? nothing
    : html`<ul class="sources" aria-label=${label}>
        ${list.map((one) => html`<li>${sourceText(one)}</li>`)}
      </ul>`;

const basisLine = (what: string, basis: string | undefined, note: string | undefined): TemplateResult =>
  html`<p class=${basis === 'memory' ? 'from unchecked' : 'from'}>
    ${what}: ${[c.licenceBasis[basis ?? ''] ?? c.unknown, note].filter(Boolean).join('; ')}
  </p>`;

function licence(id: string, given: Licence, file: string): TemplateResult {
  const { class: kind = '', mind = [], link = '', terms } = given;
  return html`<section class="licence" aria-labelledby=${`${id}-licence`}>
    <h3 id=${`${id}-licence`}>${c.sections.licence}</h3>
    <p>${given.name ?? given.id ?? c.unknown} ${kind === '' ? nothing : badge(`licence-${kind}`, c.licenceClass[kind] ?? kind)}</p>
    <p>${c.licenceMind[kind] ?? ''}</p>
    ${
      mind.length === 0
        ? nothing
        : html`<ul class="mind" aria-label=${c.mind}>
            ${mind.map((one) => html`<li>${one}</li>`)}
          </ul>`
    }
    ${link === '' ? nothing : html`<p class="from">${c.licenceText}: ${sourceText(link)}</p>`}
    ${terms === undefined ? nothing : html`${basisLine(c.termsFrom, terms.basis, terms.note)} ${listed(terms.sources, c.termsFrom)}`}
    ${basisLine(file === '' ? c.licenceFrom : file, given.basis, given.note)} ${listed(given.sources, c.licenceFrom)}
  </section>`;
}

function sources(entry: Entry, id: string, name: string): TemplateResult {
  const list = sourcesOf(entry);
  const note = typeof entry['basis_note'] === 'string' ? entry['basis_note'] : '';
  return html`<section class="all-sources" aria-labelledby=${`${id}-sources`}>
    <h3 id=${`${id}-sources`}>${c.sources}</h3>
    ${note === '' ? nothing : html`<p class="note">${note}</p>`}
    ${
      list.length === 0
        ? html`<p class="note">${c.noSources}</p>`
        : html`<ol class="sources" aria-label=${c.sourcesOf(name)}>
            ${list.map((source) => html`<li>${sourceText(source)}</li>`)}
          </ol>`
    }
  </section>`;
}

export function details(ctx: Context, kind: string, entry: Entry, name: string, id: string): TemplateResult {
  const given = entry['licence'] as Licence | undefined;
  const file = overlayOrigin(ctx.state, kind, entry.id);
  const parts = sectionsOf(ctx.state, kind, entry);
  return html`<div class="details">
    ${file === '' ? nothing : html`<p class="origin-file">${badge('own-entry', file)}</p>`}
    <div class="sections">
      ${kind === 'models' && given ? licence(id, given, file) : nothing} ${parts.map((part) => section(id, part))}
      ${sources(entry, id, name)}
    </div>
  </div>`;
}

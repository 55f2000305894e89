// Kinds that are read rather than compared: glossary, rules of thumb.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Entry } from '../../catalogue';
import type { Context } from '../../fields/context';
import { kList } from '../../state/state';
import { c } from '../../strings/catalogue';
import { t } from '../../strings/en';
import { placeLink } from './links';
import { searchField } from './search';
import { sourceText } from './source';
import { valueText } from './value';

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);

function see(ctx: Context, entry: Entry): TemplateResult | typeof nothing {
  const terms = ctx.state.catalogue.further['glossary'] ?? [];
  const found = list(entry['see']).flatMap((id) => terms.filter((term) => term.id === id));
  if (found.length === 0) return nothing;
  return html`<p class="note">
    ${c.glossary.see}:
    ${found.map((term, index) => html`${index > 0 ? ', ' : ''}${placeLink(ctx, { view: 'catalogue', kind: 'glossary', entry: term.id }, text(term['term']))}`)}
  </p>`;
}

const source = (entry: Entry, member: string): TemplateResult | typeof nothing => {
  const given = text(entry[member]);
  return given === '' ? nothing : html`<p class="from">${c.glossary.source}: ${sourceText(given)}</p>`;
};

const term = (ctx: Context, entry: Entry): TemplateResult =>
  html`<h3>${text(entry['term'])}</h3>
    ${list(entry['aliases']).length === 0 ? nothing : html`<p class="note">${c.glossary.alias} ${list(entry['aliases']).join(', ')}</p>`}
    <p>${text(entry['text'])}</p>
    ${see(ctx, entry)} ${source(entry, 'source')}`;

const rule = (ctx: Context, entry: Entry): TemplateResult =>
  html`<h3>${text(entry['rule'])}</h3>
    ${source(entry, 'source')}
    <dl>
      <dt>${c.rules.holds}</dt>
      <dd>${text(entry['holds'])}</dd>
      <dt>${c.rules.misleads}</dt>
      <dd>${text(entry['misleads'])} ${source(entry, 'misleads_source')}</dd>
    </dl>
    ${see(ctx, entry)}`;

// A kind nobody has written for yet: its members by name.
const kTitle = ['name', 'term', 'title', 'rule', 'id'];
function plain(_ctx: Context, entry: Entry): TemplateResult {
  const title = kTitle.find((member) => text(entry[member]) !== '') ?? 'id';
  const members = Object.entries(entry).filter(([name]) => name !== title && name !== 'id' && name !== 'sources');
  return html`<h3>${text(entry[title])}</h3>
    <dl>
      ${members.map(
        ([name, value]) =>
          html`<dt>${t.words(name)}</dt>
            <dd>${sourceText(valueText(name, value))}</dd>`,
      )}
    </dl>
    ${list(entry['sources']).map((one) => html`<p class="from">${sourceText(one)}</p>`)}`;
}

const kArticles: Readonly<Record<string, (ctx: Context, entry: Entry) => TemplateResult>> = { glossary: term, rules: rule };

export function articles(ctx: Context, kind: string, entries: readonly Entry[]): TemplateResult {
  const ui = ctx.state.ui.lists[kind] ?? kList;
  const words = ui.query.toLowerCase().split(/\s+/).filter(Boolean);
  const open = ctx.state.ui.place.entry;
  const order = kind === 'glossary' ? entries.toSorted((a, b) => text(a['term']).localeCompare(text(b['term']))) : entries;
  const shown = order.filter((entry) => {
    const all = JSON.stringify(entry).toLowerCase();
    return words.every((word) => all.includes(word));
  });
  const write = kArticles[kind] ?? plain;
  return html`<div class="list-filters">${searchField(ctx, kind, ui)}</div>
    <p class="found" role="status">${c.found(shown.length, entries.length, c.nouns[kind] ?? (c.kinds[kind] ?? kind).toLowerCase())}</p>
    ${shown.length === 0 ? html`<p class="note">${c.none}</p>` : nothing}
    <div class="articles">
      ${shown.map(
        (entry) =>
          html`<article id=${`entry-${entry.id}`} class=${entry.id === open ? 'open' : ''} tabindex="-1">${write(ctx, entry)}</article>`,
      )}
    </div>`;
}

// The view Catalogue: a kind at a time, and the customer's own entries.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Entry } from '../../catalogue';
import type { Context } from '../../fields/context';
import type { Catalogue } from '../../state/state';
import { c } from '../../strings/catalogue';
import { count } from '../../format/units';
import { articles } from './articles';
import { accelerators, offers, systems } from './hardware';
import { placeLink } from './links';
import { list } from './list';
import { models } from './models';
import { overlayCard } from './overlay';

const kLists = ['models', 'accelerators', 'systems', 'offers'];

const entriesOf = (catalogue: Catalogue, kind: string): readonly Entry[] =>
  kLists.includes(kind) ? catalogue[kind as 'models' | 'accelerators' | 'systems' | 'offers'] : (catalogue.further[kind] ?? []);

function kinds(ctx: Context, all: readonly string[], current: string): TemplateResult {
  const { catalogue } = ctx.state;
  return html`<nav class="kinds" aria-label=${c.kindsLabel}>
    <ul>
      ${all.map((kind) => {
        const n = entriesOf(catalogue, kind).length;
        return html`<li class=${kind === current ? 'current' : ''}>
          ${placeLink(ctx, { view: 'catalogue', kind, entry: '' }, c.kinds[kind] ?? kind, kind === current)}
          ${n > 0 ? html`<small>${count(n)}</small>` : nothing}
        </li>`;
      })}
    </ul>
  </nav>`;
}

function panel(ctx: Context, kind: string): TemplateResult {
  const { catalogue } = ctx.state;
  switch (kind) {
    case 'models':
      return list(ctx, models, catalogue.models);
    case 'accelerators':
      return list(ctx, accelerators, catalogue.accelerators);
    case 'systems':
      return list(ctx, systems, catalogue.systems);
    case 'offers':
      return list(ctx, offers, catalogue.offers);
    default:
      return articles(ctx, kind, catalogue.further[kind] ?? []);
  }
}

export function catalogueView(ctx: Context): TemplateResult {
  const { catalogue, ui } = ctx.state;
  const all = [...kLists, ...Object.keys(catalogue.further)];
  // A link may name a kind that is still on its way.
  const { kind } = ui.place;
  return html`<div class="catalogue">
    ${kinds(ctx, all, kind)}
    <section class="card" id="catalogue-list" tabindex="-1" aria-labelledby="catalogue-title">
      <h2 id="catalogue-title" class="hidden">${c.kinds[kind] ?? kind}</h2>
      ${panel(ctx, kind)}
    </section>
    ${overlayCard(ctx)}
  </div>`;
}

// The search field of a list.
import { html, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import type { Context } from '../../fields/context';
import { catalogueList } from '../../state/actions';
import { kPage, type ListUi } from '../../state/state';
import { c } from '../../strings/catalogue';

export const searchField = (ctx: Context, kind: string, ui: ListUi): TemplateResult =>
  html`<label class="wide"
    >${c.search}<input
      type="search"
      id="catalogue-query"
      autocomplete="off"
      spellcheck="false"
      placeholder=${c.searchFor[kind] ?? ''}
      .value=${live(ui.query)}
      @input=${(event: Event) => ctx.apply(catalogueList(kind, { query: (event.target as HTMLInputElement).value, shown: kPage }))}
  /></label>`;

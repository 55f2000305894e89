// The frame around every view: header with what acts on the whole state, the view, footer, the spoken sentence.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { patternDefinitions } from '../charts/palette';
import type { Context } from '../fields/context';
import { catalogueView } from '../views/catalogue/view';
import { placeLink } from '../views/catalogue/links';
import { redo, replace, theme, undo } from '../state/actions';
import type { Place, Theme } from '../state/state';
import { startingRequest } from '../state/start';
import { c } from '../strings/catalogue';
import { t } from '../strings/en';
import { m } from '../strings/measured';
import { measuredView } from '../views/measured/view';
import { sizeView } from '../views/size/view';

const kThemes: readonly Theme[] = ['auto', 'light', 'dark'];

/** What takes turns below the header. */
const kViews: readonly Place['view'][] = ['size', 'catalogue', 'measured'];

/** Where a view's content begins, for those who skip the header. */
const kContent = { size: ['answer', t.skip], catalogue: ['catalogue-list', c.skip], measured: ['measured', m.skip] } as const;

function views(ctx: Context): TemplateResult {
  const { place } = ctx.state.ui;
  return html`<nav class="views" aria-label=${c.nav}>
    <ul>
      ${kViews.map((view) => html`<li>${placeLink(ctx, { ...place, view, entry: '' }, c.views[view], place.view === view)}</li>`)}
    </ul>
  </nav>`;
}

function header(ctx: Context): TemplateResult {
  const { past, future } = ctx.state.request;
  const [main, skip] = kContent[ctx.state.ui.place.view];
  const tool = (label: string, act: () => void, disabled = false): TemplateResult =>
    html`<button type="button" ?disabled=${disabled} @click=${act}>${label}</button>`;
  return html`<header class="top">
    <a
      class="skip"
      href=${`#${main}`}
      @click=${(event: Event) => {
        event.preventDefault();
        ctx.act.focus(main);
      }}
      >${skip}</a
    >
    <div class="brand">
      <svg class="logo" width="28" height="28" viewBox="0 0 28 28" aria-hidden="true">
        <rect class="c-weights-1" x="3" y="15" width="22" height="9" rx="1" />
        <rect class="c-activations-1" x="3" y="9" width="15" height="5" rx="1" />
        <rect class="c-loss-1" x="3" y="4" width="9" height="4" rx="1" />
      </svg>
      <span>${t.name}</span>
    </div>
    ${views(ctx)}
    <div class="tools" role="toolbar" aria-label=${t.tools}>
      ${tool(t.undo, () => ctx.apply(undo), past.length === 0)} ${tool(t.redo, () => ctx.apply(redo), future.length === 0)}
      ${tool(t.reset, () => ctx.apply(replace(startingRequest)))} ${tool(t.copyLink, ctx.act.copyLink)}
      ${tool(t.print, () => window.print())}
      <label class="theme"
        ><span>${t.theme}</span
        ><select id="theme" @change=${(event: Event) => ctx.apply(theme((event.target as HTMLSelectElement).value as Theme))}>
          ${kThemes.map(
            (name) =>
              html`<option value=${name} ?selected=${ctx.state.ui.theme === name} .selected=${live(ctx.state.ui.theme === name)}>
                ${t.themes[name]}
              </option>`,
          )}
        </select></label
      >
    </div>
  </header>`;
}

function footer(ctx: Context): TemplateResult {
  const { version, answer, savedPage } = ctx.state;
  return html`<footer class="bottom">
    <p>${version ? t.footer.versions(version.engine_version, version.catalogue.version, version.catalogue.date) : ''}</p>
    <p>${t.footer.privacy}</p>
    <p class="row">
      ${savedPage === '' ? nothing : html`<a href=${savedPage} download>${t.footer.save}</a> <span class="note">${t.footer.saveWhy}</span>`}
      <button type="button" class="small" @click=${() => ctx.act.download('request')}>${t.saveRequest}</button>
      <button type="button" class="small" ?disabled=${!answer} @click=${() => ctx.act.download('answer')}>${t.saveAnswer}</button>
    </p>
  </footer>`;
}

const intro = (title: string, lead: string): TemplateResult =>
  html`<div class="intro">
    <h1 id="view-title" tabindex="-1">${title}</h1>
    <p>${lead}</p>
  </div>`;

function content(ctx: Context): TemplateResult {
  switch (ctx.state.ui.place.view) {
    case 'catalogue':
      return html`${intro(c.title, c.lead)} ${catalogueView(ctx)}`;
    case 'measured':
      return html`${intro(m.title, m.lead)} ${measuredView(ctx)}`;
    case 'size':
      return html`${intro(t.title, t.lead)} ${sizeView(ctx)}`;
  }
}

export const shell = (ctx: Context): TemplateResult =>
  html`<svg class="definitions" width="0" height="0" aria-hidden="true">${patternDefinitions()}</svg>
    ${header(ctx)}
    <main>${content(ctx)}</main>
    ${footer(ctx)}
    <p class="toast" aria-hidden="true" ?hidden=${ctx.state.ui.notice === ''}>${ctx.state.ui.notice}</p>
    <p class="hidden" role="status" aria-live="polite">${ctx.state.ui.said}</p>`;

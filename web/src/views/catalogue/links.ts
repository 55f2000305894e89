// Links to places within the page: real ones, so that they open in a new tab too.
import { html, type TemplateResult } from 'lit/html.js';
import type { Context } from '../../fields/context';
import type { Place } from '../../state/state';
import { linkOf } from '../size/link';

export const placeLink = (ctx: Context, to: Place, text: string, current = false): TemplateResult =>
  html`<a
    href=${linkOf({ ...ctx.state, ui: { ...ctx.state.ui, place: to } }) || '#'}
    aria-current=${current ? 'page' : 'false'}
    @click=${(event: MouseEvent) => {
      if (event.ctrlKey || event.metaKey || event.shiftKey) return;
      event.preventDefault();
      ctx.act.go(to);
    }}
    >${text}</a
  >`;

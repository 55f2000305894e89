// Small marks in lists: a word, and a look for it.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { c } from '../../strings/catalogue';

export const badge = (look: string, word: string, more = ''): TemplateResult =>
  html`<span class=${`tag ${look}`}>${word}</span>${more === '' ? nothing : html` <small>${more}</small>`}`;

export const unknown = (): TemplateResult => html`<span class="unknown">${c.unknown}</span>`;

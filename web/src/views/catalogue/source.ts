// A source as text; an address in it can be followed by who wants to. The page itself never does.
import { html, type TemplateResult } from 'lit/html.js';

const kAddress = /(https?:\/\/[^\s<>"')\]]+[^\s<>"')\].,;:])/;

export const sourceText = (text: string): readonly (TemplateResult | string)[] =>
  text
    .split(kAddress)
    .map((part, index) => (index % 2 === 1 ? html`<a href=${part} target="_blank" rel="noopener noreferrer">${part}</a>` : part));

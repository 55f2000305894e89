// The customer's or vendor's own entries: choose a file, what of it is in use, what is wrong with it, remove it.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import type { Context } from '../../fields/context';
import type { OverlayFile } from '../../state/state';
import { count } from '../../format/units';
import { c } from '../../strings/catalogue';

const kShown = 20;
const o = c.overlay;

function file(ctx: Context, one: OverlayFile): TemplateResult {
  const counts = Object.entries(one.counts).filter(([, n]) => n > 0);
  const parts = counts.map(([kind, n]) => `${count(n)} ${(n === 1 ? o.one[kind] : c.kinds[kind]?.toLowerCase()) ?? kind}`).join(', ');
  const { findings } = one;
  return html`<li>
    <p class="row">
      <b>${one.origin === 'page' && one.name === '' ? o.fromPage : one.name}</b>
      <span class="note">${parts === '' ? o.nothing : o.counts(parts)}</span>
      ${
        one.origin === 'file'
          ? html`<button type="button" class="small" aria-label=${o.removeFile(one.name)} @click=${() => ctx.act.removeOverlay(one.name)}>
              ${o.remove}
            </button>`
          : nothing
      }
    </p>
    ${
      findings.length === 0
        ? nothing
        : html`<p>${o.leftOut(findings.length)}:</p>
            <ul class="findings">
              ${findings.slice(0, kShown).map(
                (finding) =>
                  html`<li>
                    <code>${finding.pointer === '' ? o.whole : finding.pointer}</code> ${finding.message}
                    <span class="hint">${finding.hint}</span>
                  </li>`,
              )}
              ${findings.length > kShown ? html`<li>${o.many(findings.length - kShown)}</li>` : nothing}
            </ul>`
    }
  </li>`;
}

export function overlayCard(ctx: Context): TemplateResult {
  const { files, reading } = ctx.state.overlays;
  return html`<section class="card own-entries" id="own-entries" tabindex="-1" aria-labelledby="own-entries-title">
    <h3 id="own-entries-title">${o.title}</h3>
    <p class="note">${o.explain}</p>
    <p class="row">
      <label class="button"
        >${reading ? o.reading : o.choose}<input
          type="file"
          id="overlay-file"
          accept=".json,application/json"
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            const chosen = input.files?.[0];
            if (chosen) ctx.act.openOverlay(chosen);
            input.value = '';
          }}
      /></label>
    </p>
    ${
      files.length === 0
        ? nothing
        : html`<ul class="overlay-files">
            ${files.map((one) => file(ctx, one))}
          </ul>`
    }
  </section>`;
}

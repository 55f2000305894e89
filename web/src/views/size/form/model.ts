// The model: out of the catalogue, or the customer's own config.json.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { combobox } from '../../../fields/combobox';
import type { Context } from '../../../fields/context';
import { count, parameters } from '../../../format/units';
import { edit, own as setOwn } from '../../../state/actions';
import { c } from '../../../strings/catalogue';
import { t } from '../../../strings/en';
import { overlayOrigin } from '../../catalogue/origin';
import { modelOptions } from '../options';

export function modelGroup(ctx: Context): TemplateResult {
  const { model } = ctx.state.request.present;
  const options = modelOptions(ctx.state.catalogue);
  const id = typeof model === 'string' ? model : '';
  const isOwn = typeof model === 'object';
  // Until the catalogue is there, the last part of a Hugging Face id is its name.
  const known = options.length === 0 ? id.split('/').at(-1) : options.find((option) => option.value === id)?.label;
  const text = isOwn ? t.ownModel(model.name ?? '') : (known ?? id);
  return html`<section class="group" aria-labelledby="group-model">
    <h3 id="group-model">${t.groups.model}</h3>
    <div class="fields">
      ${combobox(ctx, {
        pointer: '/model',
        label: t.model,
        options,
        value: id,
        text,
        note: facts(ctx),
        choose: (option) => ctx.apply(edit('/model', option.value)),
        enter: (typed) => ctx.apply(edit('/model', typed)),
      })}
    </div>
    ${ownModel(ctx)}
  </section>`;
}

// What the catalogue says of the model, and the count of the answer once there is one.
function facts(ctx: Context): string {
  const { answer, answered, request, catalogue } = ctx.state;
  const { model } = request.present;
  const counted = answer && answered?.model === model ? answer.model : undefined;
  const entry = catalogue.models.find(({ id, hf_id }) => [model, counted?.id].some((name) => name === id || (hf_id && name === hf_id)));
  const total = counted?.parameters ?? entry?.params_total;
  return [
    total === undefined ? '' : t.parameters(parameters(total), count(total)),
    entry?.max_position_embeddings ? t.context(count(entry.max_position_embeddings)) : '',
    entry?.licence?.name ?? '',
    entry?.basis === 'memory' ? c.fromMemoryNote : '',
    entry ? overlayOrigin(ctx.state, 'models', entry.id) : '',
  ]
    .filter(Boolean)
    .join(' · ');
}

/** Longest text that is read at all; a config.json has a few thousand characters. */
export const kLongestConfig = 4_000_000;

function ownModel(ctx: Context): TemplateResult {
  const { own } = ctx.state.ui;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.remove('over');
    const file = event.dataTransfer?.files[0];
    if (file) ctx.act.importFile(file);
  };
  const over = (event: DragEvent): void => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.toggle('over', event.type === 'dragover');
  };
  const paste = (event: ClipboardEvent): void => {
    const text = event.clipboardData?.getData('text/plain') ?? '';
    // Too long for a text box: it would freeze the page before anybody could say so.
    if (text.length > kLongestConfig) {
      event.preventDefault();
      ctx.act.importConfig(text, '');
    }
  };
  return html`<details class="own" ?open=${own.findings.length > 0}>
    <summary>${t.own.title}</summary>
    <div class="drop" @dragover=${over} @dragleave=${over} @drop=${drop}>
      <p>${t.own.explain}</p>
      <label class="button"
        >${t.own.file}<input
          type="file"
          id="own-file"
          accept=".json,application/json"
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            const file = input.files?.[0];
            if (file) ctx.act.importFile(file);
            input.value = '';
          }}
      /></label>
      <label for="own-text">${t.own.paste}</label>
      <textarea
        id="own-text"
        rows="5"
        spellcheck="false"
        autocomplete="off"
        aria-describedby="own-wrong"
        aria-invalid=${own.findings.length > 0 ? 'true' : 'false'}
        .value=${live(own.text)}
        @paste=${paste}
        @input=${(event: Event) => ctx.apply(setOwn({ text: (event.target as HTMLTextAreaElement).value }))}
      ></textarea>
      <div class="row">
        <button type="button" class="primary" ?disabled=${own.reading} @click=${() => ctx.act.importConfig(own.text, '')}>
          ${own.reading ? t.own.reading : t.own.use}
        </button>
        ${typeof ctx.state.request.present.model === 'object' ? html`<span class="note">${t.own.inUse}</span>` : nothing}
      </div>
      <div id="own-wrong" class="wrong">
        ${own.findings.map((finding) => html`<p class=${finding.severity}>${finding.message} ${finding.hint}</p>`)}
      </div>
    </div>
  </details>`;
}

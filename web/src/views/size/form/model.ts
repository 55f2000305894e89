// The model: out of the catalogue, of the customer's own files, or known by its size alone.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { combobox } from '../../../fields/combobox';
import type { Context } from '../../../fields/context';
import { parseParameters } from '../../../fields/number';
import type { Option } from '../../../fields/search';
import { count, parameters } from '../../../format/units';
import type { Finding, Request } from '../../../contract';
import type { State } from '../../../state/state';
import { kNameless } from '../../../files/pieces';
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
  const text = isOwn ? ownName(model) : (known ?? id);
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
        meant: sizeOption,
        choose: (option) => ctx.apply(edit('/model', option.value.startsWith(kSize) ? ofSize(option.value) : option.value)),
        enter: (typed) => ctx.apply(edit('/model', typed)),
      })}
    </div>
    ${ownModel(ctx)}
  </section>`;
}

const kSize = 'size:';

function sizeOption(text: string): Option | undefined {
  const value = parseParameters(text);
  if (value === undefined) return undefined;
  const short = parameters(value);
  return { value: `${kSize}${value}`, label: t.sizeOnly.option(short), detail: t.sizeOnly.detail, group: t.sizeOnly.group, search: '' };
}

const ofSize = (value: string): Request['model'] => {
  const size = Number(value.slice(kSize.length));
  return { name: t.sizeOnly.name(parameters(size)), parameters: size };
};

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

/** What of the customer's own model is there. */
function pieces(model: Request['model'] | null | undefined): string {
  if (typeof model !== 'object' || model === null) return '';
  const { config, safetensors_index: facts } = model;
  const n = typeof facts?.['tensors'] === 'number' ? count(facts['tensors']) : '';
  const tensors = facts && 'has_lm_head' in facts ? t.own.pieces.index(n) : t.own.pieces.tensors(n);
  const names = [...(config ? [t.own.pieces.config] : []), ...(facts ? [tensors] : [])];
  return names.length === 0 ? '' : `${t.own.inUse} ${t.own.pieces.known} ${names.join(', ')}.`;
}

// Warnings belong to a model; the sizing repeats those about its dimensions beside the field.
function ownFindings({ ui: { own }, request, findings }: State): readonly Finding[] {
  if (own.about !== null && own.about !== request.present.model) return [];
  return own.findings.filter(({ severity, message }) => severity === 'error' || !findings.some((other) => message.endsWith(other.message)));
}

/** The name of a model that is not in the catalogue. */
export const ownName = ({ name = '', config, safetensors_index: facts, parameters: size }: Extract<Request['model'], object>): string =>
  typeof size === 'number' && !config && !facts ? t.sizeOnly.shown(parameters(size)) : t.ownModel(name === kNameless ? '' : name);

function ownModel(ctx: Context): TemplateResult {
  const { own } = ctx.state.ui;
  const findings = ownFindings(ctx.state);
  const inUse = pieces(ctx.state.request.present.model);
  const isWrong = findings.some(({ severity }) => severity === 'error');
  const told = html`<div id="own-wrong" class="wrong">
    ${findings.map((finding) => html`<p class=${finding.severity}>${finding.message} ${finding.hint}</p>`)}
  </div>`;
  const drop = (event: DragEvent): void => {
    event.preventDefault();
    (event.currentTarget as HTMLElement).classList.remove('over');
    const files = [...(event.dataTransfer?.files ?? [])];
    if (files.length > 0) ctx.act.importFiles(files);
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
      ctx.act.importText(text);
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
          multiple
          accept=".json,.safetensors,.gguf,application/json"
          @change=${(event: Event) => {
            const input = event.target as HTMLInputElement;
            const files = [...(input.files ?? [])];
            if (files.length > 0) ctx.act.importFiles(files);
            input.value = '';
          }}
      /></label>
      ${own.fromText ? nothing : told}
      <label for="own-text">${t.own.paste}</label>
      <textarea
        id="own-text"
        rows="5"
        spellcheck="false"
        autocomplete="off"
        aria-describedby="own-wrong"
        aria-invalid=${isWrong && own.fromText ? 'true' : 'false'}
        .value=${live(own.text)}
        @paste=${paste}
        @input=${(event: Event) => ctx.apply(setOwn({ text: (event.target as HTMLTextAreaElement).value }))}
      ></textarea>
      <div class="row">
        <button type="button" class="primary" ?disabled=${own.reading} @click=${() => ctx.act.importText(own.text)}>
          ${own.reading ? t.own.reading : t.own.use}
        </button>
        ${inUse === '' ? nothing : html`<span class="note">${inUse}</span>`}
      </div>
      ${own.fromText ? told : nothing}
    </div>
  </details>`;
}

// Controls by kind of value. Each writes what was typed into the request as it is; the engine says what is wrong with it.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { edit, leave } from '../state/actions';
import { t } from '../strings/en';
import { type Context, factsOf, idOf, shown } from './context';
import { describedBy, field, type FieldOptions, help, invalid, labelOf, origin, wrong } from './field';
import { logSteps, nearestStep, parseNumber, writeNumber, writeValue } from './number';

const targetText = (event: Event): string => (event.target as HTMLInputElement | HTMLSelectElement).value;

export interface NumberOptions extends FieldOptions {
  readonly unit?: (value: number) => string;
  readonly kilo?: 1000 | 1024;
  /** A slider beside it, with logarithmic steps up to this value. */
  readonly slideTo?: number;
}

export function numberField(ctx: Context, options: NumberOptions): TemplateResult {
  const { pointer, unit, kilo = 1000, slideTo, unsettable = true } = options;
  const from = shown(ctx.state, pointer);
  const { value } = from;
  const draft = ctx.state.ui.drafts[pointer];
  const number = typeof value === 'number' ? value : undefined;
  const written = writeValue(value);
  const typed = (event: Event): void => {
    const text = targetText(event);
    ctx.apply(edit(pointer, text.trim() === '' ? undefined : (parseNumber(text, kilo) ?? text), text));
  };
  const understood = number !== undefined && invalid(ctx, pointer) === 'false';
  const reading = draft !== undefined && number !== undefined && draft.trim() !== written ? t.understood(written) : '';
  const note = [reading, understood ? (unit?.(number) ?? '') : ''].filter(Boolean).join(' ');
  const input = html`<input
    id=${idOf(pointer)}
    type="text"
    class="number"
    inputmode="decimal"
    autocomplete="off"
    spellcheck="false"
    .value=${live(draft ?? written)}
    aria-describedby=${describedBy(ctx, pointer)}
    aria-invalid=${invalid(ctx, pointer)}
    @input=${typed}
    @change=${() => ctx.apply(leave(pointer, understood || (draft ?? '').trim() === ''))}
  />`;
  return field(
    ctx,
    { ...options, note, stacked: slideTo !== undefined },
    slideTo === undefined ? input : withSlider(ctx, pointer, slideTo, number, input),
    unsettable ? origin(ctx, pointer, from) : nothing,
  );
}

function withSlider(ctx: Context, pointer: string, to: number, value: number | undefined, input: TemplateResult): TemplateResult {
  const steps = logSteps(factsOf(pointer).minimum ?? 1, to);
  const at = value === undefined ? 0 : nearestStep(steps, value);
  const slid = (event: Event): void => {
    const step = steps[Number(targetText(event))];
    if (step !== undefined) ctx.apply(edit(pointer, step, writeNumber(step)));
  };
  return html`<div class="slider">
    <input
      type="range"
      min="0"
      max=${steps.length - 1}
      step="1"
      aria-label=${t.slider(labelOf(pointer))}
      aria-valuetext=${writeNumber(value ?? steps[at] ?? 0)}
      .value=${live(String(at))}
      @input=${slid}
      @change=${() => ctx.apply(leave(pointer, true))}
    />${input}
  </div>`;
}

export function selectField(ctx: Context, options: FieldOptions): TemplateResult {
  const { pointer, unsettable = true } = options;
  const { value, origin } = shown(ctx.state, pointer);
  const choices = factsOf(pointer).choices ?? [];
  const meaning = choices.find(([choice]) => choice === value)?.[1] ?? writeValue(value);
  const unset = origin === 'assumed' ? t.isDefault(meaning) : t.framework;
  const foreign = origin === 'set' && !choices.some(([choice]) => choice === value);
  const option = (choice: string, text: string, selected: boolean): TemplateResult =>
    html`<option value=${choice} ?selected=${selected} .selected=${live(selected)}>${text}</option>`;
  return field(
    ctx,
    options,
    html`<select
      id=${idOf(pointer)}
      aria-describedby=${describedBy(ctx, pointer)}
      aria-invalid=${invalid(ctx, pointer)}
      @change=${(event: Event) => ctx.apply(edit(pointer, targetText(event) || undefined))}
    >
      ${unsettable ? option('', unset, origin !== 'set') : nothing}
      ${foreign ? option(writeValue(value), writeValue(value), true) : nothing}
      ${choices.map(([choice, text]) => option(choice, text, origin === 'set' && choice === value))}
    </select>`,
  );
}

export function checkField(ctx: Context, options: FieldOptions): TemplateResult {
  const { pointer } = options;
  const from = shown(ctx.state, pointer);
  const checked = from.value === true;
  return field(
    ctx,
    options,
    html`<input
      id=${idOf(pointer)}
      type="checkbox"
      ?checked=${checked}
      .checked=${live(checked)}
      .indeterminate=${live(from.origin === 'open')}
      aria-describedby=${describedBy(ctx, pointer)}
      aria-invalid=${invalid(ctx, pointer)}
      @change=${(event: Event) => ctx.apply(edit(pointer, (event.target as HTMLInputElement).checked))}
    />`,
    origin(ctx, pointer, from),
  );
}

/** Text, or a list of words separated by commas where the schema wants a list. */
export function textField(ctx: Context, options: FieldOptions): TemplateResult {
  const { pointer } = options;
  const from = shown(ctx.state, pointer);
  const { value } = from;
  const { kinds, choices } = factsOf(pointer);
  const isList = kinds.includes('array');
  const written = writeValue(value);
  const draft = ctx.state.ui.drafts[pointer];
  const read = (text: string): unknown => {
    const plain = text.trim();
    if (plain === '') return undefined;
    return isList && !choices?.some(([choice]) => choice === plain) ? plain.split(/[\s,]+/).filter(Boolean) : text;
  };
  const typed = (event: Event): void => {
    const text = targetText(event);
    ctx.apply(edit(pointer, read(text), text));
  };
  return field(
    ctx,
    options,
    html`<input
      id=${idOf(pointer)}
      type="text"
      autocomplete="off"
      spellcheck="false"
      .value=${live(draft ?? written)}
      aria-describedby=${describedBy(ctx, pointer)}
      aria-invalid=${invalid(ctx, pointer)}
      @input=${typed}
      @change=${() => ctx.apply(leave(pointer, true))}
    />`,
    origin(ctx, pointer, from),
  );
}

/** A box to tick for each item the schema allows in a list. */
export function itemsField(ctx: Context, options: FieldOptions): TemplateResult {
  const { pointer, label = labelOf(pointer) } = options;
  const { value } = shown(ctx.state, pointer);
  const chosen: readonly unknown[] = Array.isArray(value) ? value : [];
  const toggle = (item: string): void => {
    const next = chosen.includes(item) ? chosen.filter((other) => other !== item) : [...chosen, item];
    ctx.apply(edit(pointer, next.length > 0 ? next : undefined));
  };
  return html`<fieldset class="field items">
    <legend>${label}</legend>
    ${help(pointer, label)}
    ${(factsOf(pointer).items ?? []).map(
      ([item, meaning]) =>
        html`<label
          ><input
            type="checkbox"
            id=${`${idOf(pointer)}-${item}`}
            ?checked=${chosen.includes(item)}
            .checked=${live(chosen.includes(item))}
            @change=${() => toggle(item)}
          />${meaning}</label
        >`,
    )}
    ${wrong(ctx, pointer)}
  </fieldset>`;
}

/** One of a few, side by side, each with its meaning below; of many, the rest in a list. */
export function radioField(ctx: Context, options: FieldOptions): TemplateResult {
  const { pointer, label = labelOf(pointer), first } = options;
  const { value } = shown(ctx.state, pointer);
  const choices = factsOf(pointer).choices ?? [];
  const beside = choices.filter(([choice]) => !first || first.includes(choice));
  const rest = choices.filter((choice) => !beside.includes(choice));
  return html`<fieldset class="field radios">
    <legend>${label}</legend>
    ${help(pointer, label)}
    <div class="segments">
      ${beside.map(([choice, meaning], index) => {
        const [name, more = ''] = meaning.split(/:\s*/, 2);
        return html`<label
          ><input
            type="radio"
            name=${idOf(pointer)}
            id=${index === 0 ? idOf(pointer) : `${idOf(pointer)}-${choice}`}
            value=${choice}
            ?checked=${choice === value}
            .checked=${live(choice === value)}
            @change=${() => ctx.apply(edit(pointer, choice))}
          /><span><b>${name}</b>${more ? html`<small>${more}</small>` : nothing}</span></label
        >`;
      })}
    </div>
    ${rest.length > 0 ? others(ctx, pointer, label, rest, value) : nothing} ${wrong(ctx, pointer)}
  </fieldset>`;
}

function others(
  ctx: Context,
  pointer: string,
  label: string,
  rest: readonly (readonly [string, string])[],
  value: unknown,
): TemplateResult {
  const chosen = rest.some(([choice]) => choice === value);
  const change = (event: Event): void => {
    const choice = targetText(event);
    if (choice) ctx.apply(edit(pointer, choice));
  };
  return html`<select class="others" aria-label=${t.others(label)} @change=${change}>
    <option value="" ?selected=${!chosen} .selected=${live(!chosen)}>${t.others(label)}</option>
    ${rest.map(([choice, meaning]) => html`<option value=${choice} ?selected=${choice === value} .selected=${live(choice === value)}>${meaning}</option>`)}
  </select>`;
}

// The run: model, training, data, hardware, and what decides memory besides.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { combobox } from '../../../fields/combobox';
import type { Context } from '../../../fields/context';
import { shown } from '../../../fields/context';
import { checkField, itemsField, numberField, radioField, selectField, textField } from '../../../fields/controls';
import { count } from '../../../format/units';
import { editAll } from '../../../state/actions';
import { get } from '../../../state/pointer';
import { t } from '../../../strings/en';
import { overlayOrigin } from '../../catalogue/origin';
import { appliesTo, type Entry, type Group, kGroups } from '../groups';
import { hardwareChange, hardwareOptions, hardwareValue } from '../options';
import { modelGroup } from './model';

const kControls = {
  radio: radioField,
  select: selectField,
  check: checkField,
  text: textField,
  items: itemsField,
} as const;

function control(ctx: Context, entry: Entry): TemplateResult {
  const options = { pointer: entry.pointer, unsettable: !(entry.fixed ?? false), ...(entry.first ? { first: entry.first } : {}) };
  if (entry.control !== 'number') return kControls[entry.control](ctx, options);
  return numberField(ctx, {
    ...options,
    kilo: entry.kilo ?? 1000,
    ...(entry.slideTo ? { slideTo: entry.slideTo } : {}),
    ...(entry.pointer.endsWith('_bytes') ? { unit: t.inGib } : {}),
    ...(entry.pointer === '/recipe/sequence_length' ? { unit: (tokens: number) => t.tokensPerStep(tokens, rows(ctx)) } : {}),
  });
}

const rows = (ctx: Context): number | undefined => {
  const { value } = shown(ctx.state, '/recipe/per_device_train_batch_size');
  return typeof value === 'number' ? value : undefined;
};

const applying = (ctx: Context, group: Group): readonly Entry[] => {
  const method = shown(ctx.state, '/recipe/method').value;
  return group.entries.filter((entry) => appliesTo(entry.pointer, method));
};

function group(ctx: Context, of: Group): TemplateResult | typeof nothing {
  const entries = applying(ctx, of);
  if (entries.length === 0) return nothing;
  return html`<section class="group" aria-labelledby=${`group-${of.id}`}>
    <h3 id=${`group-${of.id}`}>${t.groups[of.id]}</h3>
    <div class="fields">${entries.map((entry) => control(ctx, entry))}</div>
  </section>`;
}

function rareGroup(ctx: Context, of: Group): TemplateResult {
  const entries = applying(ctx, of);
  const set = entries.filter((entry) => get(ctx.state.request.present, entry.pointer) !== undefined).length;
  return html`<details class="group rare">
    <summary>
      <h3>${t.groups.rare}</h3>
      <span>${set > 0 ? t.setCount(count(set)) : nothing}</span>
    </summary>
    <div class="fields">${entries.map((entry) => control(ctx, entry))}</div>
  </details>`;
}

function hardwareGroup(ctx: Context): TemplateResult {
  const { placement } = ctx.state.request.present;
  const value = hardwareValue(placement);
  const options = hardwareOptions(ctx.state.catalogue);
  const id = value.slice(value.indexOf(':') + 1);
  return html`<section class="group" aria-labelledby="group-hardware">
    <h3 id="group-hardware">${t.groups.hardware}</h3>
    <div class="fields">
      ${combobox(ctx, {
        pointer: value.startsWith('system:') ? '/placement/system' : '/placement/accelerator',
        label: t.hardware,
        options,
        value,
        text: options.find((option) => option.value === value)?.label ?? id,
        note: overlayOrigin(ctx.state, value.startsWith('system:') ? 'systems' : 'accelerators', id),
        choose: (option) => ctx.apply(editAll(hardwareChange(option.value))),
        enter: (text) => ctx.apply(editAll({ '/placement/system': undefined, '/placement/accelerator': text })),
      })}
    </div>
  </section>`;
}

export function form(ctx: Context): TemplateResult {
  const [training, data, adapter, precision, rare] = kGroups;
  return html`<form class="form" novalidate autocomplete="off" @submit=${(event: Event) => event.preventDefault()}>
    ${modelGroup(ctx)} ${training ? group(ctx, training) : nothing} ${data ? group(ctx, data) : nothing} ${hardwareGroup(ctx)}
    ${adapter ? group(ctx, adapter) : nothing} ${precision ? group(ctx, precision) : nothing} ${rare ? rareGroup(ctx, rare) : nothing}
  </form>`;
}

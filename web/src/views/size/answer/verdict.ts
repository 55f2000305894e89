// The verdict in a sentence, and the peak against the accelerator.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { peakBar } from '../../../charts/peak-bar';
import { inOrder } from '../../../charts/palette';
import type { Answer, Memory } from '../../../contract';
import { type Context, factsOf } from '../../../fields/context';
import { writeValue } from '../../../fields/number';
import { kNameless } from '../../../files/pieces';
import { get } from '../../../state/pointer';
import type { State } from '../../../state/state';
import { t } from '../../../strings/en';
import { overlayOrigin } from '../../catalogue/origin';
import { hardwareOptions, hardwareValue } from '../options';
import { basis } from './basis';
import { interval, bytes } from './figure';

export const verdictOf = (memory: Memory): string => memory.verdict ?? 'unknown';

const methodName = (state: State): string => {
  const method = get(state.answered, '/recipe/method') ?? state.answer?.assumptions.find((a) => a.pointer === '/recipe/method')?.value;
  const meaning = factsOf('/recipe/method').choices?.find(([choice]) => choice === method)?.[1] ?? writeValue(method);
  const name = meaning.replace(/:.*/, '');
  // A word of the language, not a name, stands in lower case within a sentence.
  return /^[A-Z][a-z -]+$/.test(name) ? name.toLowerCase() : name;
};

const modelTitle = ({ model }: Answer): string =>
  model.id === kNameless ? t.ownModel('') : (model.name ?? model.hf_id?.split('/').at(-1) ?? model.id);

export function sentence(state: State, answer: Answer, memory: Memory): string {
  const placement = state.answered?.placement;
  const value = hardwareValue(placement);
  const name = hardwareOptions(state.catalogue).find((option) => option.value === value)?.label ?? value.slice(value.indexOf(':') + 1);
  const where = value.startsWith('system:') ? t.oneOf(name) : t.one(name);
  const say = t.verdict[verdictOf(memory)] ?? t.verdict['unknown'];
  return say?.(t.run(modelTitle(answer), methodName(state)), where, memory.peak.device.expected, memory.capacity_bytes ?? 0) ?? '';
}

/** Parts of the device figure: what is allocated, what the allocator holds besides, context and libraries. */
export function deviceParts(memory: Memory): readonly { readonly item: string; readonly label: string; readonly bytes: number }[] {
  const { allocated, reserved, device } = memory.peak;
  const rest = [
    { item: 'cached', bytes: reserved.expected - allocated.expected },
    { item: 'context', bytes: device.expected - reserved.expected },
  ];
  return inOrder([...memory.breakdown, ...rest])
    .filter((part) => part.bytes > 0)
    .map((part) => ({ item: part.item, label: t.item(part.item), bytes: part.bytes }));
}

export function verdict({ state }: Context, answer: Answer, memory: Memory): TemplateResult {
  const word = verdictOf(memory);
  const { device } = memory.peak;
  return html`<section class=${`card verdict ${word}`} aria-labelledby="verdict">
    <h3 id="verdict"><span class="mark" aria-hidden="true"></span>${t.verdictWord[word] ?? word}</h3>
    <p class="sentence">${sentence(state, answer, memory)}</p>
    ${basis(answer)} ${peakBar({ parts: deviceParts(memory), ...device, capacity: memory.capacity_bytes })}
  </section>`;
}

/** How the capacity is known; for an entry out of a file, which one. */
function capacityFrom(state: State, memory: Memory): string {
  const { placement } = state.answered ?? {};
  const system = state.catalogue.systems.find(({ id }) => id === placement?.system);
  const card = system?.accelerator ?? placement?.accelerator ?? '';
  return [t.peak.capacityBasis[memory.capacity_basis ?? ''] ?? '', overlayOrigin(state, 'accelerators', card)].filter(Boolean).join(', ');
}

/** The peak by each of the three counters, and what there is. */
export function peaks(ctx: Context, memory: Memory): TemplateResult {
  return html`<section class="card peaks" aria-labelledby="peaks">
    <div class="card-head">
      <h3 id="peaks">${t.peak.title}</h3>
      ${memory.interval_basis === 'provisional' ? html`<span class="badge">${t.provisional}</span>` : nothing}
    </div>
    <dl class="figures">
      ${(['device', 'reserved', 'allocated'] as const).map(
        (name) =>
          html`<div>
            <dt>${t.peak[name]}</dt>
            <dd>
              ${bytes(ctx, memory.peak[name].expected)} ${interval(ctx, memory.peak[name])}<span class="why">${t.peak[`${name}Why`]}</span>
            </dd>
          </div>`,
      )}
      ${
        memory.capacity_bytes === undefined
          ? nothing
          : html`<div>
              <dt>${t.peak.available}</dt>
              <dd>
                ${bytes(ctx, memory.capacity_bytes)}
                <span class="interval"
                  >${memory.headroom === undefined ? '' : t.headroom(memory.headroom, memory.peak.device.expected - memory.capacity_bytes)}</span
                ><span class="why">${capacityFrom(ctx.state, memory)}</span>
              </dd>
            </div>`
      }
    </dl>
    <p class="note">
      ${memory.fit_probability === undefined ? nothing : html`${t.probability(memory.fit_probability)}. `}${memory.interval_basis === 'provisional' ? t.provisionalWhy : nothing}
    </p>
  </section>`;
}

// A list one can type into (ARIA combobox with a list popup). Which list is open, its text and its active option are state.
import { html, nothing, type TemplateResult } from 'lit/html.js';
import { live } from 'lit/directives/live.js';
import { list as setList } from '../state/actions';
import { t } from '../strings/en';
import { type Context, idOf } from './context';
import { describedBy, field, type FieldOptions, invalid } from './field';
import { find, type Option } from './search';

const kMost = 80;

export interface ComboboxOptions extends FieldOptions {
  readonly options: readonly Option[];
  /** What the closed field shows. */
  readonly text: string;
  readonly value: string;
  readonly choose: (option: Option) => void;
  /** An option made of the text itself, before those found. */
  readonly meant?: (text: string) => Option | undefined;
  /** Text that is no option, entered all the same. */
  readonly enter: (text: string) => void;
}

export const optionId = (listId: string, index: number): string => `${listId}-option-${index}`;

export function combobox(ctx: Context, options: ComboboxOptions): TemplateResult {
  const id = idOf(options.pointer);
  const listId = `${id}-list`;
  const open = ctx.state.ui.list?.id === listId ? ctx.state.ui.list : null;
  const meant = open ? options.meant?.((open.text ?? '').trim()) : undefined;
  const found = open ? [...(meant ? [meant] : []), ...find(options.options, open.text ?? '')] : [];
  const shownOptions = found.slice(0, kMost);
  const last = shownOptions.length - 1;
  const active = open ? Math.min(open.active, last) : -1;

  const show = (text: string | null, at: number): void => ctx.apply(setList({ id: listId, text, active: at }));
  const close = (): void => ctx.apply(setList(null));
  const choose = (option: Option | undefined): void => {
    close();
    if (option) options.choose(option);
  };
  const enter = (text: string): void => {
    const named = options.options.find((option) => [option.value, option.label].some((name) => name.toLowerCase() === text.toLowerCase()));
    const option = named ?? options.meant?.(text);
    close();
    if (option) options.choose(option);
    else if (text !== '' && text !== options.text) options.enter(text);
  };
  const openAll = (): void => {
    const at = options.options.findIndex((option) => option.value === options.value);
    show(null, at < kMost ? at : 0);
  };

  const keys: Readonly<Record<string, () => void>> = {
    ArrowDown: () => (open ? show(open.text, active >= last ? 0 : active + 1) : openAll()),
    ArrowUp: () => (open ? show(open.text, active <= 0 ? last : active - 1) : openAll()),
    PageDown: () => open && show(open.text, Math.min(last, active + 10)),
    PageUp: () => open && show(open.text, Math.max(0, active - 10)),
    Enter: () => open && (active >= 0 ? choose(shownOptions[active]) : enter((open.text ?? '').trim())),
    Tab: () => {
      const text = open?.text ?? null;
      if (text === null) close();
      else if (active >= 0) choose(shownOptions[active]);
      else enter(text.trim());
    },
    Escape: () => open && close(),
  };
  const pressed = (event: KeyboardEvent): void => {
    const key = keys[event.key];
    if (!key || event.isComposing || (!open && !event.key.startsWith('Arrow'))) return;
    if (event.key !== 'Tab') event.preventDefault();
    key();
  };
  const typed = (event: Event): void => {
    const { value } = event.target as HTMLInputElement;
    show(value, value.trim() === '' ? -1 : 0);
  };

  return field(
    ctx,
    { ...options, stacked: true },
    html`<div class="combobox">
      <input
        id=${id}
        type="text"
        role="combobox"
        autocomplete="off"
        spellcheck="false"
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-expanded=${open ? 'true' : 'false'}
        aria-controls=${listId}
        aria-activedescendant=${active >= 0 ? optionId(listId, active) : nothing}
        aria-describedby=${describedBy(ctx, options.pointer)}
        aria-invalid=${invalid(ctx, options.pointer)}
        .value=${live(open?.text ?? options.text)}
        @input=${typed}
        @keydown=${pressed}
        @click=${(event: Event) => {
          (event.target as HTMLInputElement).select();
          if (!open) openAll();
        }}
        @blur=${() => open && enter((open.text ?? '').trim())}
      />
      <div class="popup" ?hidden=${!open} @pointerdown=${(event: Event) => event.preventDefault()}>
        <ul id=${listId} role="listbox" aria-label=${options.label ?? ''}>
          ${groups(shownOptions).map(
            ([group, from, members]) =>
              html`<li role="presentation">
                <ul role="group" aria-label=${group}>
                  <li class="group" role="presentation" aria-hidden="true">${group}</li>
                  ${members.map((option, offset) => {
                    const index = from + offset;
                    return html`<li
                      id=${optionId(listId, index)}
                      role="option"
                      class=${index === active ? 'active' : ''}
                      aria-selected=${option.value === options.value ? 'true' : 'false'}
                      @click=${() => choose(option)}
                    >
                      <span>${option.label}</span>${option.detail ? html`<small>${option.detail}</small>` : nothing}
                    </li>`;
                  })}
                </ul>
              </li>`,
          )}
        </ul>
        ${open && found.length === 0 ? html`<p class="none">${options.options.length === 0 ? t.loading : t.noneFound(open.text ?? '')}</p>` : nothing}
        ${found.length > kMost ? html`<p class="none">${t.more(found.length - kMost)}</p>` : nothing}
      </div>
    </div>`,
  );
}

// Neighbours of one group, with the index of the first.
function groups(options: readonly Option[]): readonly (readonly [string, number, readonly Option[]])[] {
  const result: [string, number, Option[]][] = [];
  options.forEach((option, index) => {
    const tail = result.at(-1);
    if (tail?.[0] === option.group) tail[2].push(option);
    else result.push([option.group, index, [option]]);
  });
  return result;
}

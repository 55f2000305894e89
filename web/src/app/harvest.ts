// What a person typed into the form of the HTML before the script ran. Nothing typed is lost.

type Control = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement;

interface Typed {
  readonly id: string;
  readonly event: 'input' | 'change';
  readonly put: (control: Control) => void;
}

function typedInto(control: Control): Typed | undefined {
  const { id } = control;
  if (control instanceof HTMLSelectElement) {
    const { value } = control;
    const changed = [...control.options].some((option) => option.selected !== option.defaultSelected);
    return changed ? { id, event: 'change', put: (to) => (to.value = value) } : undefined;
  }
  if (control.type === 'checkbox' || control.type === 'radio') {
    const { checked, defaultChecked } = control as HTMLInputElement;
    // Of a group of radio buttons the one that was chosen says it all.
    const changed = checked !== defaultChecked && (checked || control.type === 'checkbox');
    return changed ? { id, event: 'change', put: (to) => ((to as HTMLInputElement).checked = checked) } : undefined;
  }
  const { value } = control;
  // A list's text is only half a choice; it is put back where the person still is.
  const half = control.getAttribute('role') === 'combobox' && control !== document.activeElement;
  return value === control.defaultValue || half ? undefined : { id, event: 'input', put: (to) => (to.value = value) };
}

/** Replaces the HTML's content by what `render` makes, with the same text in its controls as if it were typed there, and the focus. */
export function harvest(root: HTMLElement, render: () => void): void {
  const typed = [...root.querySelectorAll<Control>('input, select, textarea')].map(typedInto);
  const focused = document.activeElement?.id;
  root.replaceChildren();
  render();
  for (const one of typed) {
    const control = one && document.getElementById(one.id);
    if (!control) continue;
    one.put(control as Control);
    control.dispatchEvent(new Event(one.event, { bubbles: true }));
  }
  if (focused) document.getElementById(focused)?.focus();
}

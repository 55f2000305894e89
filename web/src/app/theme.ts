// Light, dark, or as the system has it. Remembered where the browser lets a page remember.
import type { Theme } from '../state/state';

const kKey = 'tunefit.theme';

export function readTheme(): Theme {
  try {
    const stored = localStorage.getItem(kKey);
    return stored === 'light' || stored === 'dark' ? stored : 'auto';
  } catch {
    return 'auto';
  }
}

export function applyTheme(theme: Theme): void {
  if (theme === 'auto') delete document.documentElement.dataset['theme'];
  else document.documentElement.dataset['theme'] = theme;
  try {
    if (theme === 'auto') localStorage.removeItem(kKey);
    else localStorage.setItem(kKey, theme);
  } catch {
    // Not remembered, then.
  }
}

// Undo and redo over immutable snapshots.

export interface History<T> {
  readonly past: readonly T[];
  readonly present: T;
  readonly future: readonly T[];
  /** What the last change was about; a change with the same key joins it, so that typing a number is one step. */
  readonly key: string | null;
}

const kDepth = 200;

export const begin = <T>(present: T): History<T> => ({ past: [], present, future: [], key: null });

/** Records a change. Changes with the same non-null key in a row are one step. */
export function record<T>(history: History<T>, present: T, key: string | null): History<T> {
  const joins = key !== null && key === history.key;
  const past = joins ? history.past : [...history.past, history.present].slice(-kDepth);
  return { past, present, future: [], key };
}

/** Ends the current step: the next change is a step of its own, whatever its key. */
export const close = <T>(history: History<T>): History<T> => (history.key === null ? history : { ...history, key: null });

export function undo<T>(history: History<T>): History<T> {
  const present = history.past.at(-1);
  if (present === undefined) return history;
  return { past: history.past.slice(0, -1), present, future: [history.present, ...history.future], key: null };
}

export function redo<T>(history: History<T>): History<T> {
  const [present, ...future] = history.future;
  if (present === undefined) return history;
  return { past: [...history.past, history.present], present, future, key: null };
}

// Tensors of a file in the form that the engine reads: equal ones together, so that a header of 200,000 stays short.

/** Tensors of one type and shape whose names differ in no number but those that are `*`. */
export interface TensorGroup {
  name: string;
  dtype: unknown;
  shape: unknown;
  count: number;
}

const kLayerWords: ReadonlySet<string> = new Set(['layers', 'layer', 'h', 'block', 'blocks', 'blk']);
const kNumber = /^\d+$/;

/** The name with its numbers as `*`, but for the number of the layer: `model.layers.3.mlp.experts.*.up_proj.weight`. */
export function pattern(name: string): string {
  let layer = false;
  const parts = name.split('.');
  return parts
    .map((part, i) => {
      if (!kNumber.test(part)) return part;
      if (layer || !kLayerWords.has(parts[i - 1] ?? '')) return '*';
      layer = true;
      return part;
    })
    .join('.');
}

/** Collects tensors of one or several files. */
export class Tensors {
  readonly #groups = new Map<string, TensorGroup>();
  readonly #names = new Set<string>();
  /** Names that came twice. */
  readonly twice: string[] = [];

  add(name: string, dtype: unknown, shape: unknown): void {
    if (this.#names.has(name)) {
      this.twice.push(name);
      return;
    }
    this.#names.add(name);
    const group = pattern(name);
    const key = JSON.stringify([group, dtype, shape]);
    const known = this.#groups.get(key);
    if (known) known.count += 1;
    else this.#groups.set(key, { name: group, dtype, shape, count: 1 });
  }

  get size(): number {
    return this.#names.size;
  }

  list(): TensorGroup[] {
    return [...this.#groups.values()];
  }
}

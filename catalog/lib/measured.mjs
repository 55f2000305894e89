// The published measurements in the form that is compiled in: what is shown and what is computed from them.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Places } from './places.mjs';

/** {cases, models, sources}: a case's `model` and `source` are places in the lists. */
export function measuredParts(root) {
  const file = join(root, 'measured/memory.jsonl');
  const lines = existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
  const models = new Places();
  const sources = new Places();
  const cases = lines.map((line) => {
    const { id, source, source_family, quality, request, measured } = JSON.parse(line);
    const { model, recipe, placement } = request;
    const { counter, bytes, oom, baseline_bytes } = measured;
    return {
      id,
      source: sources.of(source),
      family: source_family,
      quality,
      model: models.of(model),
      request: { recipe, placement },
      measured: { counter, bytes, oom, ...(baseline_bytes ? { baseline_bytes } : {}) },
    };
  });
  return { cases, models: models.list, sources: sources.list };
}

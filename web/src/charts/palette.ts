// One look for each part of memory: a hue for its family, a shade and a pattern within it, so that colour is never alone.
import { svg, type SVGTemplateResult } from 'lit/html.js';

export type Pattern = 'plain' | 'diagonal' | 'back' | 'dots' | 'lines' | 'bars' | 'cross';

export interface Look {
  readonly fill: string;
  readonly pattern: Pattern;
}

/** In the order in which parts are stacked. Names as in answer.memory. */
const kLooks: readonly (readonly [item: string, fill: string, pattern: Pattern])[] = [
  ['weights.base', 'weights-1', 'plain'],
  ['weights.quantization_constants', 'weights-2', 'dots'],
  ['weights.trained', 'weights-1', 'diagonal'],
  ['weights.adapters', 'weights-3', 'diagonal'],
  ['weights.master', 'weights-2', 'lines'],
  ['rotary_tables', 'weights-3', 'bars'],
  ['autocast.weight_copies', 'weights-2', 'back'],
  ['dequantized_weights', 'weights-3', 'cross'],
  ['gradients', 'gradients-1', 'plain'],
  ['optimizer.state', 'optimizer-1', 'plain'],
  ['optimizer.temporary', 'optimizer-2', 'diagonal'],
  ['activations.checkpoints', 'activations-1', 'plain'],
  ['activations.saved', 'activations-2', 'diagonal'],
  ['activations.temporary', 'activations-3', 'dots'],
  ['activations.gradients', 'activations-2', 'lines'],
  ['logits', 'loss-1', 'plain'],
  ['loss.temporary', 'loss-2', 'diagonal'],
  ['operations.temporary', 'other-2', 'bars'],
  ['merge.temporary', 'other-2', 'lines'],
  ['library_workspace', 'other-1', 'dots'],
  ['cached', 'other-3', 'diagonal'],
  ['context', 'other-1', 'plain'],
];

const kOrder = new Map(kLooks.map(([item], index) => [item, index]));

export const lookOf = (item: string): Look => {
  const found = kLooks[kOrder.get(item) ?? -1];
  return found ? { fill: found[1], pattern: found[2] } : { fill: 'other-2', pattern: 'cross' };
};

/** Parts in the order of stacking; unknown ones last. */
export const inOrder = <T extends { readonly item: string }>(items: readonly T[]): T[] =>
  [...items].sort((a, b) => (kOrder.get(a.item) ?? 99) - (kOrder.get(b.item) ?? 99));

const kMarks: Readonly<Record<Exclude<Pattern, 'plain'>, string>> = {
  diagonal: 'M-1 1l2-2M0 6l6-6M5 7l2-2',
  back: 'M-1 5l2 2M0 0l6 6M5-1l2 2',
  dots: 'M1.5 1.5h1v1h-1zM4.5 4.5h1v1h-1z',
  lines: 'M0 1.5h6M0 4.5h6',
  bars: 'M1.5 0v6M4.5 0v6',
  cross: 'M0 0l6 6M0 6l6-6',
};

/** Definitions of the patterns; once in a page. */
export const patternDefinitions = (): SVGTemplateResult => svg`<defs>
  ${Object.entries(kMarks).map(
    ([name, path]) => svg`<pattern id=${`mark-${name}`} width="6" height="6" patternUnits="userSpaceOnUse">
      <path class="mark" d=${path} />
    </pattern>`,
  )}
</defs>`;

export interface Box {
  readonly x: string | number;
  readonly y: string | number;
  readonly width: string | number;
  readonly height: string | number;
}

/** A rectangle in the look of a part, with a hover text. */
export function part(item: string, box: Box, title: string): SVGTemplateResult {
  const { fill, pattern } = lookOf(item);
  const { x, y, width, height } = box;
  return svg`<g>
    <title>${title}</title>
    <rect class=${`part c-${fill}`} x=${x} y=${y} width=${width} height=${height} />
    ${pattern === 'plain' ? '' : svg`<rect x=${x} y=${y} width=${width} height=${height} fill=${`url(#mark-${pattern})`} />`}
  </g>`;
}

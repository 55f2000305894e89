// Predicted against measured memory, both on a logarithmic scale: on the diagonal they agree.
import { scaleLog } from 'd3-scale';
import { html, svg, type SVGTemplateResult, type TemplateResult } from 'lit/html.js';
import { gibUnit, kGiB } from '../format/units';
import { m } from '../strings/measured';

export interface Dot {
  readonly id: string;
  readonly counter: string;
  readonly measured: number;
  readonly predicted: number;
  readonly title: string;
  readonly near: boolean;
}

const kSize = 420;
const kEdge = 44;

/** One shape and colour a counter, so that colour is never alone. */
const kShapes: Readonly<Record<string, readonly [path: string, look: string]>> = {
  allocated: ['M-3.5 0a3.5 3.5 0 1 0 7 0a3.5 3.5 0 1 0-7 0z', 'weights-1'],
  reserved: ['M-3-3h6v6h-6z', 'optimizer-1'],
  device: ['M0-4L4 3H-4z', 'activations-1'],
  unknown: ['M0-4.5L4.5 0L0 4.5L-4.5 0z', 'loss-1'],
};

const shape = (counter: string): SVGTemplateResult => {
  const [path, look] = kShapes[counter] ?? kShapes['unknown'] ?? ['', ''];
  return svg`<path class=${`dot c-${look}`} d=${path} />`;
};

export function scatter(dots: readonly Dot[]): TemplateResult {
  const values = dots.flatMap(({ measured, predicted }) => [measured / kGiB, predicted / kGiB]);
  const domain: [number, number] = [Math.min(...values) * 0.9, Math.max(...values) * 1.1];
  const x = scaleLog().domain(domain).range([kEdge, kSize]);
  const y = scaleLog()
    .domain(domain)
    .range([kSize - kEdge, 0]);
  const ticks = [1, 2, 5, 10, 20, 50, 100, 200, 500].filter((tick) => tick >= domain[0] && tick <= domain[1]);
  const line = (factor: number): string =>
    `M${x(domain[0]).toFixed(1)} ${y(domain[0] * factor).toFixed(1)}L${x(domain[1]).toFixed(1)} ${y(domain[1] * factor).toFixed(1)}`;
  // What is near to the person's own run is drawn last, above the others.
  const ordered = [...dots].sort((a, b) => Number(a.near) - Number(b.near));
  return html`<figure class="scatter">
    <svg class="chart" role="img" aria-labelledby="scatter-name scatter-text" viewBox=${`0 0 ${kSize} ${kSize}`}>
      <title id="scatter-name">${m.plot.name}</title>
      <desc id="scatter-text">${m.plot.describe(dots.length)}</desc>
      <clipPath id="scatter-field"><rect x=${kEdge} y="0" width=${kSize - kEdge} height=${kSize - kEdge} /></clipPath>
      <g class="grid">
        ${ticks.map(
          (tick) => svg`<line x1=${x(tick)} x2=${x(tick)} y1="0" y2=${kSize - kEdge} />
          <line x1=${kEdge} x2=${kSize} y1=${y(tick)} y2=${y(tick)} />`,
        )}
      </g>
      ${ticks.map(
        (tick) => svg`<text x=${x(tick)} y=${kSize - kEdge + 16} text-anchor="middle">${tick}</text>
        <text x=${kEdge - 6} y=${y(tick) + 4} text-anchor="end">${tick}</text>`,
      )}
      <text x=${(kSize + kEdge) / 2} y=${kSize - 8} text-anchor="middle">${m.plot.measured}</text>
      <text x=${-(kSize - kEdge) / 2} y="12" text-anchor="middle" transform="rotate(-90)">${m.plot.predicted}</text>
      <g clip-path="url(#scatter-field)">
        <path class="diagonal" d=${line(1)} />
        <path class="band" d=${line(1.1)} />
        <path class="band" d=${line(0.9)} />
        ${ordered.map(
          (
            dot,
          ) => svg`<g class=${dot.near ? 'near' : ''} transform=${`translate(${x(dot.measured / kGiB).toFixed(1)} ${y(dot.predicted / kGiB).toFixed(1)})`}>
            <title>${`${dot.title}: ${m.plot.point(gibUnit(dot.measured), gibUnit(dot.predicted))}`}</title>
            ${dot.near ? svg`<circle class="ring" r="8" />` : ''}${shape(dot.counter)}
          </g>`,
        )}
      </g>
    </svg>
    <ul class="legend">
      ${Object.keys(kShapes).map(
        (counter) =>
          html`<li>
            <svg class="swatch" width="14" height="14" viewBox="-7 -7 14 14" aria-hidden="true">${shape(counter)}</svg
            >${m.counters[counter] ?? counter}
          </li>`,
      )}
      <li>
        <svg class="swatch" width="18" height="14" viewBox="0 0 18 14" aria-hidden="true"><path class="chart band" d="M0 7h18" /></svg
        >${m.plot.band}
      </li>
    </ul>
  </figure>`;
}

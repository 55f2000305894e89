// Peak memory against the accelerator: parts of the expected value, the interval as a whisker, the capacity as a frame.
import { scaleLinear } from 'd3-scale';
import { html, nothing, svg, type TemplateResult } from 'lit/html.js';
import { gib, gibUnit, kGiB } from '../format/units';
import { t } from '../strings/en';
import { part } from './palette';

export interface Peak {
  readonly parts: readonly { readonly item: string; readonly label: string; readonly bytes: number }[];
  readonly low: number;
  readonly expected: number;
  readonly high: number;
  readonly capacity: number | undefined;
}

const kBar = { y: 8, height: 30 };

export function peakBar(peak: Peak): TemplateResult {
  const end = Math.max(peak.capacity ?? 0, peak.high) * 1.02;
  const at = scaleLinear().domain([0, end]).range([0, 100]);
  const x = (bytes: number): string => `${at(bytes).toFixed(3)}%`;
  const ticks = scaleLinear()
    .domain([0, end / kGiB])
    .ticks(6);
  let from = 0;
  const parts = peak.parts.map(({ item, label, bytes }) => {
    const box = { x: x(from), y: kBar.y, width: x(bytes), height: kBar.height };
    from += bytes;
    return part(item, box, `${label}: ${gibUnit(bytes)}`);
  });
  const { capacity } = peak;
  return html`<svg class="chart peak" role="img" aria-labelledby="peak-name peak-text" width="100%" height="72">
    <title id="peak-name">${t.peak.name}</title>
    <desc id="peak-text">${t.peak.describe(peak.expected, peak.low, peak.high, capacity)}</desc>
    ${capacity === undefined ? nothing : svg`<rect class="room" x="0" y=${kBar.y - 4} width=${x(capacity)} height=${kBar.height + 8} rx="3" />`}
    ${parts}
    ${
      capacity !== undefined && peak.expected > capacity
        ? svg`<rect class="over" x=${x(capacity)} y=${kBar.y} width=${x(peak.expected - capacity)} height=${kBar.height} />`
        : nothing
    }
    ${capacity === undefined ? nothing : svg`<line class="limit" x1=${x(capacity)} x2=${x(capacity)} y1="0" y2=${kBar.height + 16} />`}
    <g class="whisker">
      <line x1=${x(peak.low)} x2=${x(peak.high)} y1=${kBar.y + kBar.height / 2} y2=${kBar.y + kBar.height / 2} />
      ${[peak.low, peak.high].map((end) => svg`<line x1=${x(end)} x2=${x(end)} y1=${kBar.y + 7} y2=${kBar.y + kBar.height - 7} />`)}
    </g>
    <g class="axis" aria-hidden="true">
      ${ticks.map(
        (tick, index) =>
          svg`<line x1=${x(tick * kGiB)} x2=${x(tick * kGiB)} y1="48" y2="53" />
          <text x=${x(tick * kGiB)} y="67" text-anchor=${index === 0 ? 'start' : at(tick * kGiB) > 95 ? 'end' : 'middle'}>${index === ticks.length - 1 ? gibUnit(tick * kGiB).replace(/\.0+ /, ' ') : gib(tick * kGiB).replace(/\.0+$/, '')}</text>`,
      )}
    </g>
  </svg>`;
}

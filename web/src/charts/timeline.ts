// Memory by phase of one training step: stacked columns, the capacity as a line.
import { scaleLinear } from 'd3-scale';
import { stack } from 'd3-shape';
import { html, nothing, svg, type TemplateResult } from 'lit/html.js';
import { gib, gibUnit, kGiB } from '../format/units';
import { t } from '../strings/en';
import { inOrder, part } from './palette';

export interface Column {
  readonly phase: string;
  readonly bytes: number;
  readonly items: readonly { readonly item: string; readonly bytes: number }[];
}

const kHeight = 240;
const kTop = 22;

/** A capacity far above the columns would flatten them; then it is named, not drawn. */
const drawn = (capacity: number | undefined, most: number): number | undefined =>
  capacity !== undefined && capacity < most * 2.5 ? capacity : undefined;

export function timelineChart(columns: readonly Column[], binding: string, capacity: number | undefined): TemplateResult {
  const most = Math.max(...columns.map((column) => column.bytes));
  const room = drawn(capacity, most);
  const y = scaleLinear()
    .domain([0, Math.max(most, room ?? 0) / kGiB])
    .range([kHeight, kTop])
    .nice(5);
  const ticks = y.ticks(5);
  const keys = inOrder([...new Set(columns.flatMap((column) => column.items.map(({ item }) => item)))].map((item) => ({ item }))).map(
    ({ item }) => item,
  );
  const series = stack<Column>()
    .keys(keys)
    .value((column, key) => column.items.find(({ item }) => item === key)?.bytes ?? 0)([...columns]);
  const pitch = 100 / columns.length;
  const width = pitch * 0.68;
  const left = (index: number): string => `${(index * pitch + (pitch - width) / 2).toFixed(2)}%`;
  const middle = (index: number): string => `${((index + 0.5) * pitch).toFixed(2)}%`;
  const height = (bytes: number): number => y(bytes / kGiB);

  return html`<div class="timeline-chart">
    <svg class="chart scale" aria-hidden="true" width="44" height=${kHeight + 36}>
      <text class="unit" x="38" y="10" text-anchor="end">${t.timeline.unit}</text>
      ${ticks.map((tick) => svg`<text x="38" y=${y(tick) + 4} text-anchor="end">${gib(tick * kGiB).replace(/\.0+$/, '')}</text>`)}
    </svg>
    <svg class="chart" role="img" aria-labelledby="timeline-name timeline-text" width="100%" height=${kHeight + 36}>
      <title id="timeline-name">${t.timeline.name}</title>
      <desc id="timeline-text">
        ${t.timeline.describe(
          columns.map((column) => `${t.phases[column.phase] ?? column.phase} ${gibUnit(column.bytes)}`).join(', '),
          t.phases[binding] ?? binding,
          capacity === undefined ? '' : room === undefined ? t.timeline.beyond(capacity) : t.timeline.room(capacity),
        )}
      </desc>
      <g class="grid">${ticks.map((tick) => svg`<line x1="0" x2="100%" y1=${y(tick)} y2=${y(tick)} />`)}</g>
      ${series.map((layer) =>
        layer.map(([from, to], index) =>
          to <= from
            ? nothing
            : part(
                layer.key,
                { x: left(index), y: height(to), width: `${width}%`, height: Math.max(height(from) - height(to), 0) },
                `${t.item(layer.key)}: ${gibUnit(to - from)}`,
              ),
        ),
      )}
      ${columns.map(
        (column, index) =>
          svg`<text class=${column.phase === binding ? 'value binding' : 'value'} x=${middle(index)} y=${height(column.bytes) - 6} text-anchor="middle">${gib(column.bytes)}</text>
          ${phaseName(column.phase, middle(index), column.phase === binding)}`,
      )}
      ${room === undefined ? nothing : svg`<line class="limit" x1="0" x2="100%" y1=${height(room)} y2=${height(room)} />`}
      ${
        capacity === undefined
          ? nothing
          : svg`<text class="limit-name" x="100%" y=${room === undefined ? 10 : height(room) - 5} text-anchor="end">
              ${room === undefined ? '↑ ' : ''}${gibUnit(capacity)} ${t.timeline.capacity}
            </text>`
      }
    </svg>
  </div>`;
}

// Two words stand below each other, so that five names fit on a phone.
const phaseName = (phase: string, x: string, binding: boolean): TemplateResult =>
  svg`<text class=${binding ? 'phase binding' : 'phase'} y=${kHeight + 16} text-anchor="middle">
    ${(t.phases[phase] ?? phase).split(' ').map((word, line) => svg`<tspan x=${x} dy=${line * 14}>${word}</tspan>`)}
  </text>`;

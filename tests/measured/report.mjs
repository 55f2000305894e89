// Tables of the scorer as text or Markdown.
import { modelName } from './cases.mjs';

const percent = (x, sign = false) => (Number.isFinite(x) ? `${sign && x > 0 ? '+' : ''}${(100 * x).toFixed(1)} %` : '-');
const gib = (bytes) => `${(bytes / 2 ** 30).toFixed(2)} GiB`;

/** Header and cells of the summary. */
export function columns(rows, by) {
  return [
    [
      by,
      'cases',
      'not sized',
      'OOM',
      'of them not "fits"',
      'n',
      'median error',
      'median abs. error',
      '90th pct abs. error',
      'under by > 10 %',
    ],
    ...rows.map((r) => [
      r.key,
      r.cases,
      r.notSized,
      r.oom,
      r.oomNotFitting,
      r.n,
      percent(r.median, true),
      percent(r.medianAbsolute),
      percent(r.p90Absolute),
      percent(r.under10),
    ]),
  ];
}

/** Header and cells of what is reached against what is aimed at. */
columns.aims = (rows) => [
  ['class, quality A and B', 'n', 'median abs. error', 'aim', '90th pct', 'aim', 'under by > 10 %', 'aim', 'in the interval', 'above it'],
  ...rows.map(({ name, n, reached, aim, coverage, above }) => [
    name,
    n,
    ...reached.flatMap((x, i) => [percent(x), aim[i] === null ? '' : percent(aim[i])]),
    percent(coverage),
    percent(above),
  ]),
];

/** Header and cells of the list of single cases. */
columns.worst = (results) => [
  ['case', 'quality', 'model', 'method', 'counter', 'measured', 'predicted', 'error'],
  ...results.map(({ case: c, comparison: k }) => [
    c.id,
    c.quality,
    modelName(c),
    c.request.recipe.method,
    k.counter,
    gib(k.measured),
    gib(k.predicted),
    percent(k.error, true),
  ]),
];

/** Rows of cells, the first a header; the first column left, the rest right aligned. */
export function renderTable(rows, markdown = false) {
  const widths = rows[0].map((_, i) => Math.max(...rows.map((r) => String(r[i]).length)));
  const cell = (value, i) => (i === 0 ? String(value).padEnd(widths[i]) : String(value).padStart(widths[i]));
  const lines = rows.map((r) => (markdown ? `| ${r.map(cell).join(' | ')} |` : r.map(cell).join('  ').trimEnd()));
  if (markdown) lines.splice(1, 0, `| ${widths.map((w, i) => (i === 0 ? '-'.repeat(w) : `${'-'.repeat(w - 1)}:`)).join(' | ')} |`);
  return lines.join('\n');
}

/** One case: where it comes from, measured against predicted, and what the peak consists of. */
export function renderCase(r) {
  const { id, source, notes, unstated, measured, request } = r.case;
  const lines = [
    id,
    `source    ${source}`,
    `notes     ${notes}`,
    `measured  ${measured.oom ? 'out of memory' : `${gib(measured.bytes)} (${measured.counter})`}`,
  ];
  for (const u of unstated) lines.push(`unstated  ${u.pointer}: ${u.reason}`);
  lines.push(`request   ${JSON.stringify(request)}`);
  if (r.refusal) {
    for (const f of r.refusal.findings) lines.push(`${f.severity}  ${f.code} ${f.pointer}: ${f.message} (${f.hint})`);
    return lines.join('\n');
  }
  const { peak, timeline, breakdown, binding_phase: phase, verdict } = r.answer.memory;
  if (r.comparison) lines.push(`error     ${percent(r.comparison.error, true)} of ${r.comparison.counter}`);
  lines.push(`verdict   ${verdict ?? '-'}`, ...['allocated', 'reserved', 'device'].map((k) => `${k.padEnd(9)} ${gib(peak[k].expected)}`));
  lines.push(...timeline.map((t) => `phase     ${t.phase.padEnd(15)} ${gib(t.bytes)}`), `at the peak (${phase})`);
  lines.push(...breakdown.map((b) => `  ${b.item.padEnd(28)} ${gib(b.bytes)}`));
  for (const a of r.answer.assumptions ?? []) lines.push(`assumed   ${a.pointer} = ${JSON.stringify(a.value)}: ${a.because}`);
  return lines.join('\n');
}

// An answer as a page of text. Prints the parts that are there.
import { plain, table } from './output.mjs';
import { bytes, chance, count, percent } from './units.mjs';

const verdicts = { fits: 'fits', tight: 'tight', no: 'does not fit', unknown: 'unknown' };

/** The answer for a person, without a trailing newline. */
export function report(answer) {
  const parts = [head(answer), memory(answer), fit(answer), warnings(answer), assumptions(answer), foot(answer)];
  return lines(parts.filter(Boolean).join('\n\n'));
}

// Names come from outside; line breaks are ours.
const lines = (text) => text.split('\n').map(plain).join('\n');

const bases = {
  config: ', dimensions from its own file',
  safetensors: ', dimensions from its own files, counted in their headers',
  size_only: ', dimensions not known: taken from its size, a rough answer',
};

function head({ model }) {
  if (!model) return '';
  const trained = model.trainable_parameters === undefined ? '' : `, ${count(model.trainable_parameters)} trained`;
  return `${model.id ?? model.name ?? 'model'}: ${count(model.parameters)} parameters${trained}${bases[model.basis] ?? ''}`;
}

function memory({ memory: m }) {
  if (!m) return '';
  return [verdict(m), peaks(m), breakdown(m), timeline(m)].filter(Boolean).join('\n\n');
}

function verdict(m) {
  if (!m.verdict) return '';
  const odds = m.fit_probability === undefined ? '' : `, probability of fitting ${chance(m.fit_probability)}`;
  const room = m.headroom === undefined ? '' : `, headroom ${percent(m.headroom)}`;
  const capacity = m.capacity_bytes === undefined ? '' : `, capacity ${bytes(m.capacity_bytes)} (${m.capacity_basis})`;
  return `Verdict: ${verdicts[m.verdict] ?? m.verdict}${capacity}${odds}${room}`;
}

const peakNames = {
  allocated: 'allocated (max_memory_allocated)',
  reserved: 'reserved (max_memory_reserved)',
  device: 'device (nvidia-smi)',
};

function peaks(m) {
  const rows = Object.entries(m.peak ?? {}).map(([counter, { expected, low, high }]) => [
    peakNames[counter] ?? counter,
    bytes(expected),
    `${bytes(low)} to ${bytes(high)}`,
  ]);
  return rows.length ? table([['Peak memory per accelerator', 'expected', '80 % interval'], ...rows], [1]) : '';
}

function breakdown(m) {
  if (!m.breakdown?.length) return '';
  const total = m.breakdown.reduce((sum, part) => sum + part.bytes, 0);
  const rows = m.breakdown.map(({ item, bytes: size }) => [item, bytes(size), percent(size / total, 1)]);
  return table([[`At the peak (${m.binding_phase})`, 'bytes', 'share'], ...rows], [1, 2]);
}

function timeline(m) {
  if (!m.timeline?.length) return '';
  return table([['Phase', 'most at one moment'], ...m.timeline.map(({ phase, bytes: size }) => [phase, bytes(size)])], [1]);
}

function fit({ fit: systems }) {
  if (!systems?.length) return '';
  const rows = systems.map(({ system, verdict, headroom, limit }) => [
    system,
    verdicts[verdict] ?? verdict,
    typeof headroom === 'number' ? percent(headroom) : '',
    limit ?? '',
  ]);
  return table([['System', 'verdict', 'headroom', 'limit'], ...rows], [2]);
}

function warnings({ findings }) {
  if (!findings?.length) return '';
  return ['Mind:', ...findings.map(({ pointer, message, hint }) => `  ${pointer}: ${message} ${hint ?? ''}`)].join('\n');
}

function assumptions({ assumptions: list }) {
  if (!list?.length) return '';
  const line = ({ pointer, value, because }) => `  ${pointer ? `${pointer} = ` : ''}${JSON.stringify(value ?? null)}: ${because ?? ''}`;
  return ['Not stated, so taken:', ...list.map(line)].join('\n');
}

function foot({ engine_version: engine, catalogue }) {
  const facts = catalogue ? `, catalogue ${catalogue.version} of ${catalogue.date}` : '';
  return `tunefit ${engine}${facts}`;
}

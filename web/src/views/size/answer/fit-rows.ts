// The engine's verdicts, joined with names out of the catalogue.
import type { Answer } from '../../../contract';
import type { State } from '../../../state/state';
import { t } from '../../../strings/en';
import { overlayOrigin } from '../../catalogue/origin';
import { hardwareChange } from '../options';

export interface FitRow {
  readonly id: string;
  readonly name: string;
  readonly detail: string;
  readonly search: string;
  readonly verdict: string;
  readonly memory: number | undefined;
  readonly headroom: number | undefined;
  readonly limit: string;
  /** What choosing it changes in the request. */
  readonly use: Readonly<Record<string, unknown>>;
}

type Judged = NonNullable<Answer['accelerators']>[number] | NonNullable<Answer['fit']>[number];

const limitOf = (entry: Judged): string =>
  entry.unknown
    ? t.fit.missing(entry.unknown.join(', '))
    : entry.limit && entry.limit !== 'gpu_memory'
      ? (t.limits[entry.limit] ?? entry.limit)
      : '';

function row(entry: Judged, value: string, id: string, name: string, detail: string, vendor: string): FitRow {
  return {
    id,
    name,
    detail,
    search: `${name} ${detail} ${vendor} ${id}`.toLowerCase(),
    verdict: entry.verdict,
    memory: entry.capacity_bytes,
    headroom: entry.headroom,
    limit: limitOf(entry),
    use: hardwareChange(value),
  };
}

/** The last rows made, until answer or catalogue change: a table of hundreds is not rebuilt at every keystroke. */
function remember<T>(make: (state: State) => T): (state: State) => T {
  let last: { fit: State['fit']['answer']; catalogue: State['catalogue']; rows: T } | null = null;
  return (state) => {
    if (last?.fit !== state.fit.answer || last.catalogue !== state.catalogue) {
      last = { fit: state.fit.answer, catalogue: state.catalogue, rows: make(state) };
    }
    return last.rows;
  };
}

const withOrigin = (state: State, kind: string, id: string, detail: string): string =>
  [detail, overlayOrigin(state, kind, id)].filter(Boolean).join(' · ');

export const acceleratorRows = remember((state: State): readonly FitRow[] => {
  const { fit, catalogue } = state;
  const entries = new Map(catalogue.accelerators.map((entry) => [entry.id, entry]));
  return (fit.answer?.accelerators ?? []).map((judged) => {
    const entry = entries.get(judged.accelerator);
    return row(
      judged,
      `accelerator:${judged.accelerator}`,
      judged.accelerator,
      entry?.name ?? judged.accelerator,
      withOrigin(state, 'accelerators', judged.accelerator, entry?.vendor ?? ''),
      '',
    );
  });
});

export const systemRows = remember((state: State): readonly FitRow[] => {
  const { fit, catalogue } = state;
  const systems = new Map(catalogue.systems.map((entry) => [entry.id, entry]));
  const accelerators = new Map(catalogue.accelerators.map((entry) => [entry.id, entry]));
  return (fit.answer?.fit ?? []).map((judged) => {
    const entry = systems.get(judged.system);
    const card = accelerators.get(entry?.accelerator ?? '')?.name ?? entry?.accelerator ?? '';
    const detail = entry && entry.accelerators > 0 ? `${t.times(entry.accelerators)} ${card}` : '';
    return row(
      judged,
      `system:${judged.system}`,
      judged.system,
      entry?.name ?? judged.system,
      withOrigin(state, 'systems', judged.system, detail),
      entry?.vendor ?? '',
    );
  });
});

// Accelerators, and the systems and offers that hold them.
import type { TemplateResult } from 'lit/html.js';
import { html } from 'lit/html.js';
import type { Accelerator, Offer, Price, System } from '../../catalogue';
import { parseNumber } from '../../fields/number';
import { gibUnit, kGiB, scaled, usd } from '../../format/units';
import { c } from '../../strings/catalogue';
import type { State } from '../../state/state';
import { t } from '../../strings/en';
import { hardwareChange } from '../size/options';
import { boundFilter, choiceFilter, type Filter, type KindSpec } from './spec';
import { rate } from './value';

const f = c.filter;
const gibibytes = (text: string): number | undefined => {
  const value = parseNumber(text);
  return value === undefined ? undefined : value * kGiB;
};
const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');
const plain = (text: string): number | undefined => parseNumber(text);

const dated = (money: string, { date }: Price): TemplateResult => html`${money} <small>${date ?? c.undated}</small>`;

const bought = (price: Price | undefined): TemplateResult | undefined =>
  price?.purchase_usd === undefined ? undefined : dated(usd(price.purchase_usd), price);

function hourly(price: Price | undefined): TemplateResult | undefined {
  if (price?.usd_per_hour !== undefined) return dated(usd(price.usd_per_hour), price);
  const range = price?.usd_per_hour_range;
  return price && range ? dated(range.map(usd).join(' – '), price) : undefined;
}

/** What "supports" says of software; MIG is known by its slices. */
const kSoftware: Filter<Accelerator> = {
  id: 'software',
  label: f.software,
  choices: () => Object.entries(c.software),
  keep: (entry, name) => {
    const value = name === 'mig' ? (Array.isArray(entry['mig']) ? true : undefined) : entry.supports?.[name];
    if (value === undefined) return 'unknown';
    return value === true ? 'yes' : value === 'partial' ? 'partly' : 'no';
  },
};

const priceKnown = <E extends System | Offer>(): Filter<E> => ({
  id: 'price',
  label: f.price,
  choices: () => [['known', f.priceKnown]],
  keep: ({ price }) => (price?.purchase_usd === undefined && price?.usd_per_hour === undefined ? 'no' : 'yes'),
});

export const accelerators: KindSpec<Accelerator> = {
  id: 'accelerators',
  columns: [
    { id: 'name', label: c.columns.name, cell: () => '', by: (entry) => entry.name },
    {
      id: 'memory',
      label: c.columns.memory,
      numeric: true,
      cell: ({ memory_marketed_bytes: n }) => (n === undefined ? undefined : gibUnit(n)),
      by: (entry) => entry.memory_marketed_bytes,
    },
    {
      id: 'bandwidth',
      label: c.columns.bandwidth,
      numeric: true,
      from: 'medium',
      cell: ({ memory_bandwidth_bytes_per_s: n }) => (n === undefined ? undefined : scaled(n, 'B/s')),
      by: (entry) => entry.memory_bandwidth_bytes_per_s,
    },
    {
      id: 'rate',
      label: c.columns.rate,
      numeric: true,
      from: 'medium',
      cell: ({ tflops_dense: dense }) => (dense?.['bf16'] === undefined ? undefined : rate(dense['bf16'], 'bf16')),
      by: (entry) => entry.tflops_dense?.['bf16'],
    },
    {
      id: 'power',
      label: c.columns.power,
      numeric: true,
      from: 'wide',
      cell: ({ power_w: n }) => (n === undefined ? undefined : `${n} W`),
      by: (entry) => entry.power_w,
    },
    {
      id: 'price',
      label: c.columns.price,
      numeric: true,
      from: 'wide',
      cell: ({ price }) => bought(price),
      by: ({ price }) => price?.purchase_usd,
    },
  ],
  filters: [
    choiceFilter('vendor', f.vendor, (entry) => [entry.vendor]),
    boundFilter('memory', f.memory, (entry) => entry.memory_marketed_bytes, gibibytes),
    kSoftware,
  ],
  name: (entry) => entry.name,
  detail: (entry) => [entry.vendor, textOf(entry['architecture']), textOf(entry['form'])].filter(Boolean).join(' · '),
  names: (entry) => [entry.id],
  words: (entry) => [entry.vendor, textOf(entry['architecture']), textOf(entry['form'])],
  use: (entry) => hardwareChange(`accelerator:${entry.id}`),
};

const cardName = (state: State, id: string | null): string =>
  id === null ? '' : (state.catalogue.accelerators.find((entry) => entry.id === id)?.name ?? id);

const machineColumns = <E extends System | Offer>(): KindSpec<E>['columns'] => [
  { id: 'name', label: c.columns.name, cell: () => '', by: (entry) => entry.name },
  {
    id: 'accelerators',
    label: c.columns.accelerators,
    cell: (entry, state) =>
      entry.accelerator === null ? t.nothing : `${t.times(entry.accelerators)} ${cardName(state, entry.accelerator)}`,
    by: (entry) => entry.accelerators,
  },
  {
    id: 'ram',
    label: c.columns.ram,
    numeric: true,
    from: 'wide',
    cell: ({ host }) => (typeof host?.['ram_bytes'] === 'number' ? gibUnit(host['ram_bytes']) : undefined),
    by: ({ host }) => (typeof host?.['ram_bytes'] === 'number' ? host['ram_bytes'] : undefined),
  },
];

const machineFilters = <E extends System | Offer>(): KindSpec<E>['filters'] => [
  choiceFilter(
    'accelerator',
    f.accelerator,
    (entry) => [entry.accelerator ?? undefined],
    (id, state) => cardName(state, id),
  ),
  boundFilter('count', f.count, (entry) => entry.accelerators, plain),
];

const placeWord = (place: string): string => c.places[place] ?? place;
const kindWord = (kind: string): string => c.systemKinds[kind] ?? kind;
// The count and name of the card stand in a column of their own.
const useAccelerators = (entry: System | Offer): boolean => entry.accelerator !== null && entry.accelerators > 0;

export const systems: KindSpec<System> = {
  id: 'systems',
  columns: [
    ...machineColumns<System>(),
    {
      id: 'power',
      label: c.columns.power,
      numeric: true,
      from: 'wide',
      cell: ({ power_w: n }) => (n === undefined ? undefined : `${n} W`),
      by: (entry) => entry.power_w,
    },
    { id: 'place', label: c.columns.place, from: 'medium', cell: ({ places }) => places?.map(placeWord).join(', ') },
    {
      id: 'price',
      label: c.columns.price,
      numeric: true,
      from: 'medium',
      cell: ({ price }) => bought(price),
      by: ({ price }) => price?.purchase_usd,
    },
  ],
  filters: [
    choiceFilter('place', f.place, (entry) => entry.places ?? [], placeWord),
    ...machineFilters<System>(),
    choiceFilter('vendor', f.vendor, (entry) => [entry.vendor]),
    choiceFilter('kind', f.kind, (entry) => [entry.kind], kindWord),
    priceKnown<System>(),
  ],
  name: (entry) => entry.name,
  detail: (entry) => [entry.vendor, entry.kind && kindWord(entry.kind)].filter(Boolean).join(' · '),
  names: (entry) => [entry.id],
  words: (entry, state) => [entry.vendor, entry.accelerator ?? '', cardName(state, entry.accelerator)],
  use: (entry) => (useAccelerators(entry) ? hardwareChange(`system:${entry.id}`) : undefined),
};

export const offers: KindSpec<Offer> = {
  id: 'offers',
  columns: [
    ...machineColumns<Offer>(),
    { id: 'hour', label: c.columns.hour, numeric: true, cell: ({ price }) => hourly(price), by: ({ price }) => price?.usd_per_hour },
    {
      id: 'spot',
      label: c.columns.spot,
      numeric: true,
      from: 'medium',
      cell: (entry) => hourly(entry.price_spot),
      by: ({ price_spot: price }) => price?.usd_per_hour ?? price?.usd_per_hour_range?.[0],
    },
  ],
  filters: [
    choiceFilter('provider', f.provider, (entry) => [entry.provider]),
    ...machineFilters<Offer>(),
    boundFilter('hour', f.hourAtMost, ({ price }) => price?.usd_per_hour, plain, 'most'),
    priceKnown<Offer>(),
  ],
  name: (entry) => entry.name,
  detail: (entry) => entry.provider,
  names: (entry) => [entry.id],
  words: (entry, state) => [entry.provider, entry.accelerator ?? '', cardName(state, entry.accelerator)],
  use: (entry) => (useAccelerators(entry) ? hardwareChange(`accelerator:${entry.accelerator ?? ''}`) : undefined),
};

// Every figure of an entry, in sections: label, meaning, value, where it is from.
import meanings from 'virtual:tunefit/entries';
import type { Entry } from '../../catalogue';
import type { State } from '../../state/state';
import { c, labels } from '../../strings/catalogue';
import { t } from '../../strings/en';
import { type Origin, originOf } from './origin';
import { rate, valueText } from './value';

export type SectionId = keyof typeof c.sections;

export interface Figure {
  readonly path: string;
  readonly label: string;
  readonly meaning: string;
  /** undefined: no source says. */
  readonly value: string | undefined;
  readonly origin: Origin;
}

export interface Section {
  readonly id: SectionId;
  readonly figures: readonly Figure[];
}

// Members that say something about others, not of the thing itself.
const kAbout =
  /(^|_)(sources?|basis|basis_note|independent|note_date)$|^(fields_from_memory|replaces|dims_of|licence|memory_marketed_gb|absent)$|_source$|_basis$/;

// Which section a member stands in, by kind: the first pattern that fits; else the last section.
const kSections: Readonly<Record<string, readonly (readonly [SectionId, RegExp])[]>> = {
  models: [
    ['about', /^(id|hf_id|name|owner|family|kind|release|revision|hf_downloads_month|max_position_embeddings|dtype|native_dtype|note)$/],
    ['size', /^(params_.*|diff_note|extra_params|mtp.*)$/],
    ['dimensions', /./],
  ],
  accelerators: [
    ['about', /^(id|name|vendor|architecture|compute_capability|form|release_year|power_w|note|devices)$/],
    ['memory', /^memory_.*(?<!per_s)$/],
    ['speed', /^(memory_bandwidth.*|tflops.*|matmul.*)$/],
    ['links', /^(pcie|link.*)$/],
    ['support', /^supports/],
    ['mig', /^mig/],
    ['price', /^price/],
    ['further', /./],
  ],
  systems: [
    ['machine', /^(id|name|vendor|kind|accelerator|accelerators|nodes|interconnect|note|options|parts)$/],
    ['host', /^host/],
    ['site', /^(power_w|cooling|noise.*|rack_units|places|hosted)$/],
    ['price', /^price/],
    ['further', /./],
  ],
  offers: [
    ['machine', /^(id|name|provider|accelerator|accelerators|nodes|interconnect|note)$/],
    ['host', /^host/],
    ['price', /^price/],
    ['further', /./],
  ],
};

// What every entry of a kind has, so that its absence is worth a word.
const kExpected: Readonly<Record<string, readonly string[]>> = {
  models: ['release', 'max_position_embeddings', 'params_total'],
  accelerators: [
    'memory_marketed_bytes',
    'memory_reported_bytes',
    'memory_visible_bytes',
    'memory_bandwidth_bytes_per_s',
    'tflops_dense.bf16',
    'matmul_measured',
    'power_w',
    'pcie',
    'supports.bf16',
    'supports.flash_attention_2',
    'supports.flash_attention_3',
    'supports.bitsandbytes',
    'supports.fp8',
    'price',
  ],
  systems: [
    'host.cpu_cores',
    'host.cpu_clock_ghz',
    'host.ram_bytes',
    'host.nvme_bytes',
    'host.nvme_write_bytes_per_s',
    'host.network_bits_per_s',
    'host.pcie',
    'power_w',
    'cooling',
    'noise_dba',
    'places',
    'price',
  ],
  offers: ['host.cpu_cores', 'host.ram_bytes', 'host.nvme_bytes', 'host.network_bits_per_s', 'price', 'price_spot'],
};

// Members that need no word of what they mean, and those whose values have one.
const kPlain = /^(id|hf_id|name|owner|family|vendor|provider|kind|note|accelerator|release|release_year|form|supports\..*)$/;
const kUnchecked: Origin = { text: c.from.memory, unchecked: true };
const kWords: Readonly<Record<string, Readonly<Record<string, string>>>> = { kind: { ...c.modelKinds, ...c.systemKinds } };

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

interface Part {
  readonly value: string;
  readonly label?: string;
  /** Source that stands with this figure itself. */
  readonly source?: string;
  readonly unchecked?: boolean;
}

function price(value: Readonly<Record<string, unknown>>): Part {
  const range = value['usd_per_hour_range'];
  const money =
    Array.isArray(range) && typeof value['usd_per_hour'] !== 'number' ? range.map((n) => valueText('usd_per_hour', n)).join(' – ') : '';
  const words = [
    money || ['purchase_usd', 'usd_per_hour'].map((name) => (name in value ? valueText(name, value[name]) : '')).find(Boolean),
    ...['kind', 'commitment', 'region', 'note'].map((name) => t.words(text(value[name]))),
    value['date'] ? c.asOf(text(value['date'])) : c.undated,
    text(value['date_note']),
  ];
  return { value: words.filter(Boolean).join(', '), source: text(value['source']) };
}

type Item = Readonly<Record<string, unknown>>;

const share = (value: unknown): string => (Array.isArray(value) ? value.join('/') : c.unknown);

const choices = (option: Item): string =>
  (Array.isArray(option['choices']) ? (option['choices'] as readonly Item[]) : [])
    .map((choice) => `${text(choice['name'])}${choice['id'] === option['default'] ? ` (${t.default})` : ''}`)
    .join('; ');

// Members that are lists of objects: a figure for each item.
const kItems: Readonly<Record<string, (item: Item) => Part>> = {
  matmul_measured: (item) => ({
    value: [rate(Number(item['tflops']), text(item['dtype'])), text(item['dtype']), text(item['note'])].filter(Boolean).join(', '),
    source: text(item['source']),
  }),
  mig: (item) => ({
    label: text(item['profile']),
    value: c.slice(
      Number(item['instances']),
      [
        share(item['memory_slices']),
        ...(typeof item['memory_bytes'] === 'number' ? [valueText('memory_bytes', item['memory_bytes'])] : []),
      ].join(', '),
      share(item['compute_slices']),
    ),
    source: [text(item['source']), text(item['memory_source'])].filter(Boolean).join('; '),
  }),
  options: (item) => ({
    label: text(item['name']),
    value: choices(item),
    source: [item['basis'] === 'inferred' ? c.from.inferred : '', text(item['source'])].filter(Boolean).join('; '),
    unchecked: item['basis'] === 'memory',
  }),
  parts: (item) => ({
    label: c.parts[text(item['what'])] ?? labelOf('parts'),
    value: `${t.times(Number(item['count']))} ${text(item['name'])}`,
  }),
  extra_params: (item) => ({ label: t.words(text(item['name'])), value: valueText('count', item['count']) }),
};

/** The members of an entry, nested ones by their path, each with its parts. */
function* membersOf(entry: Readonly<Record<string, unknown>>, path = ''): Generator<readonly [string, Part]> {
  for (const [name, value] of Object.entries(entry)) {
    const at = path === '' ? name : `${path}.${name}`;
    if (kAbout.test(name) || value === null) continue;
    if (/^price(_spot)?$/.test(at) && isRecord(value)) yield [at, price(value)];
    else if (isRecord(value)) yield* membersOf(value, at);
    else if (Array.isArray(value) && value.some(isRecord)) {
      const write = kItems[at];
      for (const item of value as readonly unknown[]) yield [at, isRecord(item) && write ? write(item) : { value: valueText(at, item) }];
    } else if (at === 'places' && Array.isArray(value)) {
      yield [at, { value: value.map((place) => c.places[String(place)] ?? String(place)).join(', ') }];
    } else yield [at, { value: kWords[at]?.[text(value)] ?? valueText(at, value) }];
  }
}

/** What a member is called: "vision.num_layers" -> "vision: num layers" where no label is set. */
export function labelOf(path: string): string {
  const whole = labels[path];
  if (whole !== undefined) return whole;
  return path
    .split('.')
    .map((name) => labels[name] ?? t.words(name))
    .join(': ');
}

// Why a member that others have is not there, where the entry says so.
const absence = (entry: Entry, path: string): string => (isRecord(entry['absent']) ? text(entry['absent'][path]) : '');

export function sectionsOf(state: State, kind: string, entry: Entry): readonly Section[] {
  const order = kSections[kind] ?? [['about', /./]];
  const sections = new Map<SectionId, Figure[]>(order.map(([id]) => [id, []]));
  const put = (path: string, part: Part | undefined): void => {
    const [id] = order.find(([, pattern]) => pattern.test(path)) ?? ['further' as const];
    sections.get(id)?.push({
      path,
      label: part?.label ?? labelOf(path),
      meaning: part?.label !== undefined || kPlain.test(path) ? '' : (meanings[kind]?.[path] ?? ''),
      value: part?.value,
      origin: part?.unchecked
        ? kUnchecked
        : part
          ? originOf(state, kind, entry, path, part.source)
          : { text: absence(entry, path), unchecked: false },
    });
  };
  const seen = new Set<string>();
  for (const [path, part] of membersOf(entry)) {
    seen.add(path);
    const card = path === 'accelerator' ? state.catalogue.accelerators.find(({ id }) => id === part.value)?.name : undefined;
    put(path, card === undefined ? part : { ...part, value: `${card} (${part.value})` });
  }
  for (const path of kExpected[kind] ?? []) if (!seen.has(path)) put(path, undefined);
  const rank = (path: string): number => {
    const at = Object.keys(labels).indexOf(path.startsWith('tflops_dense') ? 'tflops_dense' : path);
    return at < 0 ? 1000 : at;
  };
  return [...sections]
    .map(([id, figures]) => ({ id, figures: figures.sort((a, b) => rank(a.path) - rank(b.path)) }))
    .filter(({ figures }) => figures.length > 0);
}

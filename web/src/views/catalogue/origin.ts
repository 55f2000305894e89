// Where a figure comes from, in words: its own source, the entry's sources and basis, the file it was given in.
import type { Entry } from '../../catalogue';
import type { OverlayFile, State } from '../../state/state';
import { c } from '../../strings/catalogue';

export interface Origin {
  readonly text: string;
  /** Nobody has checked it against a source. */
  readonly unchecked: boolean;
}

export const overlayFile = (state: State, kind: string, id: string): OverlayFile | undefined =>
  state.overlays.origins.get(`${kind}:${id.toLowerCase()}`);

/** "from your file acme.json"; '' for an entry of the catalogue itself. */
export function overlayOrigin(state: State, kind: string, id: string): string {
  const file = overlayFile(state, kind, id);
  if (!file) return '';
  return file.origin === 'file' ? c.from.overlay(file.name) : c.from.page(file.name);
}

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const list = (value: unknown): readonly string[] => (Array.isArray(value) ? value.map(String) : []);
const join = (...parts: readonly string[]): string => parts.filter(Boolean).join('; ');

const checked = (words: string): Origin => ({ text: words, unchecked: false });
const kUnchecked: Origin = { text: c.from.memory, unchecked: true };

/** The entry's numbered sources. */
export const sourcesOf = (entry: Entry): readonly string[] => list(entry['sources']);

function numbers(entry: Entry): string {
  const n = sourcesOf(entry).length;
  return n === 0 ? '' : n === 1 ? c.oneSource : c.sourceNumbers(`1–${n}`);
}

const fromMemory = (entry: Entry, path: string): boolean =>
  list(entry['fields_from_memory']).some((name) => path === name || path.startsWith(`${name}.`));

// What the members of a model say of their own.
const kOfModel: Readonly<Record<string, (entry: Entry) => Origin>> = {
  params_total: (entry) => {
    const basis = text(entry['params_total_basis']);
    const words = { published: c.from.published, published_adjusted: c.from.published_adjusted, rounded: c.from.rounded }[basis] ?? '';
    return basis === 'memory' ? kUnchecked : checked(join(words, text(entry['params_total_source']) || numbers(entry)));
  },
  release: (entry) =>
    entry['release_basis'] === 'sources'
      ? checked(text(entry['release_source']))
      : entry['release_basis'] === 'hub'
        ? checked(c.from.hub)
        : entry['release_basis'] === 'memory'
          ? kUnchecked
          : checked(numbers(entry)),
  hf_downloads_month: () => checked(c.from.downloads),
};

function ofModel(entry: Entry, path: string): Origin {
  const own = kOfModel[path];
  if (own) return own(entry);
  const base = text(entry['dims_of']);
  const words = { config: c.from.config, code: c.from.code }[text(entry['basis'])] ?? '';
  const as = base === '' ? '' : c.from.as(base);
  if (entry['basis'] === 'memory') return { text: join(as, c.from.memory), unchecked: true };
  const unsure = path === 'max_position_embeddings' ? text(entry['max_position_embeddings_basis']) : '';
  return checked(join(as, words, numbers(entry), unsure));
}

function ofHardware(entry: Entry, path: string): Origin {
  const own = path.endsWith('_bytes') ? text(entry[path.replace(/_bytes$/, '_source')]) : '';
  if (own !== '') return checked(own);
  return entry['basis'] === 'memory' ? kUnchecked : checked(numbers(entry));
}

/** What names or describes an entry rather than being a fact about it. */
const kNames = /^(id|hf_id|name|owner|family|vendor|provider|kind|note)$/;

/** Of a member of an entry; `own`: the source that stands with the figure itself. */
export function originOf(state: State, kind: string, entry: Entry, path: string, own = ''): Origin {
  const file = overlayOrigin(state, kind, entry.id);
  const found = (): Origin => {
    if (own !== '') return checked(own);
    if (kNames.test(path)) return checked('');
    if (fromMemory(entry, path)) return kUnchecked;
    return kind === 'models' ? ofModel(entry, path) : ofHardware(entry, path);
  };
  if (file === '') return found();
  const { text: words, unchecked } = found();
  return { text: join(file, words), unchecked };
}

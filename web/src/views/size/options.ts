// Catalogue entries as options of the lists one can type into.
import type { Accelerator, Model, System } from '../../catalogue';
import type { Option } from '../../fields/search';
import type { Catalogue } from '../../state/state';
import { gibUnit, parameters } from '../../format/units';
import { t } from '../../strings/en';

export const modelName = (model: Model): string => model.name ?? model.hf_id?.split('/').at(-1) ?? model.id;

const words = (...texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join(' ').toLowerCase();

function modelOption(model: Model): Option {
  const size = model.params_total === undefined ? '' : parameters(model.params_total);
  const kind = t.modelKinds[model.kind] ?? model.kind;
  return {
    value: model.hf_id ?? model.id,
    label: modelName(model),
    detail: [size, kind].filter(Boolean).join(' · '),
    group: model.family ?? model.owner ?? t.other,
    search: words(modelName(model), model.id, model.hf_id, model.family, model.owner, kind),
  };
}

const kAccelerator = 'accelerator:';
const kSystem = 'system:';

const acceleratorOption = (entry: Accelerator): Option => ({
  value: kAccelerator + entry.id,
  label: entry.name,
  ...(entry.memory_marketed_bytes ? { detail: gibUnit(entry.memory_marketed_bytes) } : {}),
  group: entry.vendor,
  search: words(entry.name, entry.id, entry.vendor),
});

const systemOption = (entry: System): Option => ({
  value: kSystem + entry.id,
  label: entry.name,
  detail: t.times(entry.accelerators),
  group: t.systems,
  search: words(entry.name, entry.id, entry.vendor, entry.kind),
});

/** The pointers that choosing this hardware sets. */
export const hardwareChange = (value: string): Readonly<Record<string, unknown>> => ({
  '/placement/accelerator': value.startsWith(kAccelerator) ? value.slice(kAccelerator.length) : undefined,
  '/placement/system': value.startsWith(kSystem) ? value.slice(kSystem.length) : undefined,
});

export const hardwareValue = (placement: { accelerator?: unknown; system?: unknown } | null | undefined): string => {
  if (typeof placement?.system === 'string') return kSystem + placement.system;
  return typeof placement?.accelerator === 'string' ? kAccelerator + placement.accelerator : '';
};

// The catalogue comes once; so do its options.
let last: { of: Catalogue; models: readonly Option[]; hardware: readonly Option[] } | null = null;

function all(catalogue: Catalogue): { models: readonly Option[]; hardware: readonly Option[] } {
  if (last?.of !== catalogue) {
    const { models, accelerators, systems } = catalogue;
    last = {
      of: catalogue,
      models: models.map(modelOption),
      hardware: [...accelerators.map(acceleratorOption), ...systems.filter((system) => system.accelerator !== null).map(systemOption)],
    };
  }
  return last;
}

export const modelOptions = (catalogue: Catalogue): readonly Option[] => all(catalogue).models;
export const hardwareOptions = (catalogue: Catalogue): readonly Option[] => all(catalogue).hardware;

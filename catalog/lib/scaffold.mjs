// A first form of a new entry: every member that someone has to look up is there and null, so that the linters name it.
import { FORMATS } from './formats.mjs';

export const SINGULAR = { model: 'models', accelerator: 'accelerators', system: 'systems', offer: 'offers' };

// The member of a kind's files that tells which file is meant; an accelerator's file is told by its architecture too.
const GROUPED_BY = { models: 'family', accelerators: 'vendor', systems: 'group', offers: 'provider' };

// Members that the schema lets an overlay leave out and an entry of the catalogue should have.
const EXPECTED = {
  accelerators: ['architecture', 'form', 'memory_marketed_gb', 'basis'],
  systems: ['vendor', 'kind', 'nodes', 'basis'],
  offers: ['nodes', 'basis'],
};

/** What is wrong with a wish for a new entry, for a person. */
export class Refused extends Error {}

const slug = (text) =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^[-.]+|[-.]+$/g, '');

const same = (a, b) => typeof a === 'string' && typeof b === 'string' && a.toLowerCase() === b.toLowerCase();

/** An accelerator, system or offer of which `given` holds what is known. */
export function blankEntry(kind, given, schema) {
  const wanted = new Set([...schema.required, ...EXPECTED[kind]]);
  const entry = {};
  for (const [member, own] of Object.entries(schema.properties)) {
    if (member === 'replaces' || member === GROUPED_BY[kind]) continue;
    const described = resolve(own, schema);
    if (given[member] !== undefined) entry[member] = given[member];
    else if (member === 'sources') entry.sources = given.source ? [given.source] : [];
    else if (wanted.has(member) || nullable(described)) entry[member] = null;
    else if (described.type === 'object') entry[member] = nulls(described, schema);
  }
  return entry;
}

const resolve = (schema, root) => (schema.$ref ? { ...root.$defs[schema.$ref.split('/').pop()], ...schema } : schema);

const nullable = ({ type, enum: values }) => [type].flat().includes('null') || values?.includes(null);

const nulls = (schema, root) =>
  Object.fromEntries(
    Object.entries(schema.properties ?? {})
      .filter(([, own]) => nullable(resolve(own, root)))
      .map(([member]) => [member, null]),
  );

/** A model of which `read` is the entry that the engine made of its config.json. Same dimensions as another's: names it. */
export function modelEntry(read, given, catalogue) {
  const twin = twinOf(read, given.family, catalogue);
  const dimensions = new Set(catalogue.schemas.model.dimensions);
  const own = Object.entries(read).filter(([member]) => !(twin && dimensions.has(member)));
  return {
    id: given.id,
    ...(given.hf_id && { hf_id: given.hf_id }),
    ...(given.revision && { revision: given.revision }),
    release: null,
    release_basis: null,
    params_total: null,
    params_total_source: null,
    params_total_basis: null,
    ...Object.fromEntries(own),
    ...(twin && { dims_of: twin.id }),
    sources: given.source ? [given.source] : [],
  };
}

// The model of the catalogue with the very same architecture, rather one of the family.
function twinOf(read, family, { models, schemas }) {
  const schema = schemas.model;
  const key = (entry) =>
    JSON.stringify(
      schema.dimensions
        .filter((member) => entry[member] != null && entry[member] !== schema.properties[member]?.default)
        .map((member) => [member, sorted(entry[member])]),
    );
  const wanted = key(read);
  const twins = models.map(({ entry }) => entry).filter((entry) => !entry.dims_of && entry.kind === read.kind && key(entry) === wanted);
  return twins.find((entry) => same(entry.family, family)) ?? twins[0];
}

function sorted(value) {
  if (Array.isArray(value)) return value.map(sorted);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((member) => [member, sorted(value[member])]),
  );
}

/** {path, kind, data, isNew}: the file in which an entry of that kind belongs, with the entry at its end. */
export function place(kind, entry, given, catalogue) {
  checkId(kind, entry, catalogue);
  const member = GROUPED_BY[kind];
  const group = given[member];
  if (!group) throw new Refused(`--${member} is missing: it decides in which file of catalog/${kind} the entry stands`);
  const files = catalogue.files.filter((file) => file.kind === kind);
  const file = files.filter(({ data }) => same(data[member], group)).find((f, _, all) => all.length === 1 || isFor(f, kind, given));
  if (file) {
    const owned = kind === 'models' && given.owner && !same(given.owner, file.data.owner) ? { ...entry, owner: given.owner } : entry;
    return { path: file.path, kind, data: { ...file.data, [kind]: [...file.data[kind], owned] }, isNew: false };
  }
  const name = slug([group, kind === 'accelerators' ? given.architecture : ''].filter(Boolean).join(' '));
  const path = `${kind}/${name}.json`;
  if (files.some((f) => f.path === path)) throw new Refused(`catalog/${path} exists, and its ${member} is not ${group}`);
  const head = kind === 'models' ? { family: group, owner: given.owner ?? null, licence: licenceOf(given) } : { [member]: group };
  return { path, kind, data: { ...head, [kind]: [entry] }, isNew: true };
}

const licenceOf = ({ licence }) => (licence ? { id: licence, basis: null, sources: [] } : null);

// Of several files of one vendor, that of the architecture.
const isFor = ({ data }, kind, { architecture }) =>
  kind !== 'accelerators' || data.accelerators.some((e) => same(e.architecture, architecture));

function checkId(kind, { id, hf_id }, catalogue) {
  if (!id) throw new Refused('--id is missing');
  if (!FORMATS.id.test(id)) throw new Refused(`${id} is no id: lower case, words joined by hyphens, dots in version numbers`);
  if (hf_id && !FORMATS['hub-repository'].test(hf_id)) throw new Refused(`${hf_id} is no repository of the hub: OWNER/NAME`);
  const taken = catalogue[kind].find(({ entry }) => [entry.id, entry.hf_id].some((name) => same(name, id) || same(name, hf_id)));
  if (taken) throw new Refused(`${taken.entry.id} in catalog/${taken.file} has that id already`);
}

/** The id that a hub repository's name gives. */
export const idOf = (hfId) => slug(hfId.split('/').pop().replaceAll('_', '-'));

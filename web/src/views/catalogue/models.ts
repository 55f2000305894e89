// The models.
import type { Model } from '../../catalogue';
import { parseNumber } from '../../fields/number';
import { count, parameters } from '../../format/units';
import { c } from '../../strings/catalogue';
import { modelName } from '../size/options';
import { badge } from './badge';
import { boundFilter, choiceFilter, type KindSpec } from './spec';

const f = c.filter;
// "7" and "7b" are the same; "350m" is fewer.
const billions = (text: string): number | undefined => {
  const value = parseNumber(text);
  return value === undefined ? undefined : /[kmgb]\s*$/i.test(text) || value >= 1e6 ? value : value * 1e9;
};
const tokens = (text: string): number | undefined => parseNumber(text, 1024);
const basisWord = (basis: string): string => c.modelBasis[basis] ?? basis;
const kindWord = (kind: string): string => c.modelKinds[kind] ?? kind;
const classWord = (name: string): string => c.licenceClass[name] ?? name;

export const models: KindSpec<Model> = {
  id: 'models',
  columns: [
    { id: 'name', label: c.columns.name, cell: () => '', by: (entry) => modelName(entry) },
    {
      id: 'parameters',
      label: c.columns.parameters,
      numeric: true,
      cell: ({ params_total: n }) => (n === undefined ? undefined : parameters(n)),
      by: (entry) => entry.params_total,
    },
    { id: 'kind', label: c.columns.kind, from: 'wide', cell: (entry) => kindWord(entry.kind), by: (entry) => kindWord(entry.kind) },
    {
      id: 'context',
      label: c.columns.context,
      numeric: true,
      from: 'medium',
      cell: ({ max_position_embeddings: n }) => (n === undefined ? undefined : count(n)),
      by: (entry) => entry.max_position_embeddings,
    },
    {
      id: 'licence',
      label: c.columns.licence,
      from: 'medium',
      cell: ({ licence }) =>
        licence?.class === undefined ? undefined : badge(`licence-${licence.class}`, classWord(licence.class), licence.name),
      by: ({ licence }) => licence?.class,
    },
    { id: 'release', label: c.columns.release, from: 'wide', cell: (entry) => entry.release, by: (entry) => entry.release },
    {
      id: 'basis',
      label: c.columns.basis,
      from: 'wide',
      cell: ({ basis }) => (basis === undefined ? undefined : basis === 'memory' ? badge('unchecked', basisWord(basis)) : basisWord(basis)),
      by: (entry) => entry.basis,
    },
  ],
  filters: [
    choiceFilter('licence', f.licence, ({ licence }) => [licence?.class], classWord),
    choiceFilter('kind', f.kind, (entry) => [entry.kind], kindWord),
    boundFilter('from', f.from, (entry) => entry.params_total, billions),
    boundFilter('to', f.to, (entry) => entry.params_total, billions, 'most'),
    boundFilter('context', f.context, (entry) => entry.max_position_embeddings, tokens),
    choiceFilter('owner', f.owner, (entry) => [entry.owner]),
    choiceFilter('basis', f.basis, (entry) => [entry.basis], basisWord),
  ],
  name: modelName,
  detail: (entry) => [entry.owner, entry.id].filter(Boolean).join(' · '),
  names: (entry) => [entry.id, ...(entry.hf_id === undefined ? [] : [entry.hf_id])],
  words: (entry) => [entry.owner, entry.family, kindWord(entry.kind), entry.licence?.name],
  weight: (entry) => entry.hf_downloads_month ?? 0,
  use: (entry) => ({ '/model': entry.hf_id ?? entry.id }),
};

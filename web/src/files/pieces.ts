// What the calls of `import` answered, put together: one model, beside what the request already holds of it.
import type { Failure, Finding } from '../contract';
import type { ImportCall, ReadFiles } from './headers';

export { readFiles } from './headers';

type Fields = Readonly<Record<string, unknown>>;

/** A model of the request that is not in the catalogue. */
export interface OwnModel {
  readonly name?: string;
  readonly config?: Fields;
  readonly safetensors_index?: Fields;
  readonly parameters?: number;
}

/** What `import` answers to one file. */
export interface Imported {
  readonly request: { readonly model: OwnModel };
  readonly entry?: Fields;
  readonly understood: readonly Fields[];
  readonly not_understood: readonly Fields[];
  readonly findings: readonly Finding[];
}

export interface Together {
  /** Null where nothing can be used. */
  readonly model: OwnModel | null;
  /** The config as an entry of the catalogue. */
  readonly entry?: Fields;
  /** Of several pieces each field says which kind it came from. */
  readonly understood: readonly Fields[];
  readonly not_understood: readonly Fields[];
  readonly findings: readonly Finding[];
}

type Reader = (call: ImportCall) => Imported | Failure | Promise<Imported | Failure>;
type Kind = ImportCall['kind'];

/** What import calls a model without a name. */
export const kNameless = 'own model';
const kMostBeyond = 4; // layers for multi-token prediction stand behind the others

const warning = (code: string, message: string, hint: string): Finding => ({ severity: 'warning', code, pointer: '', message, hint });

const isFailure = (value: Imported | Failure): value is Failure => 'error' in value;
const isRecord = (value: unknown): value is Fields => typeof value === 'object' && value !== null && !Array.isArray(value);
const baseName = (path = ''): string => path.split(/[\\/]/).at(-1) ?? path;
const numberOf = (facts: Fields, key: string): number => (typeof facts[key] === 'number' ? facts[key] : 0);

/** One config.json: of several JSON files the one of that name, else the first that names a class. */
function oneConfig(calls: readonly ImportCall[], findings: Finding[]): readonly ImportCall[] {
  const configs = calls.filter(({ kind }) => kind === 'hf-config');
  if (configs.length < 2) return calls;
  const taken =
    configs.find(({ files }) => baseName(files[0]) === 'config.json') ??
    configs.find(({ text }) => /"(architectures|model_type)"/.test(text)) ??
    configs[0];
  const others = configs.filter((call) => call !== taken).flatMap(({ files }) => files);
  findings.push(
    warning('left_aside', `${others.join(', ')}: not read, the model is that of ${taken?.files[0] ?? ''}.`, 'one config.json at a time'),
  );
  return calls.filter((call) => call.kind !== 'hf-config' || call === taken);
}

// Only an index says of the head whether it is there and no more.
const isIndex = (facts: Fields): boolean => 'has_lm_head' in facts;

/** Headers say more than an index, if they are those of all files. */
function better(one: Fields | undefined, other: Fields | undefined, findings: Finding[]): Fields | undefined {
  if (!one || !other || isIndex(one) === isIndex(other)) return one ?? other;
  const [index, headers] = isIndex(one) ? [one, other] : [other, one];
  const [all, some] = [numberOf(index, 'tensors'), numberOf(headers, 'tensors')];
  if (some >= all) return headers;
  findings.push(
    warning(
      'headers_of_a_part',
      `The files hold ${String(some)} of the ${String(all)} tensors of the index; the index is taken.`,
      'all files of the model, for its exact parts',
    ),
  );
  return index;
}

/** Whether headers that were there before can be those of a config that comes now. */
function belong(facts: Fields, entry: Fields, hadConfig: boolean): boolean {
  const { embedding, layer_parameters: layers } = facts;
  if (!Array.isArray(embedding) && !Array.isArray(layers)) return !hadConfig;
  const width = !Array.isArray(embedding) || embedding.includes(entry['hidden_size']);
  const beyond = Array.isArray(layers) ? layers.length - numberOf(entry, 'num_layers') : 0;
  return width && beyond >= 0 && beyond <= kMostBeyond;
}

function put(before: OwnModel | null, from: Map<Kind, Imported>, findings: Finding[]): Pick<Together, 'model' | 'entry'> {
  const config = from.get('hf-config') ?? from.get('gguf');
  const factsOf = (kind: Kind): Fields | undefined => from.get(kind)?.request.model.safetensors_index;
  const facts = better(factsOf('safetensors-header'), factsOf('safetensors-index'), findings) ?? factsOf('gguf');
  const old = before?.safetensors_index;
  let kept = config ? (facts ?? old) : better(facts, old, findings);
  if (config?.entry && !facts && old && !belong(old, config.entry, before.config !== undefined)) {
    kept = undefined;
    findings.push(
      warning('headers_left_out', 'The headers that were there belong to another model and are left out.', 'drop its own files, too'),
    );
  }
  const named = [...from.values()].map(({ request }) => request.model.name).find((name) => name !== undefined && name !== kNameless);
  const name = named ?? (before && before.parameters === undefined ? before.name : undefined) ?? kNameless;
  const dimensions = config?.request.model.config ?? before?.config;
  const model = { name, ...(dimensions ? { config: dimensions } : {}), ...(kept ? { safetensors_index: kept } : {}) };
  return { model, ...(config?.entry ? { entry: config.entry } : {}) };
}

/**
 * Asks `read` for each piece and puts the answers together. `before`: the request's model; what it holds of other kinds stays,
 * a number of parameters alone does not. Where the config.json cannot be used, nothing is.
 */
export async function importPieces({ calls, findings: found }: ReadFiles, read: Reader, before: unknown = null): Promise<Together> {
  const findings = [...found];
  const from = new Map<Kind, Imported>();
  const understood: Fields[] = [];
  const notUnderstood: Fields[] = [];
  const pieces = oneConfig(calls, findings);
  const several = pieces.length > 1;
  let failed = false;
  for (const call of pieces) {
    const answer = await read(call);
    const where = several ? `${call.files.length === 1 ? (call.files[0] ?? '') : `${String(call.files.length)} files`}: ` : '';
    findings.push(...answer.findings.map((finding) => ({ ...finding, message: where + finding.message })));
    if (isFailure(answer)) {
      failed ||= call.kind === 'hf-config';
      continue;
    }
    from.set(call.kind, answer);
    const tell = (fields: readonly Fields[]): readonly Fields[] => (several ? fields.map((one) => ({ kind: call.kind, ...one })) : fields);
    understood.push(...tell(answer.understood));
    notUnderstood.push(...tell(answer.not_understood));
  }
  const nothing = failed || from.size === 0;
  const made = nothing ? { model: null } : put(isRecord(before) ? before : null, from, findings);
  return { ...made, understood, not_understood: notUnderstood, findings };
}

// What differs between two states of the built catalogue, entry by entry and member by member.

/** {kind: {id: entry}} of a loaded catalogue, tables among the kinds. Null, absent and an empty list mean the same, as in the built form. */
export function built(catalogue, kinds) {
  const out = {};
  for (const kind of kinds) {
    out[kind] = Object.fromEntries((catalogue[kind] ?? []).map(({ entry }) => [entry.id, said(entry)]));
  }
  for (const [name, table] of Object.entries(catalogue.tables)) out[name] = Object.assign({}, ...Object.entries(table).map(rowsOf));
  return out;
}

// A table's list of rows with ids is told row by row, another list as one entry.
function rowsOf([name, row]) {
  if (!Array.isArray(row)) return { [name]: said(row) };
  if (row.every((r) => typeof r?.id === 'string')) return Object.fromEntries(row.map((r) => [r.id, said(r)]));
  return { [name]: { rows: said(row) } };
}

const isEmpty = (value) => value == null || (Array.isArray(value) && value.length === 0);

function said(value) {
  if (Array.isArray(value)) return value.map(said);
  if (value === null || typeof value !== 'object') return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, v]) => !isEmpty(v))
      .map(([k, v]) => [k, said(v)]),
  );
}

/** [{kind, entries, added: [id], removed: [id], changed: [{id, members: [{pointer, old, new}]}]}], kinds of `after` first. */
export function differences(before, after) {
  return [...new Set([...Object.keys(after), ...Object.keys(before)])].map((kind) => {
    const [old, now] = [before[kind] ?? {}, after[kind] ?? {}];
    const ids = Object.keys(now);
    return {
      kind,
      entries: ids.length,
      added: ids.filter((id) => !(id in old)),
      removed: Object.keys(old).filter((id) => !(id in now)),
      changed: ids.flatMap((id) => {
        const members = id in old ? changes(old[id], now[id]) : [];
        return members.length ? [{ id, members }] : [];
      }),
    };
  });
}

// A member that is missing on one side is undefined there. Of a list of objects the items that came and went are told.
function changes(old, now, pointer = '') {
  if (same(old, now)) return [];
  if (isRecord(old) && isRecord(now)) {
    const keys = [...new Set([...Object.keys(old), ...Object.keys(now)])];
    return keys.flatMap((key) => changes(old[key], now[key], `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`));
  }
  if (isTable(old) && isTable(now)) return itemChanges(old, now, pointer);
  return [{ pointer, old, new: now }];
}

function itemChanges(old, now, pointer) {
  const gone = without(old, now).map((item) => ({ pointer: `${pointer}/-`, old: item, new: undefined }));
  const come = without(now, old).map((item) => ({ pointer: `${pointer}/-`, old: undefined, new: item }));
  return gone.length + come.length ? [...gone, ...come] : [{ pointer, old: 'the same items in another order', new: 'reordered' }];
}

// Items of `list` that `other` lacks; one that stands twice must stand there twice.
function without(list, other) {
  const left = other.map(text);
  return list.filter((item) => {
    const at = left.indexOf(text(item));
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

const isRecord = (value) => value !== null && typeof value === 'object' && !Array.isArray(value);
const isTable = (value) => Array.isArray(value) && value.some(isRecord);
const same = (a, b) => text(a) === text(b);

// The order of members means nothing.
function text(value) {
  if (Array.isArray(value)) return `[${value.map(text).join()}]`;
  if (!isRecord(value)) return String(JSON.stringify(value));
  return `{${Object.keys(value)
    .sort()
    .map((k) => `${JSON.stringify(k)}:${text(value[k])}`)
    .join()}}`;
}

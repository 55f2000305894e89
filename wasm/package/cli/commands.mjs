// size, catalogue and version: one call of the engine each.
import { catalogueTable } from './catalogue_table.mjs';
import { readText } from './input.mjs';
import { fail, terminalWidth, write, writeJson } from './output.mjs';
import { readOverlay } from './overlay.mjs';
import { report } from './report.mjs';

/** Adds --want and --overlay to a request. Entries of the overlay file come after those of the request itself. */
export function complete(request, { want, overlay }) {
  if (!isObject(request)) return request;
  const result = { ...request };
  if (want) result.want = want.split(',').map((part) => part.trim());
  if (overlay) result.catalogue_overlay = merge(request.catalogue_overlay, overlay);
  return result;
}

export const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);

function merge(own, added) {
  if (own === undefined || own === null) return added;
  if (!isObject(own)) return own; // the engine's finding names it
  const result = { ...own };
  for (const [kind, entries] of Object.entries(added)) {
    const both = Array.isArray(own[kind]) && Array.isArray(entries);
    result[kind] = both ? [...own[kind], ...entries] : entries;
  }
  return result;
}

/** True where the answer is "no": the accelerator asked about cannot hold the run, or none of those looked at can. */
export function saysNo(answer) {
  if (answer.memory?.verdict) return answer.memory.verdict === 'no';
  return answer.fit?.length > 0 && answer.fit.every(({ verdict }) => verdict === 'no');
}

export async function size(engine, call) {
  const { want } = call;
  const overlay = await readOverlay(engine, call);
  const text = await readText(call.operands[0]);
  const answer = engine.size(want || overlay ? withOptions(text, { want, overlay }) : text);
  if (answer.error) return fail(answer);
  await (call.text ? write(`${report(answer)}\n`) : writeJson(answer));
  return call.check && saysNo(answer) ? 1 : 0;
}

// Text that is not JSON goes to the engine as it is: its error is the better one.
function withOptions(text, added) {
  try {
    return complete(JSON.parse(text), added);
  } catch {
    return text;
  }
}

export async function catalogue(engine, call) {
  const [kind, query] = call.operands;
  const overlay = await readOverlay(engine, call);
  const entries = engine.catalogue({ kind, ...(query && { query }), ...(overlay && { catalogue_overlay: overlay }) });
  if (entries.error) return fail(entries);
  await (call.json || kind === 'schema' ? writeJson(entries) : write(`${catalogueTable(kind, entries, terminalWidth(), query)}\n`));
  return 0;
}

export async function version(engine) {
  await writeJson(engine.version());
  return 0;
}

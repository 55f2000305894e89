// Milliseconds until a new engine stands in Node and has answered, with the catalogue and with almost none, in turn.
import { join } from 'node:path';

/** { names, times: {with, without: {load, lists, size}} }, each a list of `rounds` milliseconds. */
export async function timesOfStart(root, modules, request, rounds) {
  const { load } = await import(join(root, 'dist/npm/index.mjs'));
  const times = Object.fromEntries(Object.keys(modules).map((name) => [name, { load: [], lists: [], size: [] }]));
  for (let i = -2; i < rounds; ++i) {
    for (const [name, wasmBinary] of Object.entries(modules)) {
      const spent = await start(load, wasmBinary, request);
      if (i >= 0) for (const [step, time] of Object.entries(spent)) times[name][step].push(time);
    }
  }
  return times;
}

async function start(load, wasmBinary, request) {
  const at = [performance.now()];
  const engine = await load({ wasmBinary });
  at.push(performance.now());
  const answer = engine.size(request);
  at.push(performance.now());
  const lists = ['models', 'accelerators'].map((kind) => engine.catalogue({ kind, detail: 'summary' }));
  at.push(performance.now());
  const wrong = [answer, ...lists].find(({ error }) => error);
  if (wrong) throw new Error(`${wrong.error.pointer} ${wrong.error.message}`);
  return { load: at[1] - at[0], size: at[2] - at[1], lists: at[3] - at[2] };
}

// The engine as objects in, objects out, over one instance of the WebAssembly module (its functions are text in,
// text out). No function throws: what is wrong comes back as { error, findings }.

import { readFiles } from './files.mjs';
import { importRead } from './import_files.mjs';

// JSON has no NaN or Infinity and would turn them into null, which means "take the default". As text they reach the
// engine, whose finding names the field.
const keepNonsense = (_key, value) =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? String(value) : value;

/** The JSON text of a request given as object or as text. */
export function toText(value) {
  if (typeof value !== 'string') value = JSON.stringify(value, keepNonsense) ?? 'null';
  return value.isWellFormed?.() === false ? value.toWellFormed() : value;
}

/** An error document in the form in which the engine gives its own. */
export function errorDocument(code, message, hint, pointer = '') {
  const error = { code, pointer, message, hint };
  return { error, findings: [{ severity: 'error', ...error }] };
}

/** Wraps an instance made by the Emscripten factory. */
export function wrap(instance) {
  let stopped = null;

  function call(name, text) {
    if (!stopped) {
      try {
        return text === undefined ? instance[name]() : instance[name](text);
      } catch (fault) {
        // A trap leaves the instance in an unknown state: it is never called again.
        stopped = fault;
      }
    }
    const message = `The engine stopped: ${stopped?.message ?? stopped}.`;
    return JSON.stringify(errorDocument('internal_error', message, 'Load a new engine, and please report the request that did it.'));
  }

  function callWith(name, value) {
    let text;
    try {
      text = toText(value);
    } catch (fault) {
      return errorDocument('not_json', `The request cannot be written as JSON: ${fault.message}.`, 'Pass plain data.');
    }
    return JSON.parse(call(name, text));
  }

  return {
    size: (request) => callWith('size', request),
    catalogue: (query) => callWith('catalogue', query),
    import: (source) => callWith('import_', source),
    importFiles: async (files) => importRead(await readFiles([...files]), (source) => callWith('import_', source)),
    measured: () => JSON.parse(call('measured')),
    version: () => JSON.parse(call('version')),
    /** The same calls as JSON text, unparsed. */
    text: {
      size: (text) => call('size', text),
      catalogue: (text) => call('catalogue', text),
      import: (text) => call('import_', text),
      measured: () => call('measured'),
      version: () => call('version'),
    },
    get stopped() {
      return stopped !== null;
    },
  };
}

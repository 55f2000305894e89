// Files of one model -> one request. The readers are those of the page (web/src/files), bundled into files.mjs by build.mjs.
import { importPieces } from './files.mjs';

/** `read`: what readFiles() gave; `importOne` is Engine.import. Any error makes it { error, findings }. */
export async function importRead(read, importOne) {
  const { model, findings, ...rest } = await importPieces(read, ({ kind, text, name }) => importOne({ kind, text, ...(name && { name }) }));
  const wrong = findings.find(({ severity }) => severity === 'error');
  if (wrong) {
    const { code, pointer, message, hint } = wrong;
    return { error: { code, pointer, message, hint }, findings };
  }
  return { request: { schema: 'tunefit.request/1', model }, ...rest, findings };
}

// The saved page with another WebAssembly module inside, and the policy that lets its script run.
import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';

const packed = (wasm) => gzipSync(wasm, { level: 9 }).toString('base64');
const sha256 = (text) => `'sha256-${createHash('sha256').update(text, 'utf8').digest('base64')}'`;
const script = (html) => /<script>(.*?)<\/script>/s.exec(html)[1];

/** `html` with the module `now` where `old` stands. */
export function withModule(html, old, now) {
  const [before, after] = [packed(old), packed(now)];
  if (!html.includes(before)) throw new Error('the saved page holds another module than dist/npm. Run ./dev build');
  const changed = html.replace(before, () => after);
  return changed.replace(sha256(script(html)), () => sha256(script(changed)));
}

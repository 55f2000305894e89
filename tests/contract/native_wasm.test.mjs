// The native build and the WebAssembly module give the same answers: expected bytes and every other whole number exactly,
// the rest to six significant digits (low and high ends come from exp and log, which differ between C libraries).
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { load } from '../../dist/npm/index.mjs';
import { calls } from './requests.mjs';

const program = fileURLToPath(new URL('../../build/native/tests/tunefit_native', import.meta.url));

function nativeAnswers() {
  return new Promise((resolve, reject) => {
    const child = spawn(program, { stdio: ['pipe', 'pipe', 'inherit'] });
    const chunks = [];
    child.on('error', reject);
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.on('close', (status) => {
      if (status !== 0) reject(new Error(`tunefit_native ended with ${status}`));
      else resolve(Buffer.concat(chunks).toString('utf8').trimEnd().split('\n'));
    });
    child.stdin.end(calls.map(([call, text]) => `${call} ${text}\n`).join(''));
  });
}

const ends = new Set(['low', 'high']);

// Where two answers differ: "pointer: native / wasm" each.
function differences(native, wasm, pointer = '') {
  if (typeof native === 'number' && typeof wasm === 'number') {
    const exact = Number.isInteger(native) && !ends.has(pointer.split('/').pop());
    const close = Math.abs(native - wasm) <= 5e-7 * Math.max(Math.abs(native), Math.abs(wasm));
    return (exact ? native === wasm : close) ? [] : [`${pointer}: ${native} / ${wasm}`];
  }
  if (typeof native === 'object' && typeof wasm === 'object' && native && wasm) {
    const keys = [...new Set([...Object.keys(native), ...Object.keys(wasm)])];
    return keys.flatMap((key) => differences(native[key], wasm[key], `${pointer}/${key}`));
  }
  return native === wasm ? [] : [`${pointer}: ${JSON.stringify(native)} / ${JSON.stringify(wasm)}`];
}

let native, wasm;
before(async () => {
  const { text } = await load();
  [native, wasm] = [await nativeAnswers(), calls.map(([call, argument]) => text[call](argument))];
});

test('every call gives one line', () => assert.equal(native.length, calls.length));

test('most sizings are answered, so that there is something to compare', () => {
  const answered = wasm.filter((line) => JSON.parse(line).memory).length;
  assert.ok(answered > 200, `${answered} answered`);
});

for (const kind of ['size', 'catalogue', 'import', 'version']) {
  test(`${kind}: native and WebAssembly agree`, () => {
    const wrong = calls.flatMap(([call, text], i) => {
      if (call !== kind) return [];
      const found = differences(JSON.parse(native[i]), JSON.parse(wasm[i]));
      return found.length ? [`${text.slice(0, 200)}\n  ${found.slice(0, 5).join('\n  ')}`] : [];
    });
    assert.deepEqual(wrong, []);
  });
}

test('the comparison itself sees a byte and a seventh digit', () => {
  assert.deepEqual(differences({ bytes: 2 ** 40 }, { bytes: 2 ** 40 + 1 }), ['/bytes: 1099511627776 / 1099511627777']);
  assert.equal(differences({ expected: 43047354368 }, { expected: 43047354367 }).length, 1);
  assert.equal(differences({ probability: 0.9712345 }, { probability: 0.9712355 }).length, 1);
  assert.equal(differences({ probability: 0.97123451 }, { probability: 0.97123452 }).length, 0);
  assert.equal(differences({ high: 43047354368 }, { high: 43047354369 }).length, 0);
  assert.equal(differences({ a: [1] }, { a: [1, 2] }).length, 1);
});

// browser.mjs in Chromium: same answers as in Node, under a policy without 'unsafe-eval'; with the bytes given, no request.
import assert from 'node:assert/strict';
import { cp, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { chromium } from 'playwright-core';
import { load } from '../../dist/npm/index.mjs';
import { listen, serverOf } from '../../tools/serve.mjs';
import { ownFolder, request, root } from '../package/installed.mjs';

const policy = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src 'self'; connect-src 'self'";
let browser, server, address, expected;

before(async () => {
  const folder = await ownFolder();
  await cp(join(root, 'dist/npm'), folder, { recursive: true });
  await mkdir(join(folder, 'elsewhere'));
  await symlink('../tunefit.wasm', join(folder, 'elsewhere/engine.wasm'));
  await writeFile(join(folder, 'index.html'), `<meta http-equiv="Content-Security-Policy" content="${policy}"><title>test</title>`);
  await writeFile(
    join(folder, 'worker.js'),
    `importScripts('./classic.js');
     onmessage = async ({ data: { wasmBinary, text } }) => postMessage((await createTunefit({ wasmBinary })).size(text));`,
  );
  server = await serverOf(folder);
  address = `http://127.0.0.1:${await listen(server, { port: 0 })}/`;
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
  expected = (await load()).size(request);
});
after(async () => {
  await browser?.close();
  server?.close();
});

async function openPage() {
  const page = await browser.newPage();
  const errors = [];
  const requested = [];
  page.on('console', (message) => message.type() === 'error' && !message.text().includes('404') && errors.push(message.text()));
  page.on('pageerror', (fault) => errors.push(String(fault)));
  page.on('request', (one) => requested.push(one.url().replace(address, '')));
  await page.goto(address);
  return { page, errors, requested };
}

test('it fetches the module beside itself, or where it is told', async () => {
  const { page, errors, requested } = await openPage();
  for (const options of [undefined, { wasmUrl: './elsewhere/engine.wasm' }]) {
    const answer = await page.evaluate(
      async ([request, options]) => (await (await import('./browser.mjs')).load(options)).size(request),
      [request, options],
    );
    assert.deepEqual(answer, expected);
  }
  assert.ok(requested.includes('tunefit.wasm') && requested.includes('elsewhere/engine.wasm'), requested.join(' '));
  assert.deepEqual(errors, []);
});

test('with the bytes given it asks for nothing', async () => {
  const { page, errors, requested } = await openPage();
  const base64 = (await readFile(join(root, 'dist/npm/tunefit.wasm'))).toString('base64');
  const answer = await page.evaluate(
    async ([request, base64]) => {
      const { load } = await import('./browser.mjs');
      const wasmBinary = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      return (await load({ wasmBinary })).size(request);
    },
    [request, base64],
  );
  assert.deepEqual(answer, expected);
  assert.ok(!requested.includes('tunefit.wasm'), requested.join(' '));
  assert.deepEqual(errors, []);
});

test('the classic script runs in a worker', async () => {
  const { page, errors } = await openPage();
  const text = await page.evaluate(
    async ([text]) => {
      const wasmBinary = await (await fetch('./tunefit.wasm')).arrayBuffer();
      const worker = new globalThis.Worker('./worker.js');
      const answer = new Promise((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = (event) => reject(new Error(event.message));
      });
      worker.postMessage({ wasmBinary, text });
      return answer;
    },
    [JSON.stringify(request)],
  );
  assert.deepEqual(JSON.parse(text), expected);
  assert.deepEqual(errors, []);
});

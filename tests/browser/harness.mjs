// A Chromium, the built site on a local port, the saved page from its file; and what every test holds them to:
// no request but for the page's own files, no policy violation, no error on the console.
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFile } from 'node:fs/promises';
import { extname, join, normalize } from 'node:path';
import { after, before } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { chromium } from 'playwright-core';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const savedFile = join(root, 'dist/tunefit.html');
const kTypes = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.json': 'application/json' };
const kArguments = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

async function serveFolder(folder) {
  const server = createServer(async (request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, 'http://x').pathname)).replace(/^\/$/, '/index.html');
    try {
      const body = await readFile(join(folder, path));
      response.writeHead(200, { 'content-type': kTypes[extname(path)] ?? 'application/octet-stream' }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

/** For a test file: one browser and one server; the result opens pages. */
export function useBrowser() {
  let browser, server;
  before(async () => {
    browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium', args: kArguments });
    server = await serveFolder(join(root, 'dist/site'));
  });
  after(async () => {
    await browser?.close();
    server?.close();
  });
  return {
    /** Opens the page of a kind ('site' or 'saved') for a test, `before` run in it first; checks when the test ends. */
    async open(test, { kind = 'saved', fragment = '', ready = true, expectErrors = false, before, ...context } = {}) {
      const address = kind === 'site' ? `http://127.0.0.1:${server.address().port}/` : pathToFileURL(savedFile).href;
      const opened = await browser.newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...context });
      if (kind === 'saved') await opened.setOffline(true);
      const page = await opened.newPage();
      page.setDefaultTimeout(10_000);
      const seen = watch(page, new URL('./', address).href);
      await page.addInitScript(() => {
        window.violations = [];
        document.addEventListener('securitypolicyviolation', (event) =>
          window.violations.push(`${event.violatedDirective} ${event.blockedURI}`),
        );
      });
      if (before) await page.addInitScript(before);
      test.after(async () => {
        const violations = await page.evaluate(() => window.violations ?? []);
        await opened.close();
        assert.deepEqual(violations, [], 'policy violations');
        assert.deepEqual(seen.strange, [], 'requests that are not the page');
        if (!expectErrors) assert.deepEqual(seen.errors, [], 'errors on the console');
      });
      await page.goto(`${address}${fragment}`);
      if (ready) await page.locator('.fit tbody tr').first().waitFor();
      return page;
    },
  };
}

function watch(page, folder) {
  const seen = { strange: [], errors: [] };
  page.on('request', (request) => {
    const url = request.url();
    const own = url.startsWith(folder) || url.startsWith('blob:');
    if (!own || request.method() !== 'GET') seen.strange.push(`${request.method()} ${url}`);
  });
  page.on('console', (message) => message.type() === 'error' && seen.errors.push(message.text()));
  page.on('pageerror', (error) => seen.errors.push(String(error.stack)));
  return seen;
}

/** The field of a JSON pointer. */
export const field = (page, pointer) => page.locator(`#f${pointer.replaceAll('/', '-')}`);

/** The text below a field that says what is wrong with it. */
export const wrong = (page, pointer) => page.locator(`#f${pointer.replaceAll('/', '-')}-wrong`);

/** Saves what a button offers, as JSON. */
export async function download(page, name) {
  const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('button', { name }).click()]);
  return JSON.parse(await readFile(await file.path(), 'utf8'));
}

/** Puts files into the page as if they were dropped on it; `bytes` of filler make a file of that size there. */
export const drop = (page, name, content, bytes = 0) =>
  page.evaluate(
    ([name, content, bytes]) => {
      const data = new DataTransfer();
      data.items.add(new File([content, new Uint8Array(bytes).fill(120)], name));
      document.body.dispatchEvent(new window.DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    [name, content, bytes],
  );

/** Waits until the answer shown belongs to the request shown. */
export const settled = (page) => page.waitForFunction(() => document.querySelector('#answer')?.dataset.judged === 'true');

// The files as they ship, and how the page looks where nobody types: print, themes, first paint.
import assert from 'node:assert/strict';
import { readFile, stat } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { checkSaved, kBudget } from '../../web/pack.mjs';
import { field, root, savedFile, settled, useBrowser } from './harness.mjs';

const browser = useBrowser();

describe('the saved page', () => {
  it('is one file under 1 MB that refers to nothing outside', async () => {
    assert.deepEqual(checkSaved(await readFile(savedFile, 'utf8')), []);
    assert.ok((await stat(savedFile)).size < kBudget);
  });

  const kSpoilt = [
    ['a changed script', (html) => html.replace('<script>', '<script>0;'), /hash of <script>/],
    ['a looser policy', (html) => html.replace("connect-src 'none'", 'connect-src *'), /lacks connect-src/],
    [
      'a picture from elsewhere',
      (html) => html.replace('</main>', '<img src="https://example.com/x.png"></main>'),
      /refers to something outside|address/,
    ],
    ['an inline handler', (html) => html.replace('<main>', '<main onclick="x()">'), /inline/],
    ['a second script', (html) => html.replace('</body>', '<script>1</script></body>'), /one script/],
    ['too much', (html) => html.replace('</body>', `${' '.repeat(kBudget)}</body>`), /budget/],
  ];
  for (const [what, spoil, says] of kSpoilt) {
    it(`would not pass with ${what}`, async () => {
      const html = await readFile(savedFile, 'utf8');
      const spoilt = spoil(html);
      assert.notEqual(spoilt, html);
      assert.match(checkSaved(spoilt).join('\n'), says);
    });
  }
});

describe('the site', () => {
  it('offers the saved page, the very same file', async (t) => {
    const page = await browser.open(t, { kind: 'site' });
    const [file] = await Promise.all([page.waitForEvent('download'), page.getByRole('link', { name: /one file/ }).click()]);
    assert.deepEqual(await readFile(await file.path()), await readFile(savedFile));
  });

  it('has a complete form before any script runs', async (t) => {
    const page = await browser.open(t, { kind: 'site', ready: false, javaScriptEnabled: false }).catch((error) => assert.fail(error));
    assert.equal(await field(page, '/recipe/sequence_length').inputValue(), '2,048');
    assert.equal(await page.locator('input[value=qlora]').isChecked(), true);
    assert.match(await page.locator('noscript').textContent(), /needs JavaScript/);
  });
});

describe('the layout', () => {
  it('does not shift as page, answer and changes arrive', async (t) => {
    const page = await browser.open(t, { kind: 'site', ready: false });
    await page.addInitScript(() => {
      window.shift = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries()) if (!entry.hadRecentInput) window.shift += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await page.reload();
    await page.locator('.fit tbody tr').first().waitFor();
    await page.waitForTimeout(300);
    assert.ok((await page.evaluate(() => window.shift)) < 0.02, `loading shifts by ${await page.evaluate(() => window.shift)}`);
  });
});

describe('colours', () => {
  it('follow the system, can be chosen, and the choice is kept', async (t) => {
    const page = await browser.open(t, { kind: 'site', colorScheme: 'dark' });
    const background = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
    const dark = await background();
    await page.selectOption('#theme', 'light');
    assert.notEqual(await background(), dark);
    await page.reload();
    await page.locator('.fit tbody tr').first().waitFor();
    assert.notEqual(await background(), dark);
    await page.selectOption('#theme', 'auto');
    assert.equal(await background(), dark);
  });
});

describe('a browser that lacks something', () => {
  it('without workers sizes within the page', async (t) => {
    const page = await browser.open(t, { before: () => delete window.Worker });
    await settled(page);
    await field(page, '/recipe/sequence_length').fill('4k');
    await settled(page);
    assert.match(await page.locator('.verdict .sentence').innerText(), /^Llama-3\.1-8B/);
  });

  it('whose worker never starts sizes within the page', async (t) => {
    const page = await browser.open(t, {
      before: () => {
        window.Worker = class extends EventTarget {
          postMessage() {
            setTimeout(() => this.onerror?.(new ErrorEvent('error', { message: 'not here' })), 10);
          }
          terminate() {}
        };
      },
    });
    await settled(page);
  });

  it('without WebAssembly is told so, and what would do', async (t) => {
    const page = await browser.open(t, {
      ready: false,
      expectErrors: true,
      before: () => {
        delete window.Worker;
        delete window.WebAssembly;
      },
    });
    await page.getByRole('heading', { name: 'The engine could not be started' }).waitFor();
    assert.match(await page.locator('.verdict .sentence').innerText(), /WebAssembly/);
  });
});

describe('print', () => {
  it('has what was entered, every formula and the catalogue’s date, and no controls', async (t) => {
    const page = await browser.open(t);
    await field(page, '/recipe/lora/r').fill('64');
    await settled(page);
    const pdf = await page.pdf({ format: 'A4' });
    assert.ok(pdf.length > 20_000);
    await page.emulateMedia({ media: 'print' });
    const visible = (selector) => page.locator(selector).first().isVisible();
    assert.equal(await visible('.run'), false);
    assert.equal(await visible('.tools'), false);
    assert.equal(await visible('.inputs-entered'), true);
    assert.match(await page.locator('.inputs-entered').innerText(), /Rank\s+64/);
    assert.equal(await visible('tr.explain'), true);
    await page.evaluate(() => window.dispatchEvent(new Event('beforeprint')));
    const { systems } = await page.evaluate(() => ({ systems: document.querySelectorAll('#fit-systems tbody tr').length }));
    assert.ok(systems >= 40, `${systems} systems`);
    await page.evaluate(() => window.dispatchEvent(new Event('afterprint')));
    assert.match(await page.locator('.provenance').innerText(), /20\d\d-\d\d/);
  });
});

describe(
  'pictures for the documentation',
  { skip: !process.env.TUNEFIT_SCREENSHOTS && 'set TUNEFIT_SCREENSHOTS=1 to write docs/screenshots' },
  () => {
    const kPictures = {
      size: { viewport: { width: 1440, height: 900 } },
      'size-dark': { viewport: { width: 1440, height: 900 }, colorScheme: 'dark' },
      'size-phone': { viewport: { width: 390, height: 844 } },
    };
    for (const [name, options] of Object.entries(kPictures)) {
      it(name, async (t) => {
        const page = await browser.open(t, options);
        await page.locator('.late').waitFor({ state: 'detached' });
        await page.screenshot({ path: `${root}docs/screenshots/${name}.png`, animations: 'disabled' });
      });
    }
  },
);

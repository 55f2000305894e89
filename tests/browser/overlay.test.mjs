// A vendor's or customer's own entries: dropped, chosen, inline; what is wrong with them; whose they are; where they stay.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { AxeBuilder } from '@axe-core/playwright';
import { readOverlay } from '../../web/build/overlay.mjs';
import { checkSaved, dataBlock } from '../../web/pack.mjs';
import { download, drop, field, root, savedFile, settled, useBrowser } from './harness.mjs';

const browser = useBrowser();
const run = promisify(execFile);
const engine = pathToFileURL(join(root, 'build/wasm/wasm/'));

const kCard = {
  id: 'acme-tensor-96',
  name: 'Acme Tensor 96',
  vendor: 'Acme',
  architecture: 'Hopper',
  compute_capability: '9.0',
  memory_marketed_bytes: 96 * 2 ** 30,
};
const kGood = {
  models: [{ id: 'acme-secret-8b', kind: 'dense', name: 'Acme Secret 8B', dims_of: 'llama-3.1-8b' }],
  accelerators: [kCard],
  systems: [
    {
      id: 'acme-box',
      name: 'Acme Box',
      vendor: 'Acme',
      accelerator: 'acme-tensor-96',
      accelerators: 4,
      price: { purchase_usd: 42000, date: '2026-11', source: 'https://acme.example/quotes/17' },
    },
  ],
  offers: [],
};

const card = (page) => page.locator('#own-entries');
const inUse = (page) => card(page).locator('.overlay-files .note').first();

async function opened(t, overlay, options = {}) {
  const page = await browser.open(t, options);
  await drop(page, 'acme.json', typeof overlay === 'string' ? overlay : JSON.stringify(overlay));
  await inUse(page).waitFor();
  return page;
}

async function toSize(page) {
  await page.getByRole('link', { name: 'Size', exact: true }).click();
  await page.locator('.fit tbody tr').first().waitFor();
  await settled(page);
}

describe('a file of entries', () => {
  it('dropped anywhere is in use, and says so wherever a figure of it stands', async (t) => {
    const page = await opened(t, kGood);
    assert.equal(await inUse(page).innerText(), 'in use: 1 model, 1 accelerator, 1 system');
    await page.getByRole('link', { name: 'Systems', exact: true }).click();
    await page.locator('#catalogue-query').fill('acme');
    await page.locator('.entries .opens').click();
    for (const from of await page.locator('.details .facts .from').allInnerTexts()) assert.match(from, /^from your file acme\.json/);
    assert.match(await page.locator('.details').innerText(), /\$42,000, as of 2026-11/);
    await page.getByRole('button', { name: 'Size the run on it' }).click();
    await settled(page);
    assert.match(await page.locator('.verdict .sentence').innerText(), /one accelerator of Acme Box/);
    assert.match(await page.locator('.peaks').innerText(), /from your file acme\.json/);
    assert.match(await page.locator('#f-placement-system-note').innerText(), /from your file acme\.json/);
    await page.locator('#fit-systems-query').fill('acme box');
    assert.match(await page.locator('#fit-systems tbody tr').innerText(), /from your file acme\.json/);
  });

  it('outlives undo and redo, goes with the request that is saved, and stays out of links', async (t) => {
    const page = await opened(t, kGood);
    await page.getByRole('link', { name: 'Models', exact: true }).click();
    await page.locator('#catalogue-query').fill('acme');
    await page.getByRole('button', { name: 'Use the model Acme Secret 8B' }).click();
    await settled(page);
    const hash = () => page.evaluate(() => location.hash);
    assert.equal(await hash(), '#v=1&own=1');
    await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
    await page.getByRole('link', { name: 'Accelerators', exact: true }).click();
    await page.locator('#catalogue-query').fill('acme');
    await page.locator('.entries .opens').click();
    assert.equal(await hash(), '#v=1&view=catalogue/accelerators&own=1');
    await page.getByRole('button', { name: 'Size the run on it' }).click();
    await settled(page);
    assert.equal(await hash(), '#v=1&own=hardware&own=1');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    await page.getByRole('button', { name: 'Redo' }).click();
    await settled(page);
    assert.equal(await field(page, '/model').inputValue(), 'Acme Secret 8B');
    const request = await download(page, 'Request as JSON');
    assert.deepEqual(request.catalogue_overlay, kGood);
    assert.equal(request.model, 'acme-secret-8b');
    const other = await browser.open(t, { fragment: '#v=1&own=hardware&own=1' });
    assert.match(await other.locator('.problems.notes').innerText(), /own file.*own model/s);
  });

  it('is removed, and what named it is told', async (t) => {
    const page = await opened(t, kGood);
    await page.getByRole('link', { name: 'Accelerators', exact: true }).click();
    await page.locator('#catalogue-query').fill('acme');
    await page.getByRole('button', { name: 'Size the run on Acme Tensor 96' }).click();
    await settled(page);
    await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
    await card(page).getByRole('button', { name: 'Remove acme.json' }).click();
    await page.locator('.overlay-files').waitFor({ state: 'detached' });
    await page.waitForFunction(() => document.querySelectorAll('.entries .opens').length === 0);
    await page.getByRole('link', { name: 'Size', exact: true }).click();
    await settled(page);
    assert.match(await page.locator('#f-placement-accelerator-wrong').innerText(), /acme-tensor-96/);
  });

  it('is chosen by its button; one of the same name takes its place', async (t) => {
    const page = await browser.open(t, { fragment: '#v=1&view=catalogue', ready: false });
    await page.locator('.entries .opens').first().waitFor();
    const choose = (overlay) =>
      page
        .locator('#overlay-file')
        .setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer: Buffer.from(JSON.stringify(overlay)) });
    await choose(kGood);
    await inUse(page).waitFor();
    await choose({ accelerators: [kCard] });
    await page.getByText('in use: 1 accelerator', { exact: true }).waitFor();
    assert.equal(await page.locator('.overlay-files > li').count(), 1);
  });
});

describe('what is wrong with a file', () => {
  it('is named with pointer and hint; the good entries are in use', async (t) => {
    const page = await opened(t, {
      models: [{ id: 'acme-1', kind: 'dense', dims_of: 'llama-3.1-8b' }, { id: 'acme-2', kind: 'dense', dims_of: 'nowhere' }, 7],
      accelerators: [kCard, { ...kCard, id: 'acme-small', memory_marketed_bytes: 96 }, kCard, { ...kCard, id: 'nvidia-rtx-4090' }],
      systems: [
        { id: 'good', name: 'Good', accelerator: 'acme-tensor-96', accelerators: 1 },
        { id: 'on-bad', name: 'On bad', accelerator: 'acme-small', accelerators: 1 },
        {
          id: 'cents',
          name: 'Cents',
          accelerator: 'acme-tensor-96',
          accelerators: 1,
          price: { purchase_usd: 4.2, date: '2026', source: 'ours' },
        },
        { id: 'text', name: 'Text', accelerator: 'acme-tensor-96', accelerators: 'four' },
      ],
      offers: 'none',
      prices: [],
    });
    assert.equal(await inUse(page).innerText(), 'in use: 1 model, 1 accelerator, 1 system');
    const findings = await card(page).locator('.findings li').allInnerTexts();
    const about = (pointer) => findings.filter((one) => one.startsWith(`${pointer} `));
    const kPointers = {
      '/models/1/dims_of': /nowhere/,
      '/models/2': /7/,
      '/accelerators/1/memory_marketed_bytes': /too small.*1073741824/s,
      '/accelerators/2/id': /twice/,
      '/accelerators/3/id': /already.*replaces/s,
      '/systems/1/accelerator': /acme-small/,
      '/systems/2/price/purchase_usd': /too small/,
      '/systems/3/accelerators': /"four"/,
      '/offers': /none/,
      '/prices': /prices/,
    };
    for (const [pointer, says] of Object.entries(kPointers)) {
      assert.equal(about(pointer).length, 1, `${pointer} in\n${findings.join('\n')}`);
      assert.match(about(pointer)[0], says);
    }
    assert.equal(findings.length, Object.keys(kPointers).length);
    const { violations } = await new AxeBuilder({ page }).include('#own-entries').analyze();
    assert.deepEqual(
      violations.map(({ id }) => id),
      [],
    );
  });

  const kBad = [
    ['cut off', JSON.stringify({ models: kGood.models }).slice(0, -9), /It is no JSON/],
    ['of nothing', '{}', /no entries/],
    ['that is a number', '17', /17|object/],
    ['of markup', '{"models": [{"id": "<img src=x onerror=alert(1)>", "kind": "dense"}]}', /<img src=x/],
    ['nested without end', `{"models": ${'['.repeat(100_000)}`, /no JSON|nested/],
  ];
  for (const [what, text, says] of kBad) {
    it(`is told of one ${what}`, async (t) => {
      const page = await browser.open(t, { fragment: '#v=1&view=catalogue', ready: false });
      await page.locator('.entries .opens').first().waitFor();
      await page.locator('#overlay-file').setInputFiles({ name: 'bad.json', mimeType: 'application/json', buffer: Buffer.from(text) });
      await inUse(page).waitFor();
      assert.equal(await inUse(page).innerText(), 'nothing in use');
      assert.match(await card(page).locator('.findings').innerText(), says);
      assert.equal(await page.locator('img').count(), 0);
      await toSize(page);
    });
  }

  it('is told of 10 MB of entries and of 20 MB of anything, and the page stays usable', async (t) => {
    const page = await browser.open(t, { fragment: '#v=1&view=catalogue', ready: false });
    await page.locator('.entries .opens').first().waitFor();
    const many = await page.evaluate(async () => {
      const entry = (i) => ({ id: `m-${i}`, name: 'x'.repeat(200), kind: 'dense', dims_of: 'llama-3.1-8b' });
      const text = JSON.stringify({ models: Array.from({ length: 40_000 }, (_, i) => entry(i)) });
      const data = new DataTransfer();
      data.items.add(new File([text], 'many.json'));
      document.body.dispatchEvent(new window.DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
      return text.length;
    });
    assert.ok(many > 10_000_000);
    await card(page)
      .getByText(/40000 entries/)
      .waitFor();
    await drop(page, 'huge.json', '', 20_000_000);
    await page.getByRole('link', { name: 'Size', exact: true }).click();
    await page
      .locator('#own-wrong')
      .getByText(/20,000,000 bytes/)
      .waitFor();
    await field(page, '/recipe/sequence_length').fill('4k');
    await settled(page);
  });
});

describe('entries that the page brings along', () => {
  async function page(t, overlay, name = 'Acme prices') {
    const html = await readFile(savedFile, 'utf8');
    const at = html.lastIndexOf('<script>');
    const block = dataBlock({ name, entries: overlay });
    // Beside the saved page: a request for any other folder would be a strange one.
    const file = join(dirname(savedFile), `overlay-test-${process.pid}.html`);
    t.after(() => rm(file));
    await writeFile(file, html.slice(0, at) + block + html.slice(at));
    assert.deepEqual(checkSaved(await readFile(file, 'utf8')), []);
    const context = await browser.open(t, { ready: false });
    await context.goto(`${pathToFileURL(file).href}#v=1&placement.system=acme-box&placement.accelerator=`);
    return context;
  }

  it('are data that cannot end their element or run', async () => {
    const html = await readFile(savedFile, 'utf8');
    const at = html.lastIndexOf('<script>');
    const block = dataBlock({ name: '"><script>1</script>', entries: { models: [{ id: '</script><script>alert(1)</script><!--' }] } });
    assert.equal(block.match(/</g).length, 2);
    assert.deepEqual(checkSaved(html.slice(0, at) + block + html.slice(at)), []);
    const spoilt = block.replaceAll('\\u003c', '<');
    assert.notDeepEqual(checkSaved(html.slice(0, at) + spoilt + html.slice(at)), []);
  });

  it('are in use from the first answer on, and links may name them', async (t) => {
    const opened = await page(t, kGood);
    await opened.locator('.verdict .sentence').filter({ hasText: 'Acme Box' }).waitFor();
    assert.match(await opened.locator('.peaks').innerText(), /from Acme prices, brought along by this page/);
    assert.match(await opened.evaluate(() => location.hash), /placement\.system=acme-box/);
    await opened.getByRole('link', { name: 'Catalogue', exact: true }).click();
    assert.match(await card(opened).innerText(), /Acme prices/);
    assert.equal(
      await card(opened)
        .getByRole('button', { name: /Remove/ })
        .count(),
      0,
    );
  });
});

describe('a page built with entries', () => {
  it('has them inside, checks them first, and is the same page otherwise', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tunefit-'));
    t.after(() => rm(folder, { recursive: true }));
    const file = join(folder, 'acme-prices.json');
    await writeFile(file, JSON.stringify(kGood));
    const { name, entries, count } = await readOverlay(file, engine);
    assert.deepEqual([name, entries, count], ['acme-prices', kGood, 3]);
    assert.equal(await readOverlay(undefined, engine), null);
  });

  const kRefused = [
    ['an unknown accelerator', { systems: [{ ...kGood.systems[0], accelerator: 'acme-none' }] }, /\/systems\/0\/accelerator: .*acme-none/],
    ['an id of the catalogue', { accelerators: [{ ...kCard, id: 'nvidia-rtx-4090' }] }, /already/],
    [
      'a price of the day after tomorrow',
      { ...kGood, systems: [{ ...kGood.systems[0], price: { ...kGood.systems[0].price, date: '2999-01' } }] },
      /future/,
    ],
    ['no JSON', '{', /no JSON/],
  ];
  for (const [what, overlay, says] of kRefused) {
    it(`is not built with ${what}`, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'tunefit-'));
      t.after(() => rm(folder, { recursive: true }));
      const file = join(folder, 'bad.json');
      await writeFile(file, typeof overlay === 'string' ? overlay : JSON.stringify(overlay));
      await assert.rejects(readOverlay(file, engine), says);
      await assert.rejects(
        run('node', [join(root, 'web/build.mjs'), '--catalogue', file]),
        ({ code, stderr }) => code === 1 && says.test(stderr),
      );
    });
  }
});

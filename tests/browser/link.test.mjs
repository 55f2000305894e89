// The link: what it holds, what it gives back, and what it does with a hostile one.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { download, field, settled, useBrowser, wrong } from './harness.mjs';

const browser = useBrowser();
const hashOf = (page) => page.evaluate(() => location.href.split('#')[1] ?? '');

for (const kind of ['site', 'saved']) {
  describe(`a link to the ${kind === 'site' ? 'site' : 'saved page'}`, () => {
    it('holds what differs from the start, survives a reload, and opens elsewhere', async (t) => {
      const page = await browser.open(t, { kind });
      assert.equal(await hashOf(page), '');
      await field(page, '/recipe/sequence_length').fill('8k');
      await page.locator('input[value=lora]').check();
      await page.selectOption('#f-recipe-attention', 'eager');
      await field(page, '/recipe/lora/target_modules').fill('q_proj, v_proj');
      await settled(page);
      const hash = await hashOf(page);
      assert.equal(
        hash,
        'v=1&recipe.method=lora&recipe.sequence_length=8192&recipe.lora.target_modules=q_proj,v_proj&recipe.attention=eager',
      );
      const request = await download(page, 'Request as JSON');
      await page.reload();
      await page.locator('.fit tbody tr').first().waitFor();
      assert.deepEqual(await download(page, 'Request as JSON'), request);
      const other = await browser.open(t, { kind, fragment: `#${hash}` });
      assert.deepEqual(await download(other, 'Request as JSON'), request);
    });
  });
}

describe('a link', () => {
  it('put into the address bar of an open page is followed, and can be undone', async (t) => {
    const page = await browser.open(t);
    await page.evaluate(() => (location.hash = '#v=1&recipe.method=full'));
    await page.waitForFunction(() => document.querySelector('input[value=full]').checked);
    await settled(page);
    await page.getByRole('button', { name: 'Undo' }).click();
    assert.equal(await page.locator('input[value=qlora]').isChecked(), true);
    assert.equal(await hashOf(page), '');
  });

  it('made with somebody’s own model says that the model is missing', async (t) => {
    const page = await browser.open(t, { fragment: '#v=1&own=1&recipe.method=lora' });
    assert.match(await page.locator('.problems.notes').innerText(), /own model/);
    await page.getByRole('button', { name: 'Dismiss' }).click();
    assert.equal(await page.locator('.problems.notes').count(), 0);
  });

  it('with keys and values nobody knows shows them as text, and what it ignored', async (t) => {
    const page = await browser.open(t, {
      fragment: '#v=3&recipe.method=magic&recipe.lora.r=32&<img src=x onerror=alert(1)>=1&recipe.packing=%3Cscript%3E&__proto__.polluted=1',
    });
    const notes = await page.locator('.problems.notes').innerText();
    for (const part of ['version 3', '“magic”', '“<img src”', '“<script>”', 'polluted']) assert.ok(notes.includes(part), part);
    assert.equal(await page.locator('img, .problems script').count(), 0);
    assert.equal(await page.evaluate(() => ({}).polluted), undefined);
    assert.equal(await field(page, '/recipe/lora/r').inputValue(), '32');
  });

  it('with a model of markup names it as text', async (t) => {
    const page = await browser.open(t, { fragment: '#v=1&model=%3Cimg%20src%3Dx%20onerror%3Dalert(1)%3E', ready: false });
    await wrong(page, '/model').locator('p').first().waitFor();
    assert.equal(await page.locator('img').count(), 0);
    assert.match(await wrong(page, '/model').innerText(), /<img/);
  });

  it('of a hundred thousand characters is not read', async (t) => {
    const page = await browser.open(t, { fragment: `#v=1&model=${'a'.repeat(100_000)}` });
    assert.match(await page.locator('.problems.notes').innerText(), /too long/);
    assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
  });
});

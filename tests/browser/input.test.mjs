// What people type, right and wrong: nothing is lost, and the field says what would be right.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { download, field, settled, useBrowser, wrong } from './harness.mjs';

const browser = useBrowser();
const kLength = '/recipe/sequence_length';

describe('numbers', () => {
  it('are understood in several ways, and what was understood is shown', async (t) => {
    const page = await browser.open(t);
    const input = field(page, kLength);
    for (const [text, written] of [
      ['4,096', '4,096'],
      ['4096', '4,096'],
      ['4k', '4,096'],
      ['128K', '131,072'],
    ]) {
      await input.fill(text);
      await settled(page);
      if (text !== written) assert.match(await page.locator('#f-recipe-sequence_length-note').innerText(), new RegExp(`^= ${written}`));
      assert.equal(await input.inputValue(), text, 'left alone while typing');
      await input.blur();
      assert.equal(await input.inputValue(), written);
    }
    await page.getByLabel('Sequence length, slider').focus();
    await page.keyboard.press('Home');
    await settled(page);
    assert.equal(await input.inputValue(), '1');
  });

  for (const text of ['-5', 'NaN', '1e308', 'twelve', '0', '3.7', '99999999999', '<b>8</b>', '１２']) {
    it(`such as ${text} leave the last answer, dimmed, and say what would be right`, async (t) => {
      const page = await browser.open(t);
      const before = await page.locator('.verdict .sentence').innerText();
      const input = field(page, kLength);
      await input.fill(text);
      await settled(page);
      assert.ok((await wrong(page, kLength).innerText()).length > 20);
      assert.equal(await input.getAttribute('aria-invalid'), 'true');
      assert.equal(await page.locator('.results.stale .verdict .sentence').innerText(), before);
      assert.equal(await page.locator('.problems.error li').count(), 1);
      await input.blur();
      assert.equal((await input.inputValue()).replaceAll(',', ''), text, 'what was typed stays');
      await page.getByRole('button', { name: 'Sequence length:' }).click();
      assert.equal(await input.evaluate((element) => element === document.activeElement), true);
      await input.fill('1024');
      await settled(page);
      assert.equal(await page.locator('.stale').count(), 0);
      assert.equal(await wrong(page, kLength).innerText(), '');
    });
  }

  it('several wrong at once are all named, each at its field', async (t) => {
    const page = await browser.open(t);
    await field(page, kLength).fill('-1');
    await field(page, '/recipe/per_device_train_batch_size').fill('x');
    await field(page, '/recipe/lora/dropout').fill('2');
    await settled(page);
    assert.equal(await page.locator('.problems.error li').count(), 3);
    for (const pointer of [kLength, '/recipe/per_device_train_batch_size', '/recipe/lora/dropout']) {
      assert.notEqual(await wrong(page, pointer).innerText(), '');
    }
  });

  it('an emptied field goes back to the framework', async (t) => {
    const page = await browser.open(t);
    const rank = field(page, '/recipe/lora/r');
    const usual = await rank.inputValue();
    assert.notEqual(usual, '');
    await rank.fill('64');
    await settled(page);
    assert.equal((await download(page, 'Request as JSON')).recipe.lora.r, 64);
    await rank.fill('');
    await rank.blur();
    await settled(page);
    assert.equal(await rank.inputValue(), usual);
    assert.equal((await download(page, 'Request as JSON')).recipe.lora, undefined);
  });
});

describe('undo', () => {
  it('takes back a step, a whole number typed as one; redo brings it back; starting over can be undone', async (t) => {
    const page = await browser.open(t);
    const input = field(page, kLength);
    await input.fill('');
    await input.pressSequentially('4096');
    await input.blur();
    await page.locator('input[value=lora]').check();
    await settled(page);
    const undo = page.getByRole('button', { name: 'Undo' });
    await undo.click();
    assert.equal(await page.locator('input[value=qlora]').isChecked(), true);
    assert.equal(await input.inputValue(), '4,096');
    await undo.click();
    assert.equal(await input.inputValue(), '2,048');
    assert.equal(await undo.isDisabled(), true);
    await page.getByRole('button', { name: 'Redo' }).click();
    assert.equal(await input.inputValue(), '4,096');
    await page.getByRole('button', { name: 'Start over' }).click();
    assert.equal(await input.inputValue(), '2,048');
    await page.locator('h1').click();
    await page.keyboard.press('Control+z');
    assert.equal(await input.inputValue(), '4,096');
    await settled(page);
  });
});

describe('a setting that means nothing with the method', () => {
  it('is not sent, and is there again when it does', async (t) => {
    const page = await browser.open(t);
    await field(page, '/recipe/lora/r').fill('48');
    await page.locator('input[value=full]').check();
    await settled(page);
    assert.equal(await field(page, '/recipe/lora/r').count(), 0);
    assert.equal((await download(page, 'Request as JSON')).recipe.lora, undefined);
    await page.locator('input[value=lora]').check();
    await settled(page);
    assert.equal(await field(page, '/recipe/lora/r').inputValue(), '48');
  });
});

describe('what is typed before the script runs', () => {
  it('is kept', async (t) => {
    const page = await browser.open(t, { kind: 'site', ready: false, javaScriptEnabled: true });
    // The form of the HTML, put back as it was before the script, then filled and started again.
    await page.route('**/app-*.js', (route) => setTimeout(() => void route.continue(), 1500));
    await page.reload({ waitUntil: 'commit' });
    await page.locator('#f-recipe-sequence_length').fill('4k');
    await page.locator('input[value=lora]').check();
    await page.locator('.fit tbody tr').first().waitFor();
    await settled(page);
    const request = await download(page, 'Request as JSON');
    assert.equal(request.recipe.sequence_length, 4096);
    assert.equal(request.recipe.method, 'lora');
  });
});

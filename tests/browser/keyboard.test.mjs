// Everything by keyboard, and what a screen reader is told.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { settled, useBrowser } from './harness.mjs';

const browser = useBrowser();
const focused = (page) => page.evaluate(() => document.activeElement.id || document.activeElement.textContent.trim());

/** Tabs until the element of an id has the focus; the number of steps is bounded. */
async function tabTo(page, id) {
  for (let step = 0; step < 120; ++step) {
    if ((await focused(page)) === id) return;
    await page.keyboard.press('Tab');
  }
  assert.fail(`${id} is not reached by Tab`);
}

describe('by keyboard alone', () => {
  it('a run is sized from the skip link to the verdict on another accelerator', async (t) => {
    const page = await browser.open(t);
    await page.keyboard.press('Tab');
    assert.equal(await focused(page), 'Skip to the answer');
    await page.keyboard.press('Enter');
    assert.equal(await focused(page), 'answer');
    assert.equal(await page.evaluate(() => location.hash), '');

    await page.evaluate(() => document.querySelector('.skip').focus());
    await tabTo(page, 'f-model');
    await page.keyboard.type('qwen2.5 14b');
    const box = page.locator('#f-model');
    assert.equal(await box.getAttribute('aria-expanded'), 'true');
    const active = await box.getAttribute('aria-activedescendant');
    assert.match(await page.locator(`#${active}`).innerText(), /Qwen2\.5.*14B/i);
    await page.keyboard.press('ArrowDown');
    assert.notEqual(await box.getAttribute('aria-activedescendant'), active);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    await settled(page);
    assert.match(await page.locator('.verdict .sentence').innerText(), /^Qwen2\.5.*14B/i);

    await tabTo(page, 'f-recipe-method-qlora');
    await page.keyboard.press('ArrowLeft');
    assert.equal(await page.locator('input[value=lora]').isChecked(), true);
    await tabTo(page, 'f-recipe-sequence_length');
    await page.keyboard.press('Control+a');
    await page.keyboard.type('1k');
    await tabTo(page, 'f-placement-accelerator');
    await page.keyboard.type('b200');
    await page.keyboard.press('Tab');
    await settled(page);
    assert.match(await page.locator('.verdict .sentence').innerText(), /with LoRA fits on one .*B200/);
  });

  it('the list closes on Escape and keeps what was chosen', async (t) => {
    const page = await browser.open(t);
    const box = page.locator('#f-model');
    await box.focus();
    await page.keyboard.press('ArrowDown');
    await page.locator('[role=option]').nth(20).waitFor({ state: 'attached' }); // the models are listed once the engine is there
    await page.keyboard.press('Escape');
    assert.equal(await box.getAttribute('aria-expanded'), 'false');
    assert.equal(await box.inputValue(), 'Llama-3.1-8B');
    await page.keyboard.type('zzz');
    await page.keyboard.press('Escape');
    assert.equal(await box.inputValue(), 'Llama-3.1-8B');
  });

  it('help opens and closes', async (t) => {
    const page = await browser.open(t);
    const help = page.getByLabel('About Method');
    await help.focus();
    await page.keyboard.press('Enter');
    assert.equal(await page.locator('.help[open] p').isVisible(), true);
    await page.keyboard.press('Escape');
    assert.equal(await page.locator('.help[open]').count(), 0);
  });

  it('the focus is always visible and never behind the verdict or the bar of a phone', async (t) => {
    for (const viewport of [
      { width: 1280, height: 900 },
      { width: 390, height: 740 },
    ]) {
      const page = await browser.open(t, { viewport, reducedMotion: 'reduce' });
      for (let step = 0; step < 60; ++step) {
        await page.keyboard.press('Tab');
        const hidden = await page.evaluate(() => {
          const element = document.activeElement;
          const box = element.getBoundingClientRect();
          if (element === document.body || box.width < 2 || element.closest('.glance')) return '';
          const seen = [0.1, 0.5, 0.9].some((part) => {
            const at = document.elementFromPoint(box.x + box.width * part, box.y + Math.min(box.height, 40) / 2);
            return at && (element.contains(at) || at.contains(element) || at.closest('label')?.contains(element));
          });
          return seen ? '' : `${element.id || element.textContent.trim()} at ${Math.round(box.x)}, ${Math.round(box.y)}`;
        });
        assert.equal(hidden, '');
      }
    }
  });
});

describe('a screen reader', () => {
  it('hears one short sentence once typing rests, and nothing before a change', async (t) => {
    const page = await browser.open(t);
    const status = page.getByRole('status');
    assert.equal(await status.innerText(), '');
    await page.locator('#f-recipe-sequence_length').fill('16k');
    await page.waitForFunction(() => document.querySelector('[role=status]').textContent !== '');
    const said = await status.innerText();
    assert.match(said, /^(Fits|Tight|Does not fit): about [\d.]+ of [\d.]+ GiB\.$/);
    await page.locator('#f-recipe-sequence_length').fill('-1');
    await page.waitForFunction((before) => document.querySelector('[role=status]').textContent !== before, said);
    assert.equal(await status.innerText(), 'One setting is wrong.');
  });

  it('finds landmarks, one main heading and headings in order', async (t) => {
    const page = await browser.open(t);
    for (const role of ['banner', 'main', 'contentinfo']) assert.equal(await page.getByRole(role).count(), 1, role);
    const levels = await page.locator('h1, h2, h3, h4').evaluateAll((all) => all.map((one) => Number(one.tagName[1])));
    assert.equal(levels.filter((level) => level === 1).length, 1);
    levels.forEach((level, index) => assert.ok(level <= (levels[index - 1] ?? 0) + 1, `heading ${index} jumps to ${level}`));
  });
});

// The view that sets predicted against measured.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { describe, it } from 'node:test';
import { readCases } from '../measured/cases.mjs';
import { useBrowser } from './harness.mjs';

const browser = useBrowser();
const cases = readCases();
const measured = cases.filter(({ measured: { oom } }) => !oom);

async function open(t, options = {}) {
  const page = await browser.open(t, { fragment: '#v=1&view=measured', ready: false, ...options });
  await page.locator('.scatter').waitFor({ timeout: 30_000 });
  await page.locator('[aria-labelledby=nearest-title] tbody tr').first().waitFor({ timeout: 30_000 });
  return page;
}

const runs = (page) => page.locator('section[aria-labelledby=runs-title]');

describe('predicted against measured', () => {
  it('has a mark and a row for each published run', async (t) => {
    const page = await open(t);
    assert.equal(await page.locator('.scatter g > path.dot').count(), measured.length);
    assert.match(await page.locator('.measured > .note').innerText(), new RegExp(`^${measured.length} measured peaks, and 34 runs`));
    await runs(page)
      .getByRole('button', { name: /Show all/ })
      .click();
    assert.equal(await runs(page).locator('tbody tr').count(), cases.length);
    assert.match(await runs(page).innerText(), /out of memory/);
  });

  it('finds runs by what is typed', async (t) => {
    const page = await open(t);
    await runs(page).getByRole('searchbox').fill('torchtune lora');
    const wanted = cases.filter(({ request: { recipe } }) => recipe.framework === 'torchtune' && recipe.method.includes('lora'));
    assert.ok(wanted.length > 0);
    assert.equal(await runs(page).locator('tbody tr').count(), wanted.length);
    await runs(page).getByRole('searchbox').fill('<no such>');
    assert.match(await runs(page).innerText(), /None matches/);
  });

  it('names the runs nearest to the person’s own, and makes one theirs', async (t) => {
    const page = await open(t);
    const near = page.locator('section[aria-labelledby=nearest-title] tbody tr');
    assert.equal(await near.count(), 5);
    assert.equal((await page.locator('.scatter .near').count()) <= 5, true);
    await near.first().getByRole('button').click();
    await page.locator('#answer[data-judged=true]').waitFor();
    await page.getByRole('link', { name: 'Measured' }).click();
    await near.first().filter({ hasText: 'in nothing that was compared' }).waitFor({ timeout: 30_000 });
    await page.getByRole('button', { name: 'Undo' }).click();
    await near.first().filter({ hasText: 'Differs in: model' }).waitFor({ timeout: 30_000 });
  });

  for (const [look, options] of [
    ['light', {}],
    ['dark and narrow', { colorScheme: 'dark', viewport: { width: 320, height: 640 } }],
  ]) {
    it(`is accessible: ${look}`, async (t) => {
      const page = await open(t, { reducedMotion: 'reduce', ...options });
      const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
      const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze();
      assert.deepEqual(
        violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target)}`),
        [],
      );
      assert.equal(await page.evaluate(() => document.documentElement.scrollWidth), await page.evaluate(() => innerWidth));
    });
  }
});

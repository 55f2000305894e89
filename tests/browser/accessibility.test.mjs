// axe, WCAG 2.2 AA, in every state of the page; and what axe cannot see.
import assert from 'node:assert/strict';
import { AxeBuilder } from '@axe-core/playwright';
import { describe, it } from 'node:test';
import { field, settled, useBrowser } from './harness.mjs';

const browser = useBrowser();
const kTags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

async function check(page) {
  const { violations } = await new AxeBuilder({ page }).withTags(kTags).analyze();
  const found = violations.map(
    ({ id, help, nodes }) => `${id}: ${help}\n  ${nodes.map((node) => `${node.target} ${node.failureSummary}`).join('\n  ')}`,
  );
  assert.deepEqual(found, [], found.join('\n'));
}

const kLooks = [
  ['light', {}],
  ['dark', { colorScheme: 'dark' }, ['at the start', 'with wrong values', 'with everything open', 'when it does not fit']],
  ['narrow', { viewport: { width: 320, height: 640 } }, ['at the start', 'with wrong values', 'with everything open', 'with a list open']],
  ['forced colours', { forcedColors: 'active' }, ['at the start', 'with wrong values']],
];

const kStates = {
  'at the start': async () => undefined,
  'with wrong values': async (page) => {
    await field(page, '/recipe/sequence_length').fill('-1');
    await field(page, '/model').fill('no/such');
    await field(page, '/model').blur();
    await settled(page);
  },
  'with everything open': async (page) => {
    await page.evaluate(() => document.querySelectorAll('details:not(.help)').forEach((details) => (details.open = true)));
    for (const row of await page.locator('.opens').all()) await row.click();
    await page.getByLabel('Exact bytes').check();
    for (const button of await page.locator('button.all').all()) await button.click();
  },
  'with a list open': async (page) => {
    await field(page, '/model').click();
    await page.locator('[role=option]').first().waitFor();
  },
  'with help open': async (page) => page.getByLabel('About Method').click(),
  'when it does not fit': async (page) => {
    await page.locator('input[value=full]').check();
    await settled(page);
  },
  'with a link’s notes': async (page) => {
    await page.evaluate(() => (location.hash = '#v=2&x=1'));
    await page.locator('.problems.notes').waitFor();
  },
};

for (const [look, options, only] of kLooks) {
  describe(look, () => {
    for (const [state, reach] of Object.entries(kStates)) {
      if (only && !only.includes(state)) continue;
      it(state, async (t) => {
        const page = await browser.open(t, { reducedMotion: 'reduce', ...options });
        await reach(page);
        await check(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        assert.ok(overflow <= 0, `${overflow} px wider than the screen`);
      });
    }
  });
}

describe('targets', () => {
  it('are at least 24 px high and wide, or text within a sentence', async (t) => {
    const page = await browser.open(t, { viewport: { width: 390, height: 844 } });
    await page.evaluate(() => document.querySelectorAll('details:not(.help)').forEach((details) => (details.open = true)));
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('button, a, input:not([type=file]), select, textarea, summary')]
        .filter((element) => element.checkVisibility() && !element.closest('footer p') && !element.matches('.skip'))
        .map((element) => [
          element,
          [element, ...(element.labels ?? [])].map((one) => one.getBoundingClientRect()).sort((a, b) => b.height - a.height)[0],
        ])
        .filter(([, box]) => box.width < 24 || box.height < 24)
        .map(
          ([element, box]) =>
            `${element.tagName} ${element.id} ${element.textContent.trim()} ${Math.round(box.width)} x ${Math.round(box.height)}`,
        ),
    );
    assert.deepEqual(small, []);
  });
});

// The main job, on the served site and on the saved page with the network off.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { download, field, root, settled, useBrowser, wrong } from './harness.mjs';

const run = promisify(execFile);
const browser = useBrowser();

/** What the command line answers to a request. */
async function fromCommandLine(request) {
  const child = run(process.execPath, [`${root}dist/npm/cli.mjs`, 'size', '-'], { maxBuffer: 1 << 26 });
  child.child.stdin.end(JSON.stringify(request));
  return JSON.parse((await child).stdout);
}

const deviceBytes = (page) => page.locator('.figures dd data').first().getAttribute('value').then(Number);

for (const kind of ['site', 'saved']) {
  describe(`the ${kind === 'site' ? 'site' : 'saved page'}`, () => {
    it('sizes Llama-3.1-8B with QLoRA at 2,048 tokens as it opens, as the command line does', async (t) => {
      const page = await browser.open(t, { kind });
      await settled(page);
      await assert.match(
        await page.locator('.verdict .sentence').innerText(),
        /^Llama-3\.1-8B with QLoRA (fits on|is tight on|does not fit on) one GeForce RTX 4090/,
      );
      assert.equal(await field(page, '/recipe/sequence_length').inputValue(), '2,048');
      const request = await download(page, 'Request as JSON');
      assert.equal(request.model, 'meta-llama/Llama-3.1-8B');
      assert.equal(request.recipe.method, 'qlora');
      assert.deepEqual(await download(page, 'Answer as JSON'), await fromCommandLine(request));
    });

    it('answers as one types, and again as the command line does', async (t) => {
      const page = await browser.open(t, { kind });
      const before = await deviceBytes(page);
      await field(page, '/recipe/sequence_length').fill('8k');
      await settled(page);
      assert.ok((await deviceBytes(page)) > before);
      await page.getByLabel('LoRA', { exact: false }).nth(0).waitFor();
      await page.locator('input[value=lora]').check();
      await page.selectOption('#f-recipe-gradient_checkpointing', 'none');
      await settled(page);
      const request = await download(page, 'Request as JSON');
      assert.equal(request.recipe.sequence_length, 8192);
      assert.deepEqual(await download(page, 'Answer as JSON'), await fromCommandLine(request));
    });

    it('shows the same numbers in chart and table, in GiB and in bytes', async (t) => {
      const page = await browser.open(t, { kind });
      const answer = await download(page, 'Answer as JSON');
      await page.getByLabel('Exact bytes').check();
      const shown = await page
        .locator('.breakdown tbody:first-of-type tr:not(.explain) data')
        .evaluateAll((all) => all.map((one) => one.textContent));
      const exact = answer.memory.breakdown.map(({ bytes }) => bytes.toLocaleString('en'));
      assert.deepEqual([...shown].sort(), exact.sort());
      await page.getByText('The same in numbers').click();
      const totals = await page.locator('.matrix .total data').evaluateAll((all) => all.map((one) => Number(one.value)));
      assert.deepEqual(
        totals,
        answer.memory.timeline.map(({ bytes }) => bytes),
      );
      const chart = page.getByRole('img', { name: 'Memory by phase of the training step' });
      assert.match(await chart.locator('desc').textContent(), /Load .* GiB, Forward/);
    });

    it('opens every figure to formula, inputs and source', async (t) => {
      const page = await browser.open(t, { kind });
      const rows = page.locator('.breakdown .opens');
      for (let index = 0; index < (await rows.count()); ++index) {
        await rows.nth(index).click();
        const open = page.locator('.breakdown tr.explain:not([hidden])').nth(index);
        assert.match(await open.innerText(), /Formula[\s\S]+Source/, await rows.nth(index).innerText());
      }
    });

    it('judges every accelerator and every system', async (t) => {
      const page = await browser.open(t, { kind });
      await page.locator('.late').waitFor({ state: 'detached' });
      for (const [id, least] of [
        ['accelerators', 25],
        ['systems', 40],
      ]) {
        const table = page.locator(`#fit-${id}`);
        const all = Number(/of (\d+)/.exec(await table.locator('.note').first().innerText())[1]);
        assert.ok(all >= least, `${all} ${id}`);
        await table.getByRole('button', { name: /^Show all/ }).click();
        assert.equal(await table.locator('tbody tr').count(), all);
      }
      const table = page.locator('#fit-accelerators');
      await table.getByLabel('Search').fill('h100 sxm');
      assert.match(await table.locator('tbody th').first().innerText(), /H100/);
      await table
        .getByRole('button', { name: /^Size the run on .*H100/ })
        .first()
        .click();
      await settled(page);
      assert.match(await page.locator('.verdict .sentence').innerText(), /on one .*H100/);
      await table.getByLabel('Search').fill('no such card');
      assert.equal(await table.locator('tbody tr').count(), 0);
    });

    it('sizes on a system, and names one that does not exist', async (t) => {
      const page = await browser.open(t, { kind, fragment: '#v=1&placement.accelerator=&placement.system=dgx-h100' });
      await settled(page);
      assert.match(await page.locator('.verdict .sentence').innerText(), /on one accelerator of /);
      const box = page.locator('#f-placement-system');
      await box.fill('the machine in the cellar');
      await box.press('Enter');
      await settled(page);
      assert.match(await wrong(page, '/placement/accelerator').innerText(), /the machine in the cellar/);
    });
  });
}

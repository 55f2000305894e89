// A model of one's own out of its files, dropped or chosen, together or one after another; and one known by its size alone.
import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { runnerImport } from 'vite';
import { download, field, root, settled, useBrowser, wrong } from './harness.mjs';
import { config, gguf, index, parameters, safetensors, tensors } from './model_files.mjs';

const browser = useBrowser();
const configText = JSON.stringify(config);
const whole = () => safetensors(tensors());

/** Drops [name, content] pairs together. */
const drop = (page, ...files) =>
  page.evaluate(
    (given) => {
      const data = new DataTransfer();
      for (const [name, letters] of given) data.items.add(new File([Uint8Array.from(atob(letters), (c) => c.charCodeAt(0))], name));
      document.body.dispatchEvent(new window.DragEvent('drop', { dataTransfer: data, bubbles: true, cancelable: true }));
    },
    files.map(([name, content]) => [name, Buffer.from(content).toString('base64')]),
  );

const told = (page) => page.locator('#own-wrong');
const basis = (page) => page.locator('.verdict .basis');
const undo = (page) => page.getByRole('button', { name: 'Undo' }).click();
const inUse = (page, words) => page.locator('.own .row .note').filter({ hasText: words }).waitFor({ state: 'attached' });

async function answer(page) {
  await settled(page);
  return download(page, 'Answer as JSON');
}

describe('the files of a model', () => {
  it('are put together: config.json, all parts and the index', async (t) => {
    const page = await browser.open(t);
    await field(page, '/recipe/sequence_length').fill('4k');
    await drop(
      page,
      ['config.json', configText],
      ['model.safetensors.index.json', index()],
      ['model-00001-of-00002.safetensors', safetensors(tensors(0, 9))],
      ['model-00002-of-00002.safetensors', safetensors(tensors(9))],
      ['generation_config.json', '{"temperature": 1}'],
      ['README.md', 'A model, its licence and what it is for.'],
    );
    await inUse(page, 'Your own model is in use. Known: dimensions, headers of 146 tensors.');
    const { model } = await answer(page);
    assert.equal(model.basis, 'safetensors');
    assert.equal(model.parameters, parameters);
    assert.match(await basis(page).innerText(), /your own files; parameters counted in their headers/);
    assert.equal(await basis(page).locator('.badge').count(), 0);
    assert.match(await told(page).innerText(), /README\.md: .*no kind/);
    assert.match(await told(page).innerText(), /generation_config\.json: not read/);
    assert.equal(await told(page).locator('.error').count(), 0);
    assert.equal(await field(page, '/recipe/sequence_length').inputValue(), '4,096');
    assert.equal(await page.locator('#own-text').inputValue(), '');
    assert.match(await page.evaluate(() => location.hash), /own=1/);
    assert.doesNotMatch(await page.evaluate(() => location.hash), /2048|128256|llama/i);
    await undo(page);
    await settled(page);
    assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
    assert.equal(await told(page).innerText(), '');
    assert.match(await basis(page).innerText(), /from the catalogue/);
  });

  it('come one after another in any order, each a step to undo', async (t) => {
    const page = await browser.open(t);
    await drop(page, ['model.safetensors', whole()]);
    await inUse(page, 'headers of 146 tensors');
    const alone = await answer(page);
    assert.equal(alone.model.basis, 'size_only');
    assert.ok(Math.abs(alone.model.parameters / parameters - 1) < 0.01);
    assert.equal(await basis(page).locator('.badge').innerText(), 'rough');
    assert.match(await basis(page).innerText(), /only the size is known: taken as a dense decoder like Llama/);
    await drop(page, ['config.json', configText]);
    await inUse(page, 'dimensions, headers of 146 tensors');
    assert.equal((await answer(page)).model.basis, 'safetensors');
    await undo(page);
    assert.equal((await answer(page)).model.basis, 'size_only');
    await undo(page);
    await drop(page, ['config.json', configText]);
    await inUse(page, 'Known: dimensions.');
    assert.equal((await answer(page)).model.basis, 'config');
    // An index that is pasted, and headers of a part, which say less than it.
    if (!(await page.locator('#own-text').isVisible())) await page.getByText('Use your own config.json').click();
    await page.locator('#own-text').fill(index());
    await page.getByRole('button', { name: 'Use this model' }).click();
    await inUse(page, 'dimensions, index of 146 tensors');
    await drop(page, ['model-00001-of-00002.safetensors', safetensors(tensors(0, 9))]);
    await told(page)
      .getByText(/82 of the 146 tensors of the index; the index is taken/)
      .waitFor();
    await drop(page, ['a', safetensors(tensors(0, 9))], ['b', safetensors(tensors(9))]);
    await inUse(page, 'dimensions, headers of 146 tensors');
    assert.equal((await answer(page)).model.basis, 'safetensors');
    assert.equal(await page.locator('#own-text').inputValue(), index());
  });

  it('of another model do not keep the headers that were there', async (t) => {
    const page = await browser.open(t);
    await drop(page, ['config.json', configText], ['model.safetensors', whole()]);
    await inUse(page, 'dimensions, headers of 146 tensors');
    await drop(page, ['config.json', JSON.stringify({ ...config, hidden_size: 4096, num_hidden_layers: 32 })]);
    await told(page)
      .getByText(/belong to another model/)
      .waitFor();
    const { model } = await answer(page);
    assert.equal(model.basis, 'config');
    assert.ok(model.parameters > 4e9);
  });

  it('that do not agree are told so beside the answer', async (t) => {
    const page = await browser.open(t);
    await drop(page, ['config.json', JSON.stringify({ ...config, vocab_size: 32000 })], ['model.safetensors', whole()]);
    await inUse(page, 'dimensions, headers of 146 tensors');
    await settled(page);
    assert.match(await page.locator('.problems.warning').innerText(), /128256 rows in the headers, vocab_size is 32000/);
    assert.match(await wrong(page, '/model').innerText(), /128256 rows/);
  });

  it('a GGUF file alone is enough, and says what it is for', async (t) => {
    const page = await browser.open(t);
    await drop(page, ['house.Q4_K_M.gguf', gguf()]);
    await inUse(page, 'dimensions, headers of');
    const { model } = await answer(page);
    assert.equal(model.id, 'House Llama');
    assert.equal(model.parameters, parameters);
    assert.match(await page.locator('.verdict .sentence').innerText(), /^House Llama/);
    assert.match(await told(page).innerText(), /A GGUF file is for inference/);
  });

  it('of an unknown class give a rough answer that says so', async (t) => {
    const page = await browser.open(t);
    await drop(page, ['config.json', JSON.stringify({ ...config, architectures: ['AcmeForCausalLM'], model_type: 'acme' })]);
    await inUse(page, 'Known: dimensions.');
    await settled(page);
    assert.match(await basis(page).innerText(), /^rough .*unknown class/);
    assert.match(await page.locator('.problems.warning').innerText(), /AcmeForCausalLM/);
  });

  it('dropped on the catalogue lead back to the run', async (t) => {
    const page = await browser.open(t);
    await page.getByRole('link', { name: 'Catalogue', exact: true }).click();
    await page.locator('.entries').waitFor();
    await drop(page, ['model.gguf', 'no such thing']);
    await told(page)
      .getByText(/not_gguf|GGUF/)
      .waitFor();
    assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
  });

  it('of several gigabytes are read by their header, from the disk', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tunefit-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, 'model.safetensors');
    const file = await open(path, 'w');
    await file.write(whole());
    await file.truncate(5e9); // a hole, no bytes on the disk
    await file.close();
    const page = await browser.open(t);
    const began = Date.now();
    await page.locator('#own-file').setInputFiles([path]);
    await inUse(page, 'headers of 146 tensors');
    assert.ok(Date.now() - began < 10_000);
    assert.equal((await answer(page)).model.basis, 'size_only');
  });

  it('of which a part alone is read: 40 GB that count how much of them', async (t) => {
    const page = await browser.open(t);
    const front = whole().toString('base64');
    await page.evaluate((letters) => {
      const bytes = Uint8Array.from(atob(letters), (c) => c.charCodeAt(0));
      window.readBytes = 0;
      const slice = (from, to) => {
        window.readBytes += to - from;
        const part = new Uint8Array(to - from);
        part.set(bytes.subarray(from, to));
        return new File([part], 'part');
      };
      const event = new window.DragEvent('drop', { bubbles: true, cancelable: true });
      const files = [{ name: 'model.safetensors', size: 40e9, slice }];
      Object.defineProperty(event, 'dataTransfer', { value: { files } });
      document.body.dispatchEvent(event);
    }, front);
    await inUse(page, 'headers of 146 tensors');
    const read = await page.evaluate(() => window.readBytes);
    assert.ok(read > 0 && read < 3e6, `${read} bytes`);
  });
});

describe('files that are not what they seem', () => {
  const cut = (content, bytes) => content.subarray(0, bytes);
  const kBad = [
    ['a cut safetensors', [['model.safetensors', cut(whole(), 300)]], /model\.safetensors: The file ends after 300 bytes/],
    ['a length of nonsense', [['model.safetensors', Buffer.alloc(64, 0xff)]], /length of the header is 18446744073709551615/],
    ['a header that is no JSON', [['m.safetensors', Buffer.from('\x03\0\0\0\0\0\0\0{x}', 'latin1')]], /not JSON/],
    ['a header without tensors', [['m.safetensors', safetensors({})]], /./],
    ['an impossible shape', [['m.safetensors', safetensors({ 'a.weight': [-4, 1e30] })]], /whole number|dimension/i],
    ['a cut GGUF', [['m.gguf', cut(gguf(), 100)]], /m\.gguf: The file ends after 100 bytes/],
    ['an old GGUF', [['m.gguf', gguf('llama', 1)]], /version 1/],
    ['a GGUF of no known dimensions', [['m.gguf', Buffer.concat([Buffer.from('GGUF\x03\0\0\0'), Buffer.alloc(16)])]], /architecture/],
    ['a picture', [['me.png', Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')]], /me\.png: The file is of no kind/],
    ['nothing at all', [['config.json', '']], /./],
    ['an index without weights', [['model.safetensors.index.json', '{"weight_map": {}}']], /weight_map/],
    [
      'a config that cannot be read beside good weights',
      [
        ['config.json', '{"hidden_size": '],
        ['model.safetensors', whole()],
      ],
      /config\.json: /,
    ],
  ];
  for (const [what, files, says] of kBad) {
    it(`${what}: told in words, and nothing else changes`, async (t) => {
      const page = await browser.open(t);
      await field(page, '/recipe/sequence_length').fill('4k');
      await page.getByText('Use your own config.json').click();
      await page.locator('#own-text').fill('typed by hand');
      await drop(page, ...files);
      await told(page).locator('.error').first().waitFor();
      assert.match(await told(page).innerText(), says);
      await settled(page);
      assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
      assert.equal(await field(page, '/recipe/sequence_length').inputValue(), '4,096');
      assert.equal(await page.locator('#own-text').inputValue(), 'typed by hand');
      assert.equal(await page.locator('.stale').count(), 0);
      assert.equal(await page.locator('#own-text').getAttribute('aria-invalid'), 'false');
    });
  }

  it('a broken part beside good ones is named, the rest is of use', async (t) => {
    const page = await browser.open(t);
    await drop(page, ['config.json', configText], ['one.safetensors', safetensors(tensors(0, 9))], ['two.safetensors', cut(whole(), 99)]);
    await inUse(page, 'dimensions, headers of 82 tensors');
    assert.match(await told(page).locator('.error').innerText(), /two\.safetensors/);
    const { model, findings } = await answer(page);
    assert.equal(model.basis, 'config');
    assert.equal(model.parameters, parameters);
    assert.ok(findings.some(({ code }) => code === 'header_disagrees'));
  });
});

describe('a number of parameters alone', () => {
  it('is read in the ways people write it, and nothing else is', async () => {
    const path = `${root}web/src/fields/number.ts`;
    const { parseParameters } = (await runnerImport(path, { configFile: false, logLevel: 'error' })).module;
    const right = { '13B': 13e9, '7.6 b': 7.6e9, '0,5B': 5e8, '350M': 3.5e8, '1.2T': 1.2e12, '8 billion parameters': 8e9, 7000000000: 7e9 };
    for (const [text, value] of Object.entries(right)) assert.equal(parseParameters(text), value, text);
    for (const text of ['', '13', 'B', 'Llama-2-13B', '-5B', '0B', '13 bananas', '1e400B', '7b mistral', 'nanB'])
      assert.equal(parseParameters(text), undefined, text);
  });

  it('gives a rough answer that says what it rests on', async (t) => {
    const page = await browser.open(t);
    const input = field(page, '/model');
    await input.fill('13B');
    await page.getByRole('option', { name: /^13 B parameters/ }).waitFor();
    await input.press('Enter');
    const { model } = await answer(page);
    assert.equal(model.basis, 'size_only');
    assert.ok(Math.abs(model.parameters / 13e9 - 1) < 0.001);
    assert.deepEqual((await download(page, 'Request as JSON')).model, { name: '13 B model', parameters: 13e9 });
    assert.equal(await input.inputValue(), '13 B parameters, nothing else known');
    assert.match(await page.locator('.verdict .sentence').innerText(), /^13 B model with QLoRA/);
    assert.match(await basis(page).innerText(), /^rough .*none given; only the size is known: taken as .*hidden_size \d+/s);
    // Its files say more than the number.
    await drop(page, ['config.json', configText]);
    await inUse(page, 'Known: dimensions.');
    assert.equal((await answer(page)).model.parameters, parameters);
    assert.equal((await download(page, 'Request as JSON')).model.parameters, undefined);
    await undo(page);
    await undo(page);
    await settled(page);
    assert.equal(await input.inputValue(), 'Llama-3.1-8B');
  });

  it('entered by leaving the field counts too; what no model has is told', async (t) => {
    const page = await browser.open(t);
    const input = field(page, '/model');
    await input.fill('70 billion');
    await input.blur();
    assert.equal((await answer(page)).model.basis, 'size_only');
    await input.fill('90000T');
    await input.press('Enter');
    await settled(page);
    assert.ok((await wrong(page, '/model').innerText()).length > 20);
    await input.fill('13');
    await input.blur();
    await settled(page);
    assert.match(await wrong(page, '/model').innerText(), /No model "13"/);
  });
});

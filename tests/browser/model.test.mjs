// Choosing a model, and bringing one's own config.json.
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { download, drop, field, settled, useBrowser, wrong } from './harness.mjs';

const browser = useBrowser();

const kConfig = {
  architectures: ['LlamaForCausalLM'],
  model_type: 'llama',
  hidden_size: 2048,
  intermediate_size: 8192,
  num_hidden_layers: 16,
  num_attention_heads: 32,
  num_key_value_heads: 8,
  vocab_size: 128256,
  tie_word_embeddings: true,
  max_position_embeddings: 131072,
  torch_dtype: 'bfloat16',
  _name_or_path: 'unreleased-codename',
};

const openOwn = (page) => page.getByText('Use your own config.json').click();
const ownWrong = (page) => page.locator('#own-wrong');

describe('the catalogue', () => {
  it('is searched, chosen from by mouse, and an unknown name is named', async (t) => {
    const page = await browser.open(t);
    const box = field(page, '/model');
    await box.click();
    await page.locator('[role=option]').nth(50).waitFor();
    await box.fill('mistral 7b');
    await page
      .getByRole('option', { name: /Mistral-7B/ })
      .first()
      .click();
    await settled(page);
    assert.match(await page.locator('.verdict .sentence').innerText(), /^Mistral-7B/);
    await box.fill('acme/no-such-model');
    await box.blur();
    await settled(page);
    assert.match(await wrong(page, '/model').innerText(), /acme\/no-such-model/);
    assert.equal(await box.inputValue(), 'acme/no-such-model');
    assert.equal(await page.locator('.results.stale .verdict').count(), 1);
  });

  it('says of a model that cannot be sized why not', async (t) => {
    const page = await browser.open(t);
    // An entry of one's own that leaves out what decides: every entry of the catalogue can be sized.
    await drop(
      page,
      'acme.json',
      JSON.stringify({ models: [{ id: 'acme-riddle', name: 'Acme Riddle', kind: 'dense', hidden_size: 4096, num_layers: 32 }] }),
    );
    await page.locator('#own-entries .overlay-files .note').first().waitFor();
    await page.getByRole('link', { name: 'Size', exact: true }).click();
    await field(page, '/model').fill('acme-riddle');
    await field(page, '/model').press('Enter');
    await settled(page);
    assert.match(await wrong(page, '/model').innerText(), /cannot be sized: a dimension is missing .*vocab_size/);
  });
});

describe('a config.json', () => {
  it('is pasted, sized, named, and never enters the link', async (t) => {
    const page = await browser.open(t);
    await field(page, '/recipe/sequence_length').fill('4k');
    await openOwn(page);
    await page.locator('#own-text').fill(JSON.stringify(kConfig));
    await page.getByRole('button', { name: 'Use this model' }).click();
    await page.getByText('Your own model is in use.').waitFor();
    await settled(page);
    const { model } = await download(page, 'Answer as JSON');
    assert.equal(model.basis, 'config');
    assert.equal(model.parameters, 1235814400); // Llama-3.2-1B, whose dimensions these are
    assert.equal(await field(page, '/recipe/sequence_length').inputValue(), '4,096');
    const hash = await page.evaluate(() => location.hash);
    assert.match(hash, /own=1/);
    assert.doesNotMatch(hash, /codename|2048|llama/i);
    await page.getByRole('button', { name: 'Undo' }).click();
    await settled(page);
    assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
  });

  it('is dropped anywhere on the page', async (t) => {
    const page = await browser.open(t);
    await drop(page, 'config.json', JSON.stringify(kConfig));
    await page.waitForFunction(() => document.querySelector('#f-model').value.includes('your own'));
    await settled(page);
    assert.equal((await download(page, 'Answer as JSON')).model.basis, 'config');
  });

  const kBad = [
    [
      'of a class that cannot be sized',
      JSON.stringify({ ...kConfig, architectures: ['AcmeForConditionalGeneration'], is_encoder_decoder: true }),
      /AcmeForConditionalGeneration.* it has an encoder/,
    ],
    ['cut off in the middle', JSON.stringify(kConfig).slice(0, 200), /JSON|end/i],
    ['that is a list', '[1, 2, 3]', /object/i],
    ['of nonsense dimensions', JSON.stringify({ ...kConfig, hidden_size: -3, num_hidden_layers: 1e300 }), /hidden_size|num_hidden_layers/],
    ['nested without end', '['.repeat(200_000), /./],
    ['of markup', '<img src=x onerror=alert(1)>', /./],
    ['that is empty', '   ', /no text/],
  ];
  for (const [what, text, says] of kBad) {
    it(`${what} is refused in words and changes nothing else`, async (t) => {
      const page = await browser.open(t);
      await field(page, '/recipe/sequence_length').fill('4k');
      await openOwn(page);
      await page.locator('#own-text').fill(text);
      await page.getByRole('button', { name: 'Use this model' }).click();
      await ownWrong(page).locator('p').first().waitFor();
      assert.match(await ownWrong(page).innerText(), says);
      await settled(page);
      assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
      assert.equal(await field(page, '/recipe/sequence_length').inputValue(), '4,096');
      assert.equal(await page.locator('#own-text').inputValue(), text);
      assert.equal(await page.locator('img[src=x]').count(), 0);
      assert.equal(await page.locator('.stale').count(), 0);
    });
  }

  it('of 50 MB is refused at once, dropped or pasted', async (t) => {
    const page = await browser.open(t);
    const began = Date.now();
    await drop(page, 'garbage.json', '', 50_000_000);
    await ownWrong(page).locator('p').first().waitFor();
    assert.ok(Date.now() - began < 5_000);
    assert.match(await ownWrong(page).innerText(), /50,000,000 bytes/);
    assert.equal(await field(page, '/model').inputValue(), 'Llama-3.1-8B');
    await page.locator('#own-text').evaluate((box) => {
      const data = new DataTransfer();
      data.setData('text/plain', 'x'.repeat(50_000_000));
      box.dispatchEvent(new window.ClipboardEvent('paste', { clipboardData: data, bubbles: true, cancelable: true }));
    });
    assert.equal(await page.locator('#own-text').inputValue(), '');
    await field(page, '/recipe/sequence_length').fill('1k');
    await settled(page);
  });
});

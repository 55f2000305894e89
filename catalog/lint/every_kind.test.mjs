// Real entries of each kind pass every linter; a copy that is broken on purpose does not.
import assert from 'node:assert/strict';
import test from 'node:test';
import { KINDS, loadCatalogue } from '../lib/catalogue.mjs';
import { findingsOf } from '../lib/linters.mjs';
import { canonical } from './canonical.mjs';

const real = loadCatalogue();

// Linter that must speak up, entry to break, how.
const BROKEN = {
  models: [
    ['schema', 'llama-3.1-8b', (e) => (e.num_layers = 'thirty-two')],
    ['parameter_count', 'llama-3.1-8b', (e) => (e.hidden_size = 4000)],
    ['dates', 'llama-3.1-8b', (e) => (e.release = '2031-01-01')],
    ['sources', 'llama-3.1-8b', (e) => (e.sources = ['somewhere'])],
    ['licences', 'llama-3.1-8b', (e) => (e.licence.id = 'llama-9')],
    ['model_facts', 'llama-3.1-8b', (e) => delete e.max_position_embeddings],
  ],
  accelerators: [
    ['memory', 'nvidia-h100-80gb-sxm', (e) => (e.memory_reported_bytes = 96 * 2 ** 30)],
    ['units', 'nvidia-h100-80gb-sxm', (e) => (e.memory_bandwidth_bytes_per_s = 3350)],
    ['mig', 'nvidia-h100-80gb-sxm', (e) => (e.mig[0].memory_slices = [2, 8])],
    ['source_form', 'nvidia-h100-80gb-sxm', (e) => (e.matmul_measured[0].source = 'measured once')],
    ['memory_marks', 'nvidia-h100-80gb-pcie', (e) => (e.fields_from_memory = ['colour'])],
    ['dates', 'nvidia-h100-80gb-sxm', (e) => (e.release_year = 2030)],
  ],
  systems: [
    ['references', 'dgx-b200', (e) => (e.accelerator = 'nvidia-b2000')],
    ['options', 'dgx-b200', (e) => (e.options[0].default = 'ram-9tb')],
    ['units', 'dgx-b200', (e) => (e.host.ram_bytes = 2048)],
    ['schema', 'dgx-b200', (e) => (e.power_kw = 14.3)],
    ['sources', 'dgx-b200', (e) => (e.sources = [])],
  ],
  offers: [
    ['units', 'aws-p5.48xlarge', (e) => (e.price.usd_per_hour = 5504)],
    ['prices', 'aws-p5.48xlarge', (e) => (e.price.date = '2030-01-01')],
    ['references', 'aws-p5.48xlarge', (e) => (e.accelerators = 0)],
    ['source_form', 'aws-p5.48xlarge', (e) => (e.price.source = 'a friend')],
  ],
  frameworks: [
    ['frameworks', 'trl', (e) => (e.defaults[0].when = { trl: '0.20' })],
    ['references', 'trl', (e) => (e.extends = 'nothing')],
    ['schema', 'trl', (e) => (e.packages = 'trl')],
  ],
  glossary: [
    ['glossary', 'lora', (e) => (e.see = ['nothing'])],
    ['schema', 'lora', (e) => (e.text = 'Short.')],
  ],
  rules: [
    ['rules', 'full-16-bytes-per-weight', (e) => (e.arithmetic.of = 'forward_flops')],
    ['schema', 'full-16-bytes-per-weight', (e) => delete e.misleads],
    ['source_form', 'full-16-bytes-per-weight', (e) => (e.source = 'everybody')],
  ],
};

// The catalogue with one entry of the kind beside all that others may refer to.
function only(kind, entry) {
  const file = `${kind}/copy.json`;
  const framework = kind === 'frameworks';
  const list = framework ? [...real.frameworks.filter((f) => f.entry.id !== entry.id)] : [];
  const data = framework ? entry : { [kind]: [entry] };
  const copy = { ...real, models: [], offers: [], systems: [], published: null, [kind]: [...list, { entry, raw: entry, file }] };
  if (kind === 'accelerators') Object.assign(copy, { tables: { ...real.tables, runtime: undefined } });
  // Terms and rules refer to other terms.
  if (kind === 'glossary') copy.glossary = [...real.glossary.filter((t) => t.entry.id !== entry.id), { entry, raw: entry, file }];
  if (kind === 'glossary') copy.rules = [];
  copy.files = [{ path: file, kind, data, text: '' }];
  copy.files[0].text = canonical(copy.files[0], real.schemas);
  return copy;
}

for (const kind of KINDS) {
  test(`${kind}: real entries pass, broken copies are caught`, async () => {
    for (const [linter, id, change] of BROKEN[kind]) {
      const entry = structuredClone(real[kind].find((e) => e.entry.id === id)?.entry);
      assert.ok(entry, `there is no ${id}`);
      const of = async (e) => (await findingsOf(only(kind, e))).filter((f) => f.id === id);
      assert.deepEqual(await of(structuredClone(entry)), [], id);
      change(entry);
      const findings = await of(entry);
      assert.ok(
        findings.some((f) => f.linter === linter),
        `${id}: ${linter} says nothing of ${change}; said: ${findings.map((f) => `${f.linter}: ${f.message}`).join('; ')}`,
      );
    }
  });
}

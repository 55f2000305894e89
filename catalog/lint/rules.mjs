// Rules of thumb: their arithmetic yields what they predict, and what they refer to exists.
export const name = 'rules';

// What may be multiplied to predict each quantity; [] where only a constant or words can.
const FACTORS = {
  gpu_memory: ['quantized_base_bytes', 'estimated_bytes'],
  gpu_memory_run: ['trained_parameters', 'model_parameters', 'weights_16_bit_bytes'],
  weights_memory: ['weights_16_bit_bytes'],
  host_ram: ['accelerators', 'node_gpu_memory_bytes'],
  nvme: ['node_gpu_memory_bytes'],
  host_cpu_cores: ['accelerators'],
  network: [],
  flops_ratio: ['forward_flops'],
  accelerators: ['concurrent_runs'],
  largest_model: [],
  rent_or_buy: [],
  interconnect: null,
  data: null,
};

// Plausible results of a constant, so that gigabytes are not taken for bytes.
const CONSTANT = {
  gpu_memory: [1e9, 1e14],
  gpu_memory_run: [1e9, 1e14],
  network: [1e9, 1e13],
  accelerators: [1, 1e5],
  largest_model: [1e8, 1e13],
  rent_or_buy: [0.05, 1],
};

export function check(catalogue) {
  const terms = new Set(catalogue.glossary.map(({ entry }) => entry.id));
  const findings = [];
  for (const { entry: e, file } of catalogue.rules) {
    const say = (message) => findings.push({ file, id: e.id, message });
    const { form, of, value, plus } = e.arithmetic;
    const factors = FACTORS[e.predicts];
    if ((form === 'words') !== (factors === null)) say(`${e.predicts} is ${factors === null ? '' : 'not '}predicted in words`);
    if ((form === 'words') !== (value === undefined)) say(form === 'words' ? 'words have no value' : 'value is missing');
    if ((form === 'times') !== (of !== undefined)) say('"of" is given exactly where something is multiplied');
    if (of && !factors?.includes(of)) say(`${of} does not make ${e.predicts}`);
    if (value && value[0] > value[1]) say('value: low is above high');
    const [low, high] = CONSTANT[e.predicts] ?? [0, Infinity];
    if (form === 'constant' && value && (value[0] < low || value[1] > high)) say(`${value} is implausible for ${e.predicts}`);
    if (plus && !e.predicts.startsWith('gpu_memory')) say(`${plus} is no part of ${e.predicts}`);
    const sizes = e.when?.parameters;
    if (sizes && sizes[0] > sizes[1]) say('when.parameters: from is above to');
    for (const id of e.see ?? []) if (!terms.has(id)) say(`see names ${id}, which is no term of the glossary`);
  }
  return findings;
}

// Every entry says where it comes from; what nobody checked says so.
export const name = 'sources';

export function check(catalogue) {
  const findings = [];
  for (const kind of ['models', 'accelerators', 'systems', 'offers']) {
    for (const { entry, file } of catalogue[kind]) {
      const say = (message) => findings.push({ file, id: entry.id, message });
      if (!entry.basis) say('basis is missing');
      if (!entry.sources?.length && entry.basis !== 'memory') say('no source: name one, or set basis to "memory"');
      if (entry.fields_from_memory?.length && entry.basis === 'sources') say('fields_from_memory are named, so basis is "mixed"');
      if (kind === 'models') checkModel(entry, say);
      for (const source of [...(entry.sources ?? []), ...(entry.release_source ? [entry.release_source] : [])])
        if (!wellFormed(source)) say(`not a source: ${source}`);
    }
  }
  return findings;
}

function checkModel(entry, say) {
  if (entry.params_total && !entry.params_total_basis) say('params_total_basis is missing');
  if (['published', 'published_adjusted'].includes(entry.params_total_basis) && !entry.params_total_source)
    say('params_total_source is missing');
  if (!entry.licence) say('licence is missing, in the entry and in its file');
  else if (entry.licence.basis !== 'memory' && !entry.licence.sources.length)
    say('the licence names no source and its basis is not "memory"');
}

const FORMS = [
  /^https?:\/\/\S+/,
  /^[\w.-]+\/[\w.-]+@[0-9a-f]{7,40}\b/, // owner/repository@commit
  /^github\.com\/[\w.-]+\//,
  /^mlcommons \w+/,
  /^hardware vendor guide [A-D]$/,
  /^mma benchmark /,
  // Many listings of one command, with the day on which they were looked for.
  /^(nvidia-smi |nvidia-smi mig -lgip |rocm-smi |CUDA )listings in public repositories \(string search, \d{4}-\d{2}-\d{2}\)/,
];

/** Whether a source leads somewhere: an address, a repository, one of the guides. */
export const wellFormed = (source) => FORMS.some((form) => form.test(source));

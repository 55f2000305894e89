// Small text rules that the converters share.

export const slug = (s) =>
  s
    .toLowerCase()
    .replace(/\+/g, '')
    .replace(/[^a-z0-9.]+/g, '-')
    .replace(/^-|-$/g, '');

// Members that no source gives are left out of a model entry: null and absent mean the same there.
export const withoutNulls = (o) => Object.fromEntries(Object.entries(o).filter(([, v]) => v !== null && v !== undefined));

// {repo, path, commit, what} -> "owner/name@commit path (what)"; null for what was written from memory (basis says so).
export function citation(s) {
  if (typeof s === 'string') return tidySource(s);
  if (!s.repo) return null;
  return `${s.repo}@${s.commit} ${s.path}` + (s.what ? ` (${s.what})` : '');
}

// Guides are named once; what the collectors called raw material gets a plain name.
export function tidySource(s) {
  return s
    .replace(/^guide guide ([A-D])$/, 'hardware vendor guide $1')
    .replace('code-corpus mma benchmark, RTX 5090 D', 'mma benchmark of an RTX 5090 D')
    .replace(/^github\.com\/([\w.-]+\/[\w.-]+@)/, '$1');
}

export const tidyNote = (s) =>
  s
    ?.replace(/Seed name/g, 'The guide names it')
    .replace(/Seed (shows|gives|rule)/g, 'The guide $1')
    .replace(/Seed: (.)/g, (_, c) => c.toUpperCase())
    .replace(/Seed:/g, '')
    .replace(/gpus\.json( b300)?/g, 'the accelerator entry') ?? null;

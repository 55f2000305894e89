// Terms of the glossary: each name once, `see` leads somewhere, texts are sentences.
export const name = 'glossary';

export function check(catalogue) {
  const ids = new Set(catalogue.glossary.map(({ entry }) => entry.id));
  const byName = new Map();
  const findings = [];
  for (const { entry: e, file } of catalogue.glossary) {
    const say = (message) => findings.push({ file, id: e.id, message });
    for (const key of new Set([e.id, e.term, ...(e.aliases ?? [])].map(plain))) {
      if (byName.has(key)) say(`"${key}" already names ${byName.get(key)}`);
      else byName.set(key, e.id);
    }
    for (const id of e.see ?? []) {
      if (!ids.has(id)) say(`see names ${id}, which does not exist`);
      if (id === e.id) say('see names the term itself');
    }
    if (!/^[A-Z0-9].*[.)]$/s.test(e.text)) say('text begins with a capital letter or a digit and ends with a full stop');
    const sentences = e.text.split(/[.?!](?:\s|$)/).filter(Boolean).length;
    if (sentences > 3) say(`text has ${sentences} sentences; three at most`);
  }
  return findings;
}

// Spellings that one looks up alike: "zero-3", "ZeRO 3", "zero_3".
export const plain = (text) =>
  text
    .toLowerCase()
    .replaceAll(/[\s_-]+/g, ' ')
    .trim();

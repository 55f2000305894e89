// Finding an entry among several hundred by a few letters of its name.

export interface Option {
  readonly value: string;
  readonly label: string;
  /** Shown small beside the label. */
  readonly detail?: string;
  readonly group: string;
  /** Lower-case text in which words are looked for. */
  readonly search: string;
}

const wordsOf = (text: string): readonly string[] => text.toLowerCase().split(/\s+/).filter(Boolean);

// 0 best. A word that begins the text counts more than one that begins a word, and that more than one inside a word.
function rank(search: string, words: readonly string[]): number | undefined {
  let total = 0;
  for (const word of words) {
    const at = search.indexOf(word);
    if (at < 0) return undefined;
    const starts = at === 0 || search.split(/[\s/_.-]+/).some((part) => part.startsWith(word));
    total += at === 0 ? 0 : starts ? 1 : 3;
  }
  return total;
}

/** Options in which every word occurs: best first within the order of their groups; all of them for an empty text. */
export function find(options: readonly Option[], text: string): readonly Option[] {
  const words = wordsOf(text);
  if (words.length === 0) return options;
  const ranked: { option: Option; rank: number }[] = [];
  for (const option of options) {
    const score = rank(option.search, words);
    if (score !== undefined) ranked.push({ option, rank: score });
  }
  const best = new Map<string, number>();
  for (const { option, rank } of ranked) best.set(option.group, Math.min(rank, best.get(option.group) ?? Infinity));
  return ranked
    .sort((a, b) => {
      if (a.option.group === b.option.group) return a.rank - b.rank;
      return (best.get(a.option.group) ?? 0) - (best.get(b.option.group) ?? 0) || a.option.group.localeCompare(b.option.group);
    })
    .map(({ option }) => option);
}

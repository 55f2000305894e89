// --overlay FILE: entries of one's own. With --skip-wrong the wrong ones are left out and told, so that the rest is of use.
import { readObject, Wrong } from './input.mjs';
import { oneLine } from './output.mjs';

// Leaving an entry out may make another one wrong that names it; the engine names a hundred findings at a time.
const kRounds = 5;

/** The overlay that a call names, or undefined. Throws Wrong where nothing of it can be used. */
export async function readOverlay(engine, { overlay: file, 'skip-wrong': skip }) {
  if (skip && !file) throw new Wrong('usage', '--skip-wrong needs --overlay.', 'It leaves out what is wrong in that file.');
  if (!file) return undefined;
  const overlay = await readObject(file);
  return skip ? usable(engine, overlay) : overlay;
}

function usable(engine, overlay) {
  const left = new Remainder(overlay);
  const told = [];
  for (let round = 0; round < kRounds; ++round) {
    const { error, findings } = engine.catalogue({ kind: 'frameworks', query: '\u0001', catalogue_overlay: left.overlay() });
    if (!error) {
      for (const finding of told) process.stderr.write(`${oneLine({ error: finding }).replace('tunefit: ', 'tunefit: left out: ')}\n`);
      return left.overlay();
    }
    const wrong = findings.filter(({ severity }) => severity === 'error').map((finding) => left.asGiven(finding));
    told.push(...wrong);
    if (!left.remove(wrong)) break;
  }
  const [{ code, message, hint }] = told;
  throw new Wrong(code, `${message} This and more of the overlay is wrong, too much to leave it out.`, hint);
}

const kPlace = /^\/catalogue_overlay\/([^/]+)(?:\/(\d+))?/;

/** What remains of an overlay, with the places that its entries had. */
class Remainder {
  #given;
  #gone = new Map(); // kind -> places, or true for all of it

  constructor(given) {
    this.#given = given;
  }

  overlay() {
    const kinds = Object.entries(this.#given).filter(([kind]) => this.#gone.get(kind) !== true);
    return Object.fromEntries(kinds.map(([kind, list]) => [kind, this.#gone.has(kind) ? this.#places(kind).map((i) => list[i]) : list]));
  }

  #places = (kind) => [...this.#given[kind].keys()].filter((i) => !this.#gone.get(kind)?.has(i));

  /** The finding with the place that its entry has in the file. */
  asGiven(finding) {
    const [, kind, place] = kPlace.exec(finding.pointer) ?? [];
    if (place === undefined) return finding;
    const given = this.#places(kind)[Number(place)];
    const pointer = finding.pointer.replace(`/${kind}/${place}`, `/${kind}/${given}`);
    return { ...finding, pointer, message: finding.message.replace(`${kind}[${place}]`, `${kind}[${given}]`) };
  }

  /** False where a finding points to no entry and no kind. */
  remove(findings) {
    for (const { pointer } of findings) {
      const [, name, place] = kPlace.exec(pointer) ?? [];
      if (!name) return false;
      const kind = name.replaceAll('~1', '/').replaceAll('~0', '~');
      if (place === undefined) this.#gone.set(kind, true);
      else if (this.#gone.get(kind) !== true) this.#gone.set(kind, (this.#gone.get(kind) ?? new Set()).add(Number(place)));
    }
    return true;
  }
}

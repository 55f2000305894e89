// Values that many entries share, once each: a value is written as its place in the list.
export class Places {
  list = [];
  #place = new Map();

  /** The place of a JSON value; new ones are added. */
  of(value) {
    const key = JSON.stringify(value);
    if (!this.#place.has(key)) this.#place.set(key, this.list.push(value) - 1);
    return this.#place.get(key);
  }
}

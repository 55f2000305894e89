// Reads numbers and texts from the front of a file, a slice at a time; the rest of the file is never loaded.

/** What is read of a file: a browser's File, or anything that gives slices as one does. */
export interface Source {
  readonly size: number;
  readonly slice: (from: number, to: number) => { readonly arrayBuffer: () => Promise<ArrayBuffer> };
}

/** What is wrong with a file, in words for a person. */
export class Malformed extends Error {
  readonly code: string;
  readonly hint: string;

  constructor(code: string, message: string, hint: string) {
    super(message);
    this.code = code;
    this.hint = hint;
  }
}

const kSlice = 1 << 20;
const kMostBytes = 1 << 28; // headers of more than 256 MiB do not exist

/** A reader that moves forward through a file. `take` is synchronous while the slice lasts. */
export class Window {
  readonly #file: Source;
  #bytes = new Uint8Array(0);
  #view = new DataView(this.#bytes.buffer);
  #start = 0; // of the slice in the file
  #at = 0; // in the slice

  constructor(file: Source) {
    this.#file = file;
  }

  /** Where the reader stands, in bytes from the start of the file. */
  get position(): number {
    return this.#start + this.#at;
  }

  /** Whether the next n bytes are at hand. */
  has(n: number): boolean {
    return this.#at + n <= this.#bytes.length;
  }

  /** Makes the next n bytes ready; throws Malformed where the file ends before. */
  async fill(n: number): Promise<void> {
    if (this.has(n)) return;
    const from = this.position;
    if (!(n >= 0 && n <= kMostBytes) || from + n > kMostBytes)
      throw new Malformed('too_large', `A part of the header would take ${String(n)} bytes.`, 'a header of at most 256 MiB');
    if (from + n > this.#file.size)
      throw new Malformed(
        'truncated',
        `The file ends after ${String(this.#file.size)} bytes, in the middle of its header.`,
        'the whole file; a download may have broken off',
      );
    const end = Math.min(this.#file.size, from + Math.max(n, kSlice));
    this.#bytes = new Uint8Array(await this.#file.slice(from, end).arrayBuffer());
    this.#view = new DataView(this.#bytes.buffer);
    this.#start = from;
    this.#at = 0;
    if (this.#bytes.length < n) throw new Malformed('unreadable', 'The file could not be read.', 'a file on this machine');
  }

  /** The next n bytes, which must be at hand. */
  take(n: number): Uint8Array {
    this.#at += n;
    return this.#bytes.subarray(this.#at - n, this.#at);
  }

  /** Steps over n bytes without reading them. */
  skip(n: number): void {
    if (!(n >= 0) || this.position + n > this.#file.size)
      throw new Malformed('truncated', 'A list in the header is longer than the file.', 'the whole file');
    if (this.has(n)) {
      this.#at += n;
      return;
    }
    this.#start = this.position + n;
    this.#bytes = new Uint8Array(0);
    this.#at = 0;
  }

  async u32(): Promise<number> {
    if (!this.has(4)) await this.fill(4);
    this.#at += 4;
    return this.#view.getUint32(this.#at - 4, true);
  }

  /** A whole number of 64 bits; throws Malformed above 2^53. */
  async u64(what: string): Promise<number> {
    if (!this.has(8)) await this.fill(8);
    this.#at += 8;
    const n = this.#view.getBigUint64(this.#at - 8, true);
    if (n > BigInt(Number.MAX_SAFE_INTEGER))
      throw new Malformed('out_of_range', `${what} is ${String(n)}.`, 'a whole number that a file can hold');
    return Number(n);
  }
}

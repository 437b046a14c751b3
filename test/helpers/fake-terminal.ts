import { PassThrough, Writable } from 'node:stream';
import { stripVTControlCharacters } from 'node:util';

/** A keyboard: what is written to it was typed. */
export class FakeStdin extends PassThrough {
  readonly isTTY = true;
  isRaw = false;

  setRawMode(isRaw: boolean): this {
    this.isRaw = isRaw;
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }
}

/** A terminal of a fixed size for Ink's debug mode, in which every write is a whole frame. */
export class FakeStdout extends Writable {
  readonly isTTY = true;
  readonly columns: number;
  readonly rows: number;
  #frame = '';

  constructor(columns: number, rows: number) {
    super();
    this.columns = columns;
    this.rows = rows;
  }

  /** The last frame without colours: those depend on the terminal that runs the test. */
  get lines(): string[] {
    return stripVTControlCharacters(this.#frame)
      .split('\n')
      .map((line) => line.trimEnd());
  }

  override _write(chunk: unknown, _encoding: BufferEncoding, done: () => void): void {
    const text = String(chunk);
    // Modes are switched by writes of their own.
    if (stripVTControlCharacters(text) !== '') this.#frame = text;
    done();
  }
}

const NEWLINE = 0x0a;

/** Cuts what a program prints into lines, of which none may be longer than `maxBytes`. */
export class MessageLines {
  readonly #maxBytes: number;
  readonly #onLine: (line: string) => void;
  #parts: Buffer[] = [];
  #size = 0;

  constructor(maxBytes: number, onLine: (line: string) => void) {
    this.#maxBytes = maxBytes;
    this.#onLine = onLine;
  }

  /** Takes the next bytes. False when a line has become too long; it is forgotten. */
  push(chunk: Buffer): boolean {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      if (!this.#keep(chunk.subarray(from, end))) return false;
      this.#flush();
      from = end + 1;
    }
    return this.#keep(chunk.subarray(from));
  }

  #keep(part: Buffer): boolean {
    this.#size += part.length;
    if (this.#size > this.#maxBytes) {
      this.#forget();
      return false;
    }
    if (part.length > 0) this.#parts.push(part);
    return true;
  }

  #flush(): void {
    const line = Buffer.concat(this.#parts, this.#size).toString('utf8');
    this.#forget();
    if (line.trim() !== '') this.#onLine(line);
  }

  #forget(): void {
    this.#parts = [];
    this.#size = 0;
  }
}

/** Cuts a text that comes in parts into lines, without their ends. */
export class LineSplitter {
  readonly #maxLength: number;
  readonly #tooLong: string | undefined;
  #parts: string[] = [];
  #length = 0;

  /**
   * @param maxLength - So much of a line is kept until its end comes, in UTF-16 units.
   * @param tooLong - What stands for a longer line. Default: what there is of it is given out as a line.
   */
  constructor(maxLength: number, tooLong?: string) {
    this.#maxLength = maxLength;
    this.#tooLong = tooLong;
  }

  /** The lines that are complete now. */
  take(text: string): string[] {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    const lines = pieces.map((piece) => this.#complete(piece));
    this.#keep(last);
    if (this.#isTooLong && this.#tooLong === undefined) lines.push(this.#complete(''));
    return lines;
  }

  /** What has come of a line. Empty for one that is too long. */
  unfinished(): string {
    return this.#parts.join('');
  }

  /** The line that was never ended. */
  rest(): string[] {
    return this.#length > 0 ? [this.#complete('')] : [];
  }

  get #isTooLong(): boolean {
    return this.#length > this.#maxLength;
  }

  #complete(piece: string): string {
    this.#keep(piece);
    const line = this.#isTooLong && this.#tooLong !== undefined ? this.#tooLong : this.unfinished();
    this.#parts = [];
    this.#length = 0;
    return line.endsWith('\r') ? line.slice(0, -1) : line;
  }

  #keep(piece: string): void {
    this.#length += piece.length;
    if (this.#isTooLong && this.#tooLong !== undefined) this.#parts = [];
    else if (piece !== '') this.#parts.push(piece);
  }
}

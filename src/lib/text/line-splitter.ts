/** So much is kept of the beginning of a line that is too long, in UTF-16 units. */
const BEGINNING = 1_000;

/** Cuts a text that comes in parts into lines, without their ends. `LongLine`: what stands for one that is too long. */
export class LineSplitter<LongLine = string> {
  readonly #maxLength: number;
  readonly #tooLong: ((beginning: string) => LongLine) | undefined;
  #parts: string[] = [];
  #length = 0;
  /** What comes next goes on with a line of which a part was given out. */
  #isFurther = false;

  /**
   * @param maxLength - So much of a line is kept until its end comes, in UTF-16 units.
   * @param tooLong - Makes what stands for a longer line of its beginning. Default: what there is of it is given out as a line, and what
   *   goes on with it behind `…`.
   */
  constructor(maxLength: number, tooLong?: (beginning: string) => LongLine) {
    this.#maxLength = maxLength;
    this.#tooLong = tooLong;
  }

  /** The lines that are complete now. */
  take(text: string): (string | LongLine)[] {
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    const lines = pieces.flatMap((piece) => (this.#isEndOfCut(piece) ? [] : [this.#complete(piece)]));
    this.#keep(last);
    if (this.#isTooLong && this.#tooLong === undefined) {
      lines.push(this.#complete(''));
      this.#isFurther = true;
    }
    return lines;
  }

  /** What has come of a line. Empty for one that is too long. */
  unfinished(): string {
    return this.#isCut ? '' : this.#parts.join('');
  }

  /** The line that was never ended. */
  rest(): (string | LongLine)[] {
    return this.#length > 0 ? [this.#complete('')] : [];
  }

  get #isTooLong(): boolean {
    return this.#length > this.#maxLength;
  }

  /** Only its beginning is kept. */
  get #isCut(): boolean {
    return this.#isTooLong && this.#tooLong !== undefined;
  }

  /** Nothing goes on with the line of which a part was given out. */
  #isEndOfCut(piece: string): boolean {
    const isEnd = this.#isFurther && this.#length === 0 && (piece === '' || piece === '\r');
    if (isEnd) this.#isFurther = false;
    return isEnd;
  }

  #complete(piece: string): string | LongLine {
    this.#keep(piece);
    const line = (this.#isFurther ? '…' : '') + this.#parts.join('');
    this.#isFurther = false;
    const cut = this.#isTooLong ? this.#tooLong?.(line) : undefined;
    this.#parts = [];
    this.#length = 0;
    return cut ?? (line.endsWith('\r') ? line.slice(0, -1) : line);
  }

  #keep(piece: string): void {
    const wasCut = this.#isCut;
    this.#length += piece.length;
    if (!wasCut && piece !== '') this.#parts.push(piece);
    if (!wasCut && this.#isCut) this.#parts = [this.#parts.join('').slice(0, BEGINNING)];
  }
}

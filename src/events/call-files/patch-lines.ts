/** Lines of a file that a patch has others take the place of, each side whole, with what stays around them. */
export type Hunk = {
  readonly old: string;
  readonly now: string;
  /** What the patch says of where in the file that is, in lines as they stand there: `@@ function add()`. */
  readonly places: readonly string[];
};

/** What a patch makes of one file. */
export type PatchedFile = {
  /** `undefined`: it does not name its file. */
  readonly path: string | undefined;
  /** What it is called then. */
  readonly movedTo: string | undefined;
  readonly becomes:
    | {
        readonly is: 'edited';
        readonly hunks: readonly Hunk[];
        /** Nothing is left of it, by which it goes to some. */
        readonly isEmptied?: boolean;
      }
    | { readonly is: 'written'; readonly text: string }
    | { readonly is: 'deleted' };
};

/** A line with nothing on it. */
export const blank = /^\s*$/;

/** Lines that are taken one after the other. */
export class Lines {
  readonly #lines: readonly string[];
  #at = 0;

  constructor(text: string) {
    this.#lines = text.replace(/\n$/, '').split('\n');
  }

  /** Whether nothing is left. */
  get isAtEnd(): boolean {
    return this.#at >= this.#lines.length;
  }

  /** The next one, which stays; `undefined` at the end. */
  get next(): string | undefined {
    return this.#lines[this.#at];
  }

  skip(): void {
    this.#at += 1;
  }

  /** Leaves out what is such, however many there are. */
  skipAll(such: RegExp): void {
    while (this.next !== undefined && such.test(this.next)) this.skip();
  }

  /** What the next one says, where it is such, and is taken then. */
  take(such: RegExp): RegExpExecArray | undefined {
    const found = this.next === undefined ? null : such.exec(this.next);
    if (found) this.skip();
    return found ?? undefined;
  }
}

/** The lines of both sides of a hunk as they are found. */
export class Sides {
  readonly #old: string[] = [];
  readonly #now: string[] = [];
  #endsOld = '\n';
  #endsNow = '\n';
  #last = '';
  readonly places: string[] = [];

  get counts(): readonly [old: number, now: number] {
    return [this.#old.length, this.#now.length];
  }

  get hunk(): Hunk {
    const text = (lines: readonly string[], end: string) =>
      lines.length === 0 ? '' : lines.join('\n') + end;
    return {
      old: text(this.#old, this.#endsOld),
      now: text(this.#now, this.#endsNow),
      places: this.places,
    };
  }

  /** @returns whether it is a line of a hunk. */
  add(line: string): boolean {
    // Some leave out the blank in front of an empty line.
    const sign = line === '' ? ' ' : line.charAt(0);
    if (!' +-'.includes(sign)) return false;
    if (sign !== '+') this.#old.push(line.slice(1));
    if (sign !== '-') this.#now.push(line.slice(1));
    this.#last = sign;
    return true;
  }

  /** The file ends with the last line, without a newline. */
  endHere(): void {
    if (this.#last !== '+') this.#endsOld = '';
    if (this.#last !== '-') this.#endsNow = '';
  }
}

import { count } from '../../lib/text/count.ts';
import { leftOutText } from '../../views/text/left-out-text.ts';
import { MAX_LINE_LENGTH } from '../../views/text/longest-line.ts';
import { OutputLine } from './output-line.ts';
import { exportOf } from './export-of.ts';
import { styleBehind, type OwnStyle } from '../../lib/text/own-style.ts';

/** So many lines of a task are kept. */
export const MOST_LINES = 2_000;

/** Characters of an escape sequence that sets a style, at most. */
const LONGEST_STYLE = 64;

/** What the agents of a task write, as lines with numbers: the last ones of them, below how many there were before, and the one that has no end yet. */
export class TaskLines {
  readonly #most: number;
  readonly #lines: OutputLine[] = [];
  /** The last line, as far as it has come, and the style it begins with. */
  #unfinished = '';
  #style: OwnStyle | undefined;
  #next = 0;
  /** Lines that were there, and are kept no longer. */
  #dropped = 0;
  #wroteAt: number | undefined;

  /** @param most - So many lines are kept at least, and twice as many at most. */
  constructor(most: number) {
    this.#most = most;
  }

  /** When something was written last, in ms since the epoch. */
  get wroteAt(): number | undefined {
    return this.#wroteAt;
  }

  /** Takes raw output as it comes; it may end anywhere, even inside an escape sequence. */
  append(text: string): void {
    this.#wroteAt = Date.now();
    const [first = '', ...others] = text.split('\n');
    this.#goOn(first);
    for (const other of others) {
      this.#finish();
      this.#goOn(other);
    }
    this.#dropOld();
  }

  /** Says something of ours on a line of its own: what comes after it begins anew, in no colour of before. */
  note(text: string): void {
    if (this.#unfinished !== '') this.#finish();
    this.#style = undefined;
    this.#put(OutputLine.ofOurs(text));
  }

  /** Puts the last of these lines in front of all: numbers go on below zero. */
  putBefore(lines: readonly OutputLine[]): void {
    // Behind a gap they would stand as if nothing was between.
    const last = this.#dropped > 0 ? [] : lines.slice(-this.#most);
    this.#dropped += lines.length - last.length;
    const first = (this.#lines[0]?.at ?? this.#next) - last.length;
    for (const [index, line] of last.entries()) line.at = first + index;
    this.#lines.unshift(...last);
  }

  /** The lines that there are now. */
  read(): readonly OutputLine[] {
    const lines = this.#dropped > 0 ? [this.#above(), ...this.#lines] : [...this.#lines];
    if (this.#unfinished !== '') {
      const line = new OutputLine(this.#unfinished, this.#style);
      line.at = this.#next;
      lines.push(line);
    }
    return lines;
  }

  /** Says how many lines are kept no longer. */
  #above(): OutputLine {
    const line = OutputLine.ofOurs(leftOutText(count(this.#dropped, 'earlier line'), exportOf('<run>')));
    line.at = (this.#lines[0]?.at ?? this.#next) - 1;
    return line;
  }

  /** A line may have no end: what is kept of it is its tail. */
  #goOn(text: string): void {
    const line = this.#unfinished + text;
    if (line.length <= 2 * MAX_LINE_LENGTH) {
      this.#unfinished = line;
      return;
    }
    const end = line.length - MAX_LINE_LENGTH;
    const sequence = line.lastIndexOf('\u001B', end);
    // A sequence that was cut in two would be text.
    const from = sequence >= 0 && end - sequence < LONGEST_STYLE ? sequence : end;
    this.#style = styleBehind(this.#style, line.slice(0, from));
    this.#unfinished = `…${line.slice(from)}`;
  }

  #finish(): void {
    const line = new OutputLine(this.#unfinished, this.#style);
    this.#put(line);
    this.#style = line.next;
    this.#unfinished = '';
  }

  #put(line: OutputLine): void {
    line.at = this.#next;
    this.#next += 1;
    this.#lines.push(line);
  }

  /** Seldom: moving the whole list for every line would cost more than the lines. */
  #dropOld(): void {
    if (this.#lines.length <= 2 * this.#most) return;
    this.#dropped += this.#lines.splice(0, this.#lines.length - this.#most).length;
  }
}

import { screenSize } from '../../src/tui/terminal/screen-size.ts';
import type { Seen } from './monkey-oracle.ts';
import { marksOfRequests } from './monkey-world.ts';
import type { OversizeTerminal } from './oversize-terminal.ts';

/** What a frame asks before something is done. */
const questions =
  /Dismiss this question\?|(?:Cancel|Skip|Stop|Run the sprint) .*\? y\/n|What becomes of the run|Ctrl\+C again stops|May these|Note to the agent of \w+|Run \S+ here\?/g;

/** When a frame is there at the latest, in ms from what it is about. */
const REDRAWN_MS = 40;

/**
 * How long no key acts after the terminal was too small to show anything, in ms: it is longer to the screen, for which a key
 * that may be the beginning of another arrives later.
 */
const BLIND_MS = 200;

/** How long what begins as a sequence may wait for the rest of it, in ms. */
const HELD_MS = 100;

/** The card of what waits is drawn beside such a bar, in the last column: those before may have a diagram, with lines that look alike. */
const besideBar = /(?<=┃)[^│┃]*$/;

/** An option of a question, by its number. */
const optionHead = /[› ]\d {2}\S/;

/** A cell of a terminal, from 1. */
export type Cell = readonly [column: number, row: number];

/** Reads a terminal as a person does, who keeps in mind what stood there, and since when. */
export class MonkeyEyes {
  readonly #terminal: OversizeTerminal;
  readonly #since = new Map<string, number>();
  #hints = '';
  #place: Seen['place'] = 'now';
  #marked: readonly string[] = [];
  /** Which of the questions is shown, by what stands above it. */
  #number: string | undefined;
  #before = '';
  #options: readonly Cell[] = [];
  #pressedAt = -Infinity;
  #resizedAt = -Infinity;
  #blindUntil = -Infinity;
  #heldUntil = -Infinity;

  constructor(terminal: OversizeTerminal) {
    this.#terminal = terminal;
  }

  /** What the last frame that showed anything names as keys, in its last line and below its card. */
  get hints(): string {
    return this.#hints;
  }

  /** Where options of a question stand in it. */
  get options(): readonly Cell[] {
    return this.#options;
  }

  /** Where it is. What was too small is so for a moment longer: keys that are typed on are dropped. */
  get place(): Seen['place'] {
    return Date.now() < this.#blindUntil ? 'too-small' : this.#place;
  }

  /** What was pressed last may not have been read yet. */
  get isHeld(): boolean {
    return Date.now() < this.#heldUntil;
  }

  /** The last frame. */
  seen(): Pick<Seen, 'hints' | 'shown' | 'before' | 'place' | 'marked'> {
    const now = Date.now();
    const shown = new Map([...this.#since].map(([text, since]) => [text, now - since]));
    return {
      hints: this.#hints,
      shown,
      before: this.#before,
      place: this.place,
      marked: this.#marked,
    };
  }

  /** These keys are pressed before another frame is seen. */
  close(chunk: string): void {
    this.#before += chunk;
    this.#pressedAt = Date.now();
    this.#heldUntil = chunk.includes('\u001B') ? this.#pressedAt + HELD_MS : -Infinity;
    // It may lead to another screen, which was never too small.
    if (chunk.includes('\u0003')) this.#blindUntil = -Infinity;
  }

  /** What is there now may be half of it, and has to be read anew. */
  resized(): void {
    this.#resizedAt = Date.now();
    for (const each of this.#since.keys()) this.#since.set(each, this.#resizedAt);
    if (this.#place === 'too-small') this.#blindUntil = this.#resizedAt + BLIND_MS;
  }

  /** What has been drawn by now is what a person has seen. */
  look(): void {
    // What has become of them is there by now.
    if (Date.now() - this.#pressedAt >= REDRAWN_MS) this.#before = '';
    if (!this.#terminal.isDirty || !this.#isRedrawn) return;
    const { lines } = this.#terminal;
    const text = lines.join('\n');
    const card = lines.map((line) => besideBar.exec(line)?.[0] ?? '').join('\n');
    const shown = new Set([...(text.match(questions) ?? []), ...(card.match(marksOfRequests) ?? [])]);
    const number = questionNumberIn(text);
    const isSame = number === undefined || number === this.#number;
    this.#number = number;
    this.#forget(shown, isSame && isScrolled(text, card));
    for (const each of shown) if (!this.#since.has(each)) this.#since.set(each, Date.now());
    this.#place = placeOf(text, this.#terminal);
    this.#marked = lines.flatMap(markedIn);
    if (this.#place === 'too-small') return;
    // Behind this mark they do nothing yet.
    const keys = [lines.at(-1) ?? '', ...keysBelowCard(lines)].filter((line) => !/^ ?…/.test(line));
    this.#hints = keys.join(' · ');
    this.#options = lines.flatMap(optionIn);
  }

  /** What stands beyond the size that the program knows. */
  beyond(): string | undefined {
    return this.#isRedrawn ? this.#terminal.beyond : undefined;
  }

  get #isRedrawn(): boolean {
    return Date.now() - this.#resizedAt >= REDRAWN_MS;
  }

  /** Of a text that is scrolled its beginning was seen before. */
  #forget(shown: ReadonlySet<string>, keepsCard: boolean): void {
    for (const each of this.#since.keys())
      if (!shown.has(each) && !(keepsCard && each.match(marksOfRequests))) this.#since.delete(each);
  }
}

/** On wide terminals the keys of a card, or of a box for a text, stand below it, in its column, and nowhere else. */
function keysBelowCard(lines: readonly string[]): string[] {
  // Below that stands what is shown of a task, with bars of its own.
  const end = lines.findIndex((line) => /├[─━]{2} [^│]*$/.test(line));
  const above = lines.slice(0, end);
  const card = above.findLastIndex((line) => besideBar.test(line) || /│╰─+╯$/.test(line));
  const below = card === -1 ? [] : above.slice(card + 1).filter((line) => line.includes('│'));
  return below.map((line) => line.split('│').at(-1) ?? '').filter((part) => /^ {2,}\S/.test(part));
}

function placeOf(text: string, size: { readonly columns: number; readonly rows: number }): Seen['place'] {
  if (screenSize(size).isTooSmall) return 'too-small';
  return /^ ◀ .*event \d+ of \d+/m.test(text) ? 'past' : 'now';
}

/** What stands at a cursor in a line of a screen, or names what is shown below it. */
function markedIn(line: string): string[] {
  return line
    .split(/[│┃]/)
    .filter((part) => /^\s*›/.test(part) || /[─━]{2} .*\w+ [─━]/.test(part))
    .map((part) => part.trim());
}

function optionIn(line: string, row: number): Cell[] {
  const at = line.search(optionHead);
  return at === -1 ? [] : [[at + 2, row + 1]];
}

/** `''`: it is the only one; `undefined`: none is shown, or a call. */
function questionNumberIn(text: string): string | undefined {
  const title = /[─━]{2} Question(?: (\d+)(?:\/| of ))?(?![^─━]*, approval)/.exec(text);
  return title ? (title[1] ?? '') : undefined;
}

function isScrolled(text: string, card: string): boolean {
  // In a few rows the beginning of a call has no more than its question.
  if (/lines 1–/.test(text)) return false;
  return /lines (?:[2-9]|1\d)/.test(text) || (card.trim() !== '' && !/Tool {2,}/.test(card));
}

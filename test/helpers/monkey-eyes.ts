import { isTooSmall } from '../../src/tui/screen/layout.ts';
import type { Seen } from './monkey-oracle.ts';
import { marksOfRequests } from './monkey-world.ts';
import type { OversizeTerminal } from './oversize-terminal.ts';

/** What a frame asks before something is done. */
const questions =
  /Dismiss this question\?|(?:Cancel|Skip|Stop) .*\? y\/n|What becomes of the run|Ctrl\+C again stops|May these|Note to the agent of \w+|Run \S+ here\?/g;

/** When a frame is there at the latest, in ms from what it is about. */
const REDRAWN_MS = 40;

/** Reads a terminal as a person does, who keeps in mind what stood there, and since when. */
export class MonkeyEyes {
  readonly #terminal: OversizeTerminal;
  readonly #since = new Map<string, number>();
  #hints = '';
  #place: Seen['place'] = 'now';
  #marked: readonly string[] = [];
  #before = '';
  #pressedAt = -Infinity;
  #resizedAt = -Infinity;

  constructor(terminal: OversizeTerminal) {
    this.#terminal = terminal;
  }

  /** What the last line of the last frame names as keys. */
  get hints(): string {
    return this.#hints;
  }

  /** The last frame. */
  seen(): Pick<Seen, 'hints' | 'shown' | 'before' | 'place' | 'marked'> {
    const now = Date.now();
    const shown = new Map([...this.#since].map(([text, since]) => [text, now - since]));
    return {
      hints: this.#hints,
      shown,
      before: this.#before,
      place: this.#place,
      marked: this.#marked,
    };
  }

  /** These keys are pressed before another frame is seen. */
  close(chunk: string): void {
    this.#before += chunk;
    this.#pressedAt = Date.now();
  }

  /** What is there now may be half of it, and has to be read anew. */
  resized(): void {
    this.#resizedAt = Date.now();
    for (const each of this.#since.keys()) this.#since.set(each, this.#resizedAt);
  }

  /** What has been drawn by now is what a person has seen. */
  look(): void {
    // What has become of them is there by now.
    if (Date.now() - this.#pressedAt >= REDRAWN_MS) this.#before = '';
    if (!this.#terminal.isDirty || !this.#isRedrawn) return;
    const { lines } = this.#terminal;
    const text = lines.join('\n');
    // The card of what waits is drawn beside this bar.
    const card = lines.map((line) => line.split('┃')[1] ?? '').join('\n');
    const shown = new Set([...(text.match(questions) ?? []), ...(card.match(marksOfRequests) ?? [])]);
    this.#forget(shown, isScrolled(text, card));
    for (const each of shown) if (!this.#since.has(each)) this.#since.set(each, Date.now());
    this.#hints = lines.at(-1) ?? '';
    this.#place = placeOf(text, this.#terminal);
    this.#marked = lines.flatMap(markedIn);
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

function placeOf(text: string, size: { readonly columns: number; readonly rows: number }): Seen['place'] {
  if (isTooSmall(size)) return 'too-small';
  return /^ ◀ .*event \d+ of \d+/m.test(text) ? 'past' : 'now';
}

/** What stands at a cursor in a line of a screen, or names what is shown below it. */
function markedIn(line: string): string[] {
  return line
    .split(/[│┃]/)
    .filter((part) => /^\s*›/.test(part) || /── .*\w+ ─/.test(part))
    .map((part) => part.trim());
}

function isScrolled(text: string, card: string): boolean {
  return /lines (?:[2-9]|1\d)/.test(text) || (card.trim() !== '' && !/Tool {2,}/.test(card));
}

import type { OutputChannel } from '../../lib/processes/start-group.ts';

/** How a line begins, while it may still become as ours are; `undefined`: it will not. `''`: it has none yet. */
type Beginning = string | undefined;

/**
 * Knows where lines begin in what is seen of an agent: ours stand as they are, and what others write that would look like them is set
 * one blank in. Some readers have both channels in one text, others the lines of each: what begins a line for either is looked at. No
 * end of a line is put into what a channel says: a secret in two parts would be none.
 */
export class LineGuard {
  /** Of what is seen of both channels, one behind the other. */
  #both: Beginning = '';
  readonly #each: Record<OutputChannel, Beginning> = { stdout: '', stderr: '' };
  /** What stands right above is a call, or what came of one. */
  #isBelowCall = false;

  /** Whole lines of ours, on stdout: a call, or what came of one. */
  ours(lines: string): string {
    const before = this.endLine();
    this.#isBelowCall = true;
    return before + lines;
  }

  /** What others write. */
  foreign(text: string, channel: OutputChannel): string {
    return text
      .split(/(?<=[\r\n])/)
      .map((part) => this.#take(part, channel))
      .join('');
  }

  /** The end of a line that is left open on stdout, or where its next one would stand; `''` when there is none. */
  endLine(): string {
    if (this.#both === '' && this.#each.stdout === '') return '';
    this.noteEnd('stdout');
    return '\n';
  }

  /** A line has got its end by what was written on a channel. */
  noteEnd(channel: OutputChannel): void {
    this.#begin(channel);
    this.#isBelowCall = false;
  }

  #take(part: string, channel: OutputChannel): string {
    const shown = part === '' || part === '\n' ? part : this.#apart(part, channel);
    if (part.endsWith('\n')) this.noteEnd(channel);
    // What stands behind it takes the place of the line.
    if (part.endsWith('\r')) this.#begin(channel);
    return shown;
  }

  #begin(channel: OutputChannel): void {
    this.#both = '';
    this.#each[channel] = '';
  }

  /** The blank stands where that begins which makes it look like ours: what came before is written already. */
  #apart(part: string, channel: OutputChannel): string {
    const lines = [this.#both, this.#each[channel]].map((line) => (line === undefined ? line : line + part));
    const isAsOurs = lines.some((line) => line !== undefined && this.#isAsOurs(line));
    const [both, own] = lines.map((line) =>
      line !== undefined && !isAsOurs && this.#mayBecome(line) ? line : undefined,
    );
    this.#both = both;
    this.#each[channel] = own;
    return isAsOurs ? ` ${part}` : part;
  }

  #isAsOurs(line: string): boolean {
    const seen = line.replaceAll(UNSEEN, '');
    const isLong = line.length > MOST_UNKNOWN && this.#mayBecome(line);
    return OURS.test(seen) || (this.#isBelowCall && RESULT.test(seen)) || isLong;
  }

  #mayBecome(line: string): boolean {
    const seen = line.replaceAll(UNSEEN, '');
    return NOTICE.startsWith(seen) || (this.#isBelowCall && /^ {1,2}$/.test(seen));
  }
}

const NOTICE = '[clifford:';
/** How a call begins, what came of one that is not right above, and what Clifford says. */
const OURS = /^(?:[▸✗]|\[clifford:)/;
/** How what came of a call begins, right below it. */
const RESULT = /^ {2}\S/;
const ESCAPE = '\u001B';
/** What readers leave out of a line, and what may become such. */
const UNSEEN = new RegExp(
  String.raw`${ESCAPE}(?:\[[\d;?]*[@-~]?)?|[\u00AD\u200B-\u200F\u2060-\u2064\uFEFF]`,
  'g',
);
/** What is longer without saying anything is set in: it is looked at no more. In UTF-16 units. */
const MOST_UNKNOWN = 200;

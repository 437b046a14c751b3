import type { OutputChannel } from '../../lib/processes/start-group.ts';
import { OwnLines } from '../../lib/text/own-lines.ts';
import { seenLine } from '../../lib/text/sanitise.ts';

/** The line of a channel that is being written, as it is seen. */
type OpenLine = {
  /** What comes next begins it, or takes the place of what it has. */
  isAtStart: boolean;
  /** Something was written, and no end of it. */
  isOpen: boolean;
  /** What stands right above may be a call, or what came of one. */
  isBelowCall: boolean;
};

/**
 * Knows where lines begin in what is seen of an agent: ours stand as they are, and what others write that would look like them is set
 * in. Some readers have both channels in one text, in the order of their parts or nearly so, others the lines of each: what begins a
 * line of a channel is looked at, and so is what comes behind the other one. The beginning of a line is held back for as long as it may
 * still become as ours are. No end of a line is put into what a channel says: a secret in two parts would be none.
 */
export class LineGuard {
  readonly #lines: Record<OutputChannel, OpenLine> = { stdout: newLine('stdout'), stderr: newLine('stderr') };
  readonly #held: Record<OutputChannel, string> = { stdout: '', stderr: '' };
  readonly #own = new OwnLines();
  /** Of both, one behind the other: what was written last has no end of its line, and on which channel it came. */
  #isOpen = false;
  #last: OutputChannel = 'stdout';

  /** Whole lines of ours, on stdout: a call, or what came of one. */
  ours(lines: string): string {
    const before = this.endLine();
    this.#last = 'stdout';
    this.#lines.stdout.isBelowCall = true;
    return before + this.#own.plain(lines);
  }

  /** What others write, and what was held back of it. */
  foreign(text: string, channel: OutputChannel): string {
    const parts = text.split(/(?<=[\r\n])/);
    return this.#writing(parts.map((part) => (part === '' ? '' : this.#take(part, channel))).join(''));
  }

  /** What is held back of stdout, and the end of a line that is open there, or where its next one would stand; `''`: neither. */
  endLine(): string {
    const held = this.release('stdout');
    if (!this.#isOpen && !this.#lines.stdout.isOpen) return held;
    this.noteEnd('stdout');
    return `${held}\n`;
  }

  /** What is held back of a channel, once nothing more comes. */
  release(channel: OutputChannel): string {
    const held = this.#held[channel];
    this.#held[channel] = '';
    if (held !== '') this.#note(channel, { isAtStart: false });
    return this.#writing(this.#lines[channel].isBelowCall && RESULT.test(seenOf(held)) ? ` ${held}` : held);
  }

  /** A line has got its end by what was written on a channel. */
  noteEnd(channel: OutputChannel): void {
    this.#lines[channel] = newLine(channel);
    this.#isOpen = false;
    this.#last = channel;
  }

  #take(part: string, channel: OutputChannel): string {
    const { isAtStart, isBelowCall } = this.#lines[channel];
    // What was kept back of a secret may come to stand before, or behind, what the other channel has said.
    const begins = isAtStart || this.#last !== channel;
    const text = this.#held[channel] + part;
    const seen = seenOf(text);
    const isUndecided =
      begins && (NOTICE.startsWith(seen) || (isBelowCall && /^ {1,2}$|^ {2}--?$/.test(seen)));
    const isLong = text.length > MOST_UNKNOWN;
    const isEnded = /[\r\n]$/.test(part);
    this.#held[channel] = isUndecided && !isLong && !isEnded ? text : '';
    if (this.#held[channel] !== '') return '';
    const isAsOurs = begins && (OURS.test(seen) || (isBelowCall && RESULT.test(seen)));
    if (part.endsWith('\n')) this.noteEnd(channel);
    else this.#note(channel, { isAtStart: isEnded });
    return `${isUndecided && isLong ? FAR_IN : isAsOurs ? ' ' : ''}${text}`;
  }

  /** What is held back may be written below lines of ours: only then may it leave a colour open. */
  #writing(text: string): string {
    this.#own.note(text);
    return text;
  }

  #note(channel: OutputChannel, { isAtStart }: Pick<OpenLine, 'isAtStart'>): void {
    this.#lines[channel] = { ...this.#lines[channel], isAtStart, isOpen: true };
    this.#isOpen = true;
    this.#last = channel;
  }
}

/** Where stderr comes among the lines of stdout is not known for certain: it may be below a call at any time. */
function newLine(channel: OutputChannel): OpenLine {
  return { isAtStart: true, isOpen: false, isBelowCall: channel === 'stderr' };
}

/** How a line begins for the eye, which does not tell blanks apart. Half of a character is none yet. */
function seenOf(text: string): string {
  const beginning = text.slice(0, MOST_UNKNOWN).replace(/[\r\n]+$|[\uD800-\uDBFF]$/, '');
  return seenLine(beginning).replaceAll(/\p{Zs}/gu, ' ');
}

const NOTICE = '[clifford:';
/** How a call begins, what came of one that is not right above, and what Clifford says. */
const OURS = /^(?:[▸✗]|\[clifford:)/;
/** How what came of a call begins, right below it. What compilers draw in columns does not. */
const RESULT = /^ {2}(?!-->)[^\s|^~=]/;
/** So far in stands what is longer than is looked at, and says nothing yet: whatever comes behind it does not look like ours. */
const FAR_IN = '   ';
/** So much of a line is looked at, in UTF-16 units. */
const MOST_UNKNOWN = 200;

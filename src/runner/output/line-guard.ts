import type { OutputChannel } from '../../lib/processes/start-group.ts';
import { seenLine } from '../../lib/text/sanitise.ts';

/** The line that is being written, as it is seen. */
type OpenLine = {
  /** What comes next begins it, or takes the place of what it has. */
  isAtStart: boolean;
  /** Something was written, and no end of it. */
  isOpen: boolean;
  /** What stands right above is a call, or what came of one. */
  isBelowCall: boolean;
};

/**
 * Knows where lines begin in what is seen of an agent: ours stand as they are, and what others write that would look like them is set
 * in. Some readers have both channels in one text, others the lines of each: what begins a line for either is looked at. The beginning
 * of a line is held back for as long as it may still become as ours are. No end of a line is put into what a channel says: a secret in
 * two parts would be none.
 */
export class LineGuard {
  /** Of what is seen of both channels, one behind the other. */
  readonly #both = newLine();
  readonly #each: Record<OutputChannel, OpenLine> = { stdout: newLine(), stderr: newLine() };
  readonly #held: Record<OutputChannel, string> = { stdout: '', stderr: '' };

  /** Whole lines of ours, on stdout: a call, or what came of one. */
  ours(lines: string): string {
    const before = this.endLine();
    for (const line of this.#linesOf('stdout')) line.isBelowCall = true;
    return before + lines;
  }

  /** What others write, and what was held back of it. */
  foreign(text: string, channel: OutputChannel): string {
    return text
      .split(/(?<=[\r\n])/)
      .map((part) => (part === '' ? '' : this.#take(part, channel)))
      .join('');
  }

  /** What is held back of stdout, and the end of a line that is open there, or where its next one would stand; `''`: neither. */
  endLine(): string {
    const held = this.#release('stdout');
    if (!this.#linesOf('stdout').some(({ isOpen }) => isOpen)) return held;
    this.noteEnd('stdout');
    return `${held}\n`;
  }

  /** What was held back of both, and the end of its line, once nothing more comes. */
  end(): string {
    const open = this.endLine();
    const rest = this.#release('stderr');
    return open + rest + this.endLine();
  }

  /** A line has got its end by what was written on a channel. */
  noteEnd(channel: OutputChannel): void {
    for (const line of this.#linesOf(channel)) Object.assign(line, newLine());
  }

  #linesOf(channel: OutputChannel): readonly OpenLine[] {
    return [this.#both, this.#each[channel]];
  }

  #take(part: string, channel: OutputChannel): string {
    const lines = this.#linesOf(channel);
    const text = this.#held[channel] + part;
    const seen = seenOf(text);
    const isUndecided = lines.some((line) => mayBecomeOurs(seen, line));
    const isLong = text.length > MOST_UNKNOWN;
    const isEnded = /[\r\n]$/.test(part);
    this.#held[channel] = isUndecided && !isLong && !isEnded ? text : '';
    if (this.#held[channel] !== '') return '';
    const isAsOurs = lines.some((line) => looksLikeOurs(seen, line));
    if (part.endsWith('\n')) this.noteEnd(channel);
    else for (const line of lines) Object.assign(line, { isAtStart: isEnded, isOpen: true });
    return `${isUndecided && isLong ? FAR_IN : isAsOurs ? ' ' : ''}${text}`;
  }

  #release(channel: OutputChannel): string {
    const held = this.#held[channel];
    this.#held[channel] = '';
    if (held !== '')
      for (const line of this.#linesOf(channel)) Object.assign(line, { isAtStart: false, isOpen: true });
    return held;
  }
}

function newLine(): OpenLine {
  return { isAtStart: true, isOpen: false, isBelowCall: false };
}

/** How a line begins for the eye, which does not tell blanks apart. */
function seenOf(text: string): string {
  return seenLine(text.slice(0, MOST_UNKNOWN).replace(/[\r\n]+$/, '')).replaceAll(/\p{Zs}/gu, ' ');
}

function mayBecomeOurs(seen: string, { isAtStart, isBelowCall }: OpenLine): boolean {
  return isAtStart && (NOTICE.startsWith(seen) || (isBelowCall && /^ {1,2}$/.test(seen)));
}

function looksLikeOurs(seen: string, { isAtStart, isBelowCall }: OpenLine): boolean {
  return isAtStart && (OURS.test(seen) || (isBelowCall && RESULT.test(seen)));
}

const NOTICE = '[clifford:';
/** How a call begins, what came of one that is not right above, and what Clifford says. */
const OURS = /^(?:[▸✗]|\[clifford:)/;
/** How what came of a call begins, right below it. */
const RESULT = /^ {2}\S/;
/** So far in stands what is longer than is looked at, and says nothing yet: whatever comes behind it does not look like ours. */
const FAR_IN = '   ';
/** So much of a line is looked at, in UTF-16 units. */
const MOST_UNKNOWN = 200;

import type { OutputChannel } from '../../lib/processes/start-group.ts';

/**
 * Knows where lines begin in what is seen of an agent: ours stand as they are, and what others write that would look like them is set
 * one blank in.
 */
export class LineGuard {
  /** The line so far, while it may still become as ours are; `undefined`: it will not. */
  #beginning: string | undefined = '';
  /** Where that came from. */
  #channel: OutputChannel = 'stdout';
  /** What stands right above is a call, or what came of one. */
  #isBelowCall = false;

  /** Whole lines of ours: a call, or what came of one. */
  ours(lines: string): string {
    const before = this.endLine();
    this.#isBelowCall = true;
    return before + lines;
  }

  /**
   * What others write.
   *
   * @param channel - It goes on with the line that is open where that came from there. Default: with any.
   */
  foreign(text: string, channel = this.#channel): string {
    if (text === '') return '';
    const before = this.#channel === channel ? '' : this.endLine();
    this.#channel = channel;
    const lines = text.split('\n');
    return before + lines.map((line, at) => this.#take(line, at < lines.length - 1)).join('\n');
  }

  /** The end of a line that is left open; `''` when there is none. */
  endLine(): string {
    if (this.#beginning === '') return '';
    this.#end();
    return '\n';
  }

  #take(part: string, isEnded: boolean): string {
    const shown = part === '' ? '' : this.#apart(part);
    if (isEnded) this.#end();
    return shown;
  }

  /** The blank stands where that begins which makes it look like ours: what came before is written already. */
  #apart(part: string): string {
    if (this.#beginning === undefined) return part;
    const line = this.#beginning + part;
    const isAsOurs = OURS.test(line) || (this.#isBelowCall && line.startsWith(RESULT));
    const mayBecome = NOTICE.startsWith(line) || (this.#isBelowCall && RESULT.startsWith(line));
    this.#beginning = !isAsOurs && mayBecome ? line : undefined;
    return isAsOurs ? ` ${part}` : part;
  }

  #end(): void {
    this.#beginning = '';
    this.#isBelowCall = false;
  }
}

const NOTICE = '[clifford:';
/** How a call begins, what came of one that is not right above, and what Clifford says. */
const OURS = /^(?:[▸✗]|\[clifford:)/;
/** How what came of a call begins, right below it. */
const RESULT = '  ';

import type { OutputChannel, ProgramExit } from '../../lib/processes/start-group.ts';
import { OwnLines } from '../../lib/text/own-lines.ts';
import type { Transcript } from '../output/transcript.ts';

type DisplayParts = {
  readonly transcript: Transcript;
  readonly onOutput: (channel: OutputChannel, text: string) => void;
  /** We have ended a line that an agent was at. */
  readonly onBreak?: () => void;
};

/** So long something of ours waits for the end of a line, in ms. */
const LINE_MS = 5_000;

/** What is seen of an attempt: its transcript, and whoever watches. */
export class AttemptDisplay {
  readonly #parts: DisplayParts;
  /** What was shown last has no end of its line. */
  #isMidLine = false;
  /** The same of stderr alone, on which Clifford speaks. */
  #isErrorMidLine = false;
  /** What we say once that line has its end. */
  #waiting = '';
  #timer: NodeJS.Timeout | undefined;
  readonly #own = new OwnLines();

  constructor(parts: DisplayParts) {
    this.#parts = parts;
  }

  show(channel: OutputChannel, text: string): void {
    const end = this.#waiting === '' ? -1 : text.indexOf('\n');
    this.#writeForeign(channel, text.slice(0, end + 1));
    if (end !== -1) this.remarkNow();
    this.#writeForeign(channel, text.slice(end + 1));
  }

  /** What is for the transcript alone. */
  keep(text: string): void {
    if (text !== '') this.#parts.transcript.append('aside', text);
  }

  /** The same, and what a reader is to see of it, which stands among what the agent says. */
  showOf(kept: string, text: string): void {
    this.keep(kept);
    this.show('stdout', text);
  }

  /**
   * Says something of ours on a line of its own, once the one has its end that the agent is at.
   *
   * @param onLate - Called when that has taken long.
   */
  remark(text: string, onLate = () => this.remarkNow()): void {
    this.#waiting += `[clifford: ${text}]\n`;
    if (this.#isMidLine) this.#timer ??= setTimeout(onLate, LINE_MS).unref();
    else this.remarkNow();
  }

  /** Says what still waits, wherever the agent is. */
  remarkNow(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting;
    this.#waiting = '';
    if (text === '') return;
    const isMidLine = this.#isMidLine || this.#isErrorMidLine;
    if (isMidLine) this.#parts.onBreak?.();
    this.#write('stderr', `${isMidLine ? '\n' : ''}${this.#own.plain(text)}`);
  }

  /** @param exit - How its agent ended; `undefined`: there was none. */
  end(exit: ProgramExit | undefined): void {
    // What the next attempt says begins a line of its own.
    if (this.#isMidLine) this.show('stdout', '\n');
    this.#parts.transcript.close(exit);
  }

  #writeForeign(channel: OutputChannel, text: string): void {
    this.#own.note(text);
    this.#write(channel, text);
  }

  #write(channel: OutputChannel, text: string): void {
    if (text === '') return;
    this.#isMidLine = !text.endsWith('\n');
    if (channel === 'stderr') this.#isErrorMidLine = this.#isMidLine;
    this.#parts.transcript.append(channel, text);
    this.#parts.onOutput(channel, text);
  }
}

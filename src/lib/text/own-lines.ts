import { STYLE_RESET } from './own-style.ts';

/** What may begin an escape sequence. */
const INTRODUCERS = ['\u001B', '\u009B'];

/** Has lines of ours, among what others write, in no colour that those have left open. */
export class OwnLines {
  #mayBeStyled = false;

  /** What others write, as it is written out, and not before. */
  note(text: string): void {
    this.#mayBeStyled ||= INTRODUCERS.some((each) => text.includes(each));
  }

  /** Lines of ours. What others write behind them begins without colour, too. */
  plain(lines: string): string {
    const reset = this.#mayBeStyled ? STYLE_RESET : '';
    this.#mayBeStyled = false;
    return reset + lines;
  }
}

import { styleBehind, type OwnStyle } from '../../lib/text/own-style.ts';
import { outputParts } from '../../views/text/output-parts.ts';
import type { PaneLine } from '../panes/pane.ts';
import { hangOf } from './hang-of.ts';
import type { Span, SpanLine } from './spans.ts';

/**
 * A line that an agent wrote. It is made ready to be shown when it is looked at: most lines of a fast agent never are.
 */
export class OutputLine implements PaneLine {
  /** Given by who keeps it among others. */
  at = 0;
  readonly #raw: string;
  readonly #style: OwnStyle | undefined;
  #line: SpanLine | undefined;

  /** @param style - What lines before have set. */
  constructor(raw: string, style?: OwnStyle) {
    this.#raw = raw;
    this.#style = style;
  }

  /** A line of ours. */
  static ofOurs(text: string): OutputLine {
    const line = new OutputLine('');
    line.#line = asLine([{ text, style: 'dim' }]);
    return line;
  }

  /** Without anything that could move the cursor, hide or reorder text. */
  get line(): SpanLine {
    this.#line ??= asLine(outputParts(this.#raw, this.#style));
    return this.#line;
  }

  /** The style that the line after it begins with. */
  get next(): OwnStyle | undefined {
    return styleBehind(this.#style, this.#raw);
  }
}

function asLine(spans: readonly Span[]): SpanLine {
  return { spans, breaks: 'words', hang: hangOf(spans.map(({ text }) => text).join('')) };
}

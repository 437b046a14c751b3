import { splitAtSequences } from '../../lib/text/hidden-characters.ts';
import { lastOverwrite, stripAgentText } from '../../lib/text/sanitise.ts';
import { styleAfter, styleBehind, type OwnStyle } from '../../lib/text/own-style.ts';
import type { PaneLine } from '../panes/pane.ts';
import { proseSpans } from './prose-spans.ts';
import type { Span, SpanLine } from './spans.ts';

/** Characters kept of a line: more than the widest terminal and many rows. */
export const MAX_LINE_LENGTH = 4_000;

/** What may begin an escape sequence. */
const CONTROLS = /\p{Cc}/u;

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
    this.#line ??= asLine(spansOf(this.#raw, this.#style));
    return this.#line;
  }

  /** The style that the line after it begins with. */
  get next(): OwnStyle | undefined {
    return styleBehind(this.#style, this.#raw);
  }
}

function spansOf(raw: string, before: OwnStyle | undefined): Span[] {
  const shown = lastOverwrite(raw);
  const text = clean(shown);
  if (!CONTROLS.test(raw))
    return before === undefined
      ? proseSpans(tailOf(text))
      : [{ text: tailOf(text), style: 'plain', own: before }];
  const spans = styledSpans(shown, styleBehind(before, raw.slice(0, raw.lastIndexOf(shown))));
  // A sequence may stand where the text is another one without it: what is clean as a whole counts.
  const isSame = spans.map((span) => span.text).join('') === text;
  return isSame ? tailOfSpans(spans) : [{ text: tailOf(text), style: 'plain' }];
}

function styledSpans(shown: string, before: OwnStyle | undefined): Span[] {
  let own = before;
  const spans: Span[] = [];
  for (const [at, part] of splitAtSequences(shown).entries()) {
    // A title may have something in it that looks like a colour.
    if (at % 2 === 1) own = part.startsWith('\u001B[') ? styleAfter(own, part) : own;
    else if (part !== '') spans.push({ text: clean(part), style: 'plain', own });
  }
  return spans;
}

function clean(raw: string): string {
  return stripAgentText(raw).replaceAll('\n', ' ');
}

function asLine(spans: readonly Span[]): SpanLine {
  return { spans, breaks: 'words' };
}

/** The end of a text, without blanks behind it. */
function tailOf(text: string): string {
  return text.slice(-MAX_LINE_LENGTH).trimEnd();
}

/** The same of several spans. */
function tailOfSpans(spans: readonly Span[]): Span[] {
  const whole = spans.map(({ text }) => text).join('');
  const from = Math.max(0, whole.length - MAX_LINE_LENGTH);
  const to = from + tailOf(whole).length;
  let start = 0;
  return spans.flatMap((span) => {
    const text = span.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += span.text.length;
    return text === '' ? [] : [{ ...span, text }];
  });
}

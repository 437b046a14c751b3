import { endOf } from '../../lib/text/end-of.ts';
import { splitAtSequences } from '../../lib/text/hidden-characters.ts';
import { STYLE_RESET, styleAfter, styleBehind, type OwnStyle } from '../../lib/text/own-style.ts';
import { lastOverwrite, stripAgentText } from '../../lib/text/sanitise.ts';
import { MAX_LINE_LENGTH } from './longest-line.ts';
import { proseParts, type ProsePart } from './prose-parts.ts';

/** A part of a line that an agent wrote, as it looks: by itself, or as its program wants it. */
export type OutputPart = ProsePart & { readonly own?: OwnStyle | undefined };

/** What may begin an escape sequence. */
const CONTROLS = /\p{Cc}/u;

/**
 * A line that an agent wrote, without anything that could move a cursor, hide or reorder text: in the colours of its program, or,
 * where there are none, as markdown that stands out.
 *
 * @param before - The style that lines before it have set.
 */
export function outputParts(raw: string, before: OwnStyle | undefined): readonly OutputPart[] {
  // A line of Clifford's own begins so where an agent has written in colours.
  return raw.startsWith(STYLE_RESET)
    ? partsOf(raw.slice(STYLE_RESET.length), undefined)
    : partsOf(raw, before);
}

function partsOf(raw: string, before: OwnStyle | undefined): readonly OutputPart[] {
  const shown = lastOverwrite(raw);
  const text = clean(shown);
  if (!CONTROLS.test(raw))
    return before === undefined
      ? proseParts(tailOf(text))
      : [{ text: tailOf(text), style: 'plain', own: before }];
  const parts = styledParts(shown, styleBehind(before, raw.slice(0, raw.lastIndexOf(shown))));
  // A sequence may stand where the text is another one without it: what is clean as a whole counts.
  const isSame = parts.map((part) => part.text).join('') === text;
  return isSame ? tailOfParts(parts) : [{ text: tailOf(text), style: 'plain' }];
}

function styledParts(shown: string, before: OwnStyle | undefined): OutputPart[] {
  let own = before;
  const parts: OutputPart[] = [];
  for (const [at, part] of splitAtSequences(shown).entries()) {
    // A title may have something in it that looks like a colour.
    if (at % 2 === 1) own = part.startsWith('\u001B[') ? styleAfter(own, part) : own;
    else if (part !== '') parts.push({ text: clean(part), style: 'plain', own });
  }
  return parts;
}

function clean(raw: string): string {
  return stripAgentText(raw).replaceAll('\n', ' ');
}

/** The end of a line, without blanks behind it. */
function tailOf(text: string): string {
  return endOf(text, MAX_LINE_LENGTH).trimEnd();
}

/** The same of several parts. */
function tailOfParts(parts: readonly OutputPart[]): OutputPart[] {
  const whole = parts.map(({ text }) => text).join('');
  const cut: OutputPart[] = whole.length > MAX_LINE_LENGTH ? [{ text: '…', style: 'plain' }] : [];
  // What is cut in half is not shown.
  const from = cut.length === 0 ? 0 : whole.length - endOf(whole, MAX_LINE_LENGTH).length + 1;
  const to = whole.trimEnd().length;
  let start = 0;
  const kept = parts.flatMap((part) => {
    const text = part.text.slice(Math.max(0, from - start), Math.max(0, to - start));
    start += part.text.length;
    return text === '' ? [] : [{ ...part, text }];
  });
  return [...cut, ...kept];
}

import { splitAtSequences } from '../../../lib/text/hidden-characters.ts';
import { styleAfter, type OwnStyle } from '../../../lib/text/own-style.ts';
import { lastOverwrite, stripAgentText } from '../../../lib/text/sanitise.ts';

/** A part of a line that looks the same. */
export type StyledPart = { readonly text: string; readonly style: OwnStyle | undefined };

/** A line that an agent wrote, in its colours, without anything that could hide or reorder text. */
export function styledLine(raw: string): readonly StyledPart[] {
  const shown = lastOverwrite(raw);
  if (!shown.includes('\u001B')) return [{ text: stripAgentText(shown), style: undefined }];
  let style: OwnStyle | undefined;
  return splitAtSequences(shown).flatMap((part, at) => {
    if (at % 2 === 1) {
      // A title may have something in it that looks like a colour.
      if (part.startsWith('\u001B[')) style = styleAfter(style, part);
      return [];
    }
    return part === '' ? [] : [{ text: stripAgentText(part), style }];
  });
}

/** The classes that draw it. */
export function classOf(style: OwnStyle): string {
  const { color, bold, dim, italic, underline } = style;
  const names = { bold, dim, italic, underline };
  const own = Object.entries(names).flatMap(([name, is]) => (is ? [`ansi-${name}`] : []));
  return [...own, ...(color === undefined ? [] : [`ansi-${color}`])].join(' ');
}

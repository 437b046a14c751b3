import { showHeaped, showHiddenOnLine, withoutHeaped, withoutHidden } from './hidden-characters.ts';

/** Agent output without anything that could move the cursor, colour, hide or reorder text. Newlines stay. */
export function stripAgentText(text: string): string {
  return withoutHeaped(withoutTabs(withoutHidden(text)));
}

/** The same as a part of one of our lines. */
export function stripAgentLine(text: string): string {
  return stripAgentText(text).replaceAll(/\s+/g, ' ').trim();
}

/** A line a person decides about: what {@link stripAgentText} removes is shown, as `\u001b` or `\u202e`, and line breaks are, too. */
export function escapeAgentLine(text: string): string {
  return showHeaped(showHiddenOnLine(text));
}

/** One line of output as a terminal would show it: a carriage return starts the line again. */
export function lastOverwrite(line: string): string {
  let end = line.length;
  while (line[end - 1] === '\r') end -= 1;
  return end === 0 ? '' : line.slice(line.lastIndexOf('\r', end - 1) + 1, end);
}

/** One line of output as it is seen: what moves, hides or breaks it left out. */
export function seenLine(line: string): string {
  return stripAgentText(lastOverwrite(line)).replaceAll('\n', ' ');
}

/** Tabs as blanks: where a tab ends, only the terminal knows. */
export function withoutTabs(text: string): string {
  return text.replaceAll('\t', '    ');
}

import {
  newlines,
  showHidden,
  showHiddenOnLine,
  withoutHidden,
  withoutHiddenButJoiners,
} from './hidden-characters.ts';

/** Marks heaped on one character draw over the lines above it. */
const heapedMarks = /(\p{M}{4})\p{M}+/gu;

/** Agent output without anything that could move the cursor, colour, hide or reorder text. Newlines stay. */
export function stripAgentText(text: string): string {
  return withoutHeaps(withoutTabs(withoutHidden(text)));
}

/** Text of others as a part of one of our lines. */
export function asOneLine(text: string): string {
  return stripAgentText(text).replaceAll(/\s+/g, ' ').trim();
}

/** Agent text a person decides about: what {@link stripAgentText} removes is shown, as `\u001b` or `\u202e`. */
export function escapeAgentText(text: string): string {
  return withoutHeaps(withoutTabs(showHidden(newlines(text))));
}

/** A line a person decides about: {@link escapeAgentText}, and line breaks are shown, too. */
export function escapeAgentLine(text: string): string {
  return withoutHeaps(showHiddenOnLine(text));
}

/** Text a person pasted: without sequences and unwanted controls; newlines, tabs and emoji stay. */
export function cleanPaste(text: string): string {
  return withoutHiddenButJoiners(text);
}

/** One line of output as a terminal would show it: a carriage return starts the line again. */
export function lastOverwrite(line: string): string {
  const ended = line.replace(/\r+$/, '');
  return ended.slice(ended.lastIndexOf('\r') + 1);
}

function withoutTabs(text: string): string {
  return text.replaceAll('\t', '    ');
}

function withoutHeaps(text: string): string {
  return text.replaceAll(heapedMarks, '$1');
}

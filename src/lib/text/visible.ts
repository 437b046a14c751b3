import { escapeAgentText } from './sanitise.ts';

/** Text of others, safe to print: what could move the cursor, hide or reorder text becomes visible. Newlines stay. */
export function visible(text: string): string {
  return escapeAgentText(text);
}

/** The same on one line: every run of white space is one space. */
export function oneLine(text: string): string {
  return escapeAgentText(text.trim().replaceAll(/\s+/g, ' '));
}

import { messageOf } from '../../lib/message-of.ts';
import { cleanLine } from '../../lib/text/hidden-characters.ts';

/** Longest text of a server or a client that goes into a message, in UTF-16 units. */
const MAX_LENGTH = 500;

/** What somebody else said, fit for one line: without hidden characters, not too long. */
export function shortLine(text: string): string {
  return cleanLine(text, MAX_LENGTH);
}

/** What the other end said in an error, without the `MCP error -32602: ` that the SDK puts in front. */
export function errorLine(error: unknown): string {
  return shortLine(messageOf(error).replace(/^MCP error -?\d+: /, ''));
}

/** The end of it, where programs say why they give up; without the lines of a stack. */
export function lastWords(text: string): string {
  const plain = text
    .split('\n')
    .filter((line) => !/^\s+at |^Node\.js v\d/.test(line))
    .join('\n')
    .trim();
  return plain.length <= MAX_LENGTH ? shortLine(plain) : `… ${shortLine(plain.slice(-MAX_LENGTH))}`;
}

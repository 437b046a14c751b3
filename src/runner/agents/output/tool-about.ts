import { clipLine } from '../../../lib/text/clip.ts';

/** Longest text about the arguments of a tool call, in characters. */
const MAX_LENGTH = 100;

/** Names of arguments that say most of what a call is about, the best first. */
const telling = [
  'command',
  'cmd',
  'filePath',
  'file_path',
  'path',
  'pattern',
  'query',
  'url',
  'question',
  'taskId',
];

/** A few words on the arguments of a tool call, on one line: a command, a path, or what else there is. */
export function toolAbout(args: unknown): string {
  if (typeof args === 'string') return clipLine(args, MAX_LENGTH);
  if (typeof args !== 'object' || args === null) return '';
  const values = new Map<string, unknown>(Object.entries(args));
  const best = telling.map((name) => values.get(name)).find((value) => textOf(value) !== '');
  const first = [...values.values()].find((value) => textOf(value) !== '');
  return clipLine(textOf(best ?? first), MAX_LENGTH);
}

/** A command may come as a list of words. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value.trim();
  if (!Array.isArray(value)) return '';
  return value.every((each) => typeof each === 'string') ? value.join(' ').trim() : '';
}

import { basename } from 'node:path';

/** The rooms of the sources that a sample is drawn from: all of them. */
export const ROOMS = [
  'events',
  'machines',
  'workflow',
  'gateway',
  'mcp',
  'notify',
  'runner',
  'signals',
  'cli',
  'lib',
  'views',
  'tui',
  'web',
  'library',
  'metrics',
] as const;

/** Words in the name of a file that only makes texts: what they say is no decision. */
const TEXT_WORDS = new Set(['text', 'lines', 'describe', 'print', 'completion', 'diagram']);
/** Files that make texts by other names. */
const TEXT_FILES = new Set(['shell-scripts', 'errors']);

/** What has such a name and decides: what is shown of a stranger's text, where a message ends. */
const DECIDING = ['/lib/text/', '/gateway/transport/', '/events/jsonl/'];

/** Whether mutants of a file are drawn: not of one that only makes texts. */
export function isDrawn(file: string): boolean {
  if (file.endsWith('.d.ts')) return false;
  if (DECIDING.some((each) => file.includes(each))) return true;
  const name = basename(file).replace(/\.tsx?$/, '');
  return !TEXT_FILES.has(name) && !name.split(/[-.]/).some((word) => TEXT_WORDS.has(word));
}

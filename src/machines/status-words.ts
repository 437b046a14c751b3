import type { StateValue } from 'xstate';

/** The four words a reader sees, of a sprint and of a task. */
export type StatusWord = 'pending' | 'active' | 'blocked' | 'done';

const words: ReadonlySet<string> = new Set<StatusWord>(['pending', 'active', 'blocked', 'done']);

/** The outer state and the one inside: `{ blocked: 'question' }` → `['blocked', 'question']`. */
export function pathOf(value: StateValue): readonly [outer: string, inner: string | undefined] {
  if (typeof value === 'string') return [value, undefined];
  const [entry] = Object.entries(value);
  if (!entry) return ['', undefined];
  const [outer, inner] = entry;
  return [outer, typeof inner === 'string' ? inner : undefined];
}

/** The word for a state. A stream that holds no sprint yet reads `pending`. */
export function wordOf(value: StateValue): StatusWord {
  const [outer] = pathOf(value);
  return isWord(outer) ? outer : 'pending';
}

/** The detail inside the word: `question` of `blocked.question`. */
export function detailOf(value: StateValue): string | undefined {
  return pathOf(value)[1];
}

/** Details that say more than the word they stand in, and how people read them. */
const plainWords: Readonly<Record<string, string>> = {
  retrying: 'retrying',
  merging: 'merging',
  paused: 'paused',
  completed: 'done',
  failed: 'failed',
  skipped: 'skipped',
  cancelled: 'cancelled',
};

/** The one word that people read, on the screen as in every text: `paused`, `failed`, `blocked`. */
export function plainWordOf(word: string, detail?: string): string {
  return plainWords[detail ?? ''] ?? word;
}

/** Written with a dot: `blocked.question`. */
export function nameOf(value: StateValue): string {
  const [outer, inner] = pathOf(value);
  return inner === undefined ? outer : `${outer}.${inner}`;
}

function isWord(text: string): text is StatusWord {
  return words.has(text);
}

import type { SprintView, TaskView } from '../machines/describe.ts';

/** How a state looks: a mark and a word, so that colour is never the only sign. */
export type Look = { readonly mark: string; readonly word: string; readonly color?: string };

/** Terminals' own 16 colours: they fit light and dark themes. */
export const colors = {
  question: 'yellow',
  focus: 'cyan',
  ok: 'green',
  warning: 'yellow',
  bad: 'red',
} as const;

const looks = {
  pending: { mark: '○', word: 'pending' },
  active: { mark: '●', word: 'active', color: 'cyan' },
  retrying: { mark: '●', word: 'retrying', color: 'yellow' },
  paused: { mark: '○', word: 'paused', color: 'yellow' },
  blocked: { mark: '■', word: 'blocked', color: 'yellow' },
  completed: { mark: '✔', word: 'done', color: 'green' },
  failed: { mark: '✗', word: 'failed', color: 'red' },
  skipped: { mark: '–', word: 'skipped' },
  cancelled: { mark: '✗', word: 'cancelled' },
} as const satisfies Record<string, Look>;

/** Cells of the longest word. */
export const WORD_WIDTH = Math.max(...Object.values(looks).map(({ word }) => word.length));

/** The look of a task or a sprint: of its detail where that has one, else of its word. */
export function lookOf({ word, detail }: Pick<TaskView | SprintView, 'word' | 'detail'>): Look {
  if (detail !== undefined && isKnown(detail)) return looks[detail];
  return isKnown(word) ? looks[word] : looks.completed;
}

function isKnown(name: string): name is keyof typeof looks {
  return Object.hasOwn(looks, name);
}

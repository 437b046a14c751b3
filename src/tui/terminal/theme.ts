import type { SprintView, TaskView } from '../../views/sprints/describe-sprint.ts';
import { plainWordOf } from '../../machines/status-words.ts';
import type { OwnStyle } from '../../lib/text/own-style.ts';

/** Terminals' own 16 colours: they fit light and dark themes. What is written instead, or that none is, the look of the screen says. */
export const colors = {
  question: 'yellow',
  focus: 'cyan',
  ok: 'green',
  warning: 'yellow',
  bad: 'red',
  literal: 'magenta',
  faint: 'gray',
} as const;

/** One of them, which terminals and Node know by the same name. */
export type Color = (typeof colors)[keyof typeof colors];

/** How a state looks: a mark and a word, so that colour is never the only sign. */
export type Look = {
  readonly mark: string;
  readonly word: string;
  readonly color?: Color;
  /** There is nothing to look at yet. */
  readonly isFaint?: boolean;
};

/** How text looks that brings its own style along. */
export function ownLook({ color, bold, dim, italic, underline }: OwnStyle) {
  return { ...(color === undefined ? {} : { color }), bold, dimColor: dim, italic, underline };
}

const looks = {
  pending: { mark: '○', word: 'pending', isFaint: true },
  active: { mark: '●', word: 'active', color: colors.focus },
  retrying: { mark: '●', word: 'retrying', color: colors.warning },
  merging: { mark: '●', word: 'merging', color: colors.focus },
  idle: { mark: '○', word: 'idle', color: colors.warning },
  paused: { mark: '○', word: 'paused', color: colors.warning },
  blocked: { mark: '■', word: 'blocked', color: colors.question },
  done: { mark: '✔', word: 'done', color: colors.ok },
  failed: { mark: '✗', word: 'failed', color: colors.bad },
  skipped: { mark: '–', word: 'skipped', isFaint: true },
  cancelled: { mark: '✗', word: 'cancelled', color: colors.warning },
} as const satisfies Record<string, Look>;

/** Cells of the longest word. */
export const WORD_WIDTH = Math.max(...Object.values(looks).map(({ word }) => word.length));

/** How the word for a state looks. */
export function lookOfWord(word: string): Look {
  return isKnown(word) ? looks[word] : looks.done;
}

/** The look of a task or a sprint, as the log has it. */
export function lookOf({ state, detail }: Pick<TaskView | SprintView, 'state' | 'detail'>): Look {
  return lookOfWord(plainWordOf(state, detail));
}

function isKnown(name: string): name is keyof typeof looks {
  return Object.hasOwn(looks, name);
}

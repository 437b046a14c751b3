import type { SentSprint, SentTask } from '../../api/sprint.ts';
import type { Act } from '../connection/api.ts';
import type { IconName } from '../parts/icon.tsx';

/** An act as it is offered. */
export type Said = { readonly name: string; readonly icon: IconName; readonly asks?: Asking };

/** What is asked before it is done. */
export type Asking = {
  /** What stands before the name of what it is done to. Absent: the name of the act. */
  readonly title?: string;
  readonly about: string;
  /** The name of the words that go with it. */
  readonly words:
    | { readonly field: 'reason' | 'text'; readonly label: string; readonly isRequired: boolean }
    | undefined;
};

const reason = { field: 'reason', label: 'Why, if you like', isRequired: false } as const;

const retry = { name: 'Try again', icon: 'retry' } as const;

/** What can be done to a sprint. */
export const sprintActs: Readonly<Record<SentSprint['acts'][number], Said>> = {
  pause: { name: 'Pause', icon: 'pause' },
  resume: { name: 'Resume', icon: 'play' },
  retry,
  stop: {
    name: 'Stop the run',
    icon: 'stop',
    asks: {
      title: 'Stop the run of',
      about: 'Its agents are ended. A later run goes on where they were.',
      words: undefined,
    },
  },
  cancel: {
    name: 'Cancel the sprint',
    icon: 'close',
    asks: {
      about: 'It ends for good, and all of its tasks with it.',
      words: reason,
    },
  },
};

/** What can be done to a task. */
export const taskActs: Readonly<Record<SentTask['acts'][number], Said>> = {
  note: {
    name: 'Tell the agent',
    icon: 'note',
    asks: {
      title: 'Tell the agent of',
      about: 'It hears it as soon as it can be told.',
      words: { field: 'text', label: 'What', isRequired: true },
    },
  },
  retry,
  skip: {
    name: 'Skip',
    icon: 'skip',
    asks: { about: 'It counts as done, without being done.', words: reason },
  },
  cancel: {
    name: 'Cancel the task',
    icon: 'close',
    asks: {
      about: 'Its agent is ended, and nobody works on it any more.',
      words: reason,
    },
  },
};

/** It ends something. */
export function isFinal(act: Act): boolean {
  return act === 'cancel' || act === 'stop';
}

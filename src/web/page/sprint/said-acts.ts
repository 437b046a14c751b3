import type { SentSprint, SentTask } from '../../api/sprint.ts';
import type { Act } from '../connection/api.ts';
import type { IconName } from '../parts/icon.tsx';

/** An act as it is offered. */
export type Said = { readonly name: string; readonly icon: IconName };

const retry = { name: 'Try again', icon: 'retry' } as const;

/** What can be done to a sprint. */
export const sprintActs: Readonly<Record<SentSprint['acts'][number], Said>> = {
  pause: { name: 'Pause', icon: 'pause' },
  resume: { name: 'Resume', icon: 'play' },
  retry,
  stop: { name: 'Stop the run', icon: 'stop' },
  cancel: { name: 'Cancel the sprint', icon: 'close' },
};

/** What can be done to a task. */
export const taskActs: Readonly<Record<SentTask['acts'][number], Said>> = {
  note: { name: 'Tell the agent', icon: 'note' },
  retry,
  skip: { name: 'Skip', icon: 'skip' },
  cancel: { name: 'Cancel the task', icon: 'close' },
};

/** It ends something. */
export function isFinal(act: Act): act is 'cancel' | 'stop' {
  return act === 'cancel' || act === 'stop';
}

/** What is not done lightly, or has words that go with it. */
export type AskedAct = 'cancel' | 'stop' | 'skip' | 'note';

/** It is asked about before it is done. */
export function isAsked(act: Act): act is AskedAct {
  return isFinal(act) || act === 'skip' || act === 'note';
}

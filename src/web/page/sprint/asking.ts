import type { SentTask } from '../../api/sprint.ts';
import type { AskedAct } from './said-acts.ts';

/** What is asked before something is done. */
type Asking = {
  /** What stands before the name of what it is done to. Absent: the name of the act. */
  readonly title?: string;
  readonly about: string;
  /** The name of the words that go with it. */
  readonly words?: {
    readonly field: 'reason' | 'text';
    readonly label: string;
    readonly isRequired: boolean;
  };
};

const reason = { field: 'reason', label: 'Why, if you like', isRequired: false } as const;

/**
 * What is asked before that is done: of what follows, only what is so now.
 *
 * @param task - `undefined`: it is done to a sprint.
 */
export function askingOf(act: AskedAct, task: SentTask | undefined): Asking {
  const agentToo = task?.agent && !task.isAgentGone ? ' Its agent is ended.' : '';
  switch (act) {
    case 'note':
      return {
        title: 'Tell the agent of',
        about: 'It hears it as soon as it can be told.',
        words: { field: 'text', label: 'What', isRequired: true },
      };
    case 'stop':
      return {
        title: 'Stop the run of',
        about:
          'Its agents are ended, and so is this page where clifford run --web serves it. A later run goes on where they were.',
      };
    case 'skip':
      return { about: `It counts as done, without being done.${agentToo}`, words: reason };
    case 'cancel':
      return {
        about: task
          ? `Nobody works on it after that.${agentToo}`
          : 'It ends for good, and all of its tasks with it.',
        words: reason,
      };
  }
}

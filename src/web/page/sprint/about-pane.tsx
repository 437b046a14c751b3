import type { SentSprint, SentTask } from '../../api/sprint.ts';
import { taskFacts } from '../../../views/sprints/task-facts.ts';
import { useNow } from '../parts/clock.ts';
import { Facts } from '../parts/facts.tsx';

type AboutPaneProps = {
  readonly sprint: SentSprint;
  readonly task: SentTask;
  /** When it is looked at, in ms since the epoch; `undefined`: now. */
  readonly atMs: number | undefined;
};

/** What is known of a task. */
export function AboutPane({ sprint: { tasks, hasRunner, queuedAt }, task, atMs }: AboutPaneProps) {
  const clock = useNow();
  const { isAgentGone } = task;
  return (
    <Facts
      facts={taskFacts(task, {
        now: atMs ?? clock,
        tasks,
        hasRunner,
        isQueued: queuedAt !== undefined,
        isAgentGone,
      })}
    />
  );
}

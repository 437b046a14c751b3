import type { SprintState, TaskState } from '../../machines/project-state.ts';
import { wordOf } from '../../machines/status-words.ts';
import { clockText } from '../../lib/time/clock-text.ts';
import { nextAgent, startsAfter } from '../plan/next-agent.ts';
import { queuedTasks } from './next-tasks.ts';
import type { Action, RunnerView } from './runner-view.ts';

/** A wait for the instant at which an attempt may start. */
type StartWait = Action & { readonly do: 'wait'; readonly until: number };

/** The wait for the first attempt that may not start yet; `undefined`: none has to wait. */
export function waitForStart(view: RunnerView, sprint: SprintState): StartWait | undefined {
  const queue = queuedTasks(sprint, view);
  const waits = [...sprint.tasks.values()]
    .filter((task) => isBegun(task) || queue.includes(task))
    .map((task): StartWait => {
      const until = startsAfter(task, view);
      const next = nextAgent(task, view);
      if (!('waitUntil' in next)) return { do: 'wait', for: 'retry', until };
      const who = next.limited ?? 'the agent';
      const why = `the usage limit of ${who} is reached, it continues at ${clockText(until, view.now)}`;
      return { do: 'wait', for: 'limit', taskId: task.id, until, why };
    })
    .filter(({ until }) => until > view.now)
    .toSorted((one, other) => one.until - other.until);
  return waits[0];
}

/** Begun by a runner, and without an agent. */
function isBegun({ machine: { value, context } }: TaskState): boolean {
  return wordOf(value) === 'active' && context.runId === null && !context.byHand;
}

import { count } from '../lib/text/count.ts';
import type { ProjectState, RequestState, RunnerLeft, SprintState } from '../machines/project-state.ts';
import type { FailureTold } from '../machines/told.ts';
import { readyTasks } from '../machines/ready-tasks.ts';
import { detailOf, nameOf, wordOf } from '../machines/status-words.ts';
import { describeSprint } from '../views/sprints/describe-sprint.ts';
import { wholeFailureOf } from '../views/sprints/failure-text.ts';

/** How a sprint ended, and why, or how much of it is done. */
export type SprintEnd = { readonly how: 'completed' | 'failed' | 'cancelled'; readonly why: string };

/** A task that has failed while others go on, and at which attempt. `at` is RFC 3339. */
export type TaskFailure = {
  readonly task: string;
  readonly attempt: number;
  readonly at: string;
  readonly why: string;
  /** The attempt whose failure each channel has told of. */
  readonly told: readonly FailureTold[];
};

/** A usage limit for which nothing of the sprint goes on. */
export type Stall = { readonly agent: string; readonly until: string };

/** How a sprint stands, as far as it concerns a human who is not there. */
export type Standing = {
  /** Its id. */
  readonly sprint: string;
  /** Of others: not made safe yet. */
  readonly name: string;
  /** The requests that wait for a human, oldest first. */
  readonly open: readonly RequestState[];
  /** How many tasks are over without having failed, of how many. */
  readonly done: number;
  readonly total: number;
  readonly end: SprintEnd | undefined;
  /** Tasks that failed, while others of it go on, oldest first. */
  readonly failures: readonly TaskFailure[];
  /** Why nobody runs it any more, while it is not over: no worker has it, and none is waited for. */
  readonly left: RunnerLeft | undefined;
  /** Nothing goes on before that, and no human can do anything about it. */
  readonly stall: Stall | undefined;
  /** The agents that are refused more, whether others go on or not. */
  readonly limited: readonly string[];
};

/**
 * How a stream stands.
 *
 * @param now - ms since the epoch.
 * @param sprint - Its state. Default: as `state` has it.
 */
export function standingOf(
  state: ProjectState,
  stream: string,
  now: number,
  sprint = state.streams.get(stream),
): Standing {
  const open = [...(sprint?.requests.values() ?? [])].filter(({ phase }) => phase === 'open');
  const end = sprint && endOf(sprint);
  const left = end || !sprint ? undefined : leftOf(sprint);
  return {
    sprint: stream,
    name: sprint?.name ?? stream,
    open,
    done: sprint?.tally.ended ?? 0,
    total: sprint?.tasks.size ?? 0,
    end,
    failures: sprint && !end ? failuresOf(sprint) : [],
    left,
    stall: sprint && !end && !left && open.length === 0 ? stallOf(sprint, state, now) : undefined,
    limited: state.limits.map(({ agent }) => agent),
  };
}

/** What becomes of a sprint of the queue its worker says next, or the next one takes it: how that left the queue is said last. */
function leftOf({ runner, job, queuedAt, leftQueue }: SprintState): RunnerLeft | undefined {
  const left = runner?.left;
  if (!left || job || queuedAt !== undefined) return undefined;
  if (!leftQueue || leftQueue.at <= left.at) return left;
  return leftQueue.outcome === 'cancelled'
    ? { reason: `${leftQueue.by} took it out of the queue`, at: leftQueue.at }
    : leftQueue;
}

function endOf(sprint: SprintState): SprintEnd | undefined {
  const { machine, tasks, tally, lastFailure, setAside } = sprint;
  if (wordOf(machine.value) !== 'done') return undefined;
  const how = detailOf(machine.value);
  const completed = [...tasks.values()].filter((task) => nameOf(task.machine.value) === 'done.completed');
  const progress = `${completed.length} of ${count(tasks.size, 'task')} done`;
  if (how === 'failed')
    return { how, why: tally.failed > 0 ? wholeFailureOf(sprint) : (lastFailure ?? progress) };
  return how === 'cancelled'
    ? { how, why: setAside?.reason ?? progress }
    : { how: 'completed', why: progress };
}

/** None where nothing else can go on: the sprint is about to fail, and says so itself. */
function failuresOf(sprint: SprintState): TaskFailure[] {
  const { tally, tasks } = sprint;
  if (tally.failed === 0) return [];
  if (tally.active + tally.blocked === 0 && readyTasks(sprint).length === 0) return [];
  const failed = [...tasks.values()].flatMap(({ id, machine, failedAt: at, lastFailure, failuresTold }) =>
    at !== undefined && nameOf(machine.value) === 'done.failed'
      ? [{ task: id, attempt: machine.context.attempt, at, why: lastFailure ?? '', told: failuresTold ?? [] }]
      : [],
  );
  return failed.toSorted((one, other) => (one.at < other.at ? -1 : one.at > other.at ? 1 : 0));
}

/** The limit that ends first, where every task that could go on waits for one. */
function stallOf(sprint: SprintState, { limits }: ProjectState, now: number): Stall | undefined {
  if (limits.length === 0) return undefined;
  const { tasks } = describeSprint(sprint, limits);
  const active = tasks.filter(({ state }) => state === 'active');
  const waiting = active.filter(({ limitedUntil }) => limitedUntil && Date.parse(limitedUntil) > now);
  if (waiting.length === 0 || waiting.length < active.length) return undefined;
  const [until = ''] = waiting.map(({ limitedUntil = '' }) => limitedUntil).toSorted();
  const [agent] = waiting.flatMap(({ id }) => sprint.tasks.get(id)?.agent?.agent ?? []);
  return agent === undefined ? undefined : { agent, until };
}

import type { AgentRun, TaskState } from '../../machines/task-state.ts';
import { RUN_ID_VARIABLE } from '../../workflow/project/run-id-variable.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { startedWith } from '../../lib/processes/related-processes.ts';
import {
  hasProcessTable,
  listProcesses,
  ownPid,
  readProcess,
  type ProcessEntry,
} from '../../lib/processes/process-table.ts';
import type { KillTarget } from '../../lib/processes/terminate.ts';

/** An attempt that an earlier runner left behind. */
export type Orphan = {
  readonly taskId: string;
  readonly runId: string;
  /** What still lives of it. */
  readonly targets: readonly KillTarget[];
};

/**
 * The attempts that no runner looks after: those the log takes for running, dead or alive, and
 * those whose task has ended but whose agent still lives. The caller holds the sprint's lock, so
 * nobody else looks after them.
 */
export function findOrphans(tasks: Iterable<TaskState>): Orphan[] {
  // A sprint that nothing has run of yet leaves nothing to look for.
  let found: Marked | undefined;
  const marked = { with: (runId: string) => (found ??= new Marked(RUN_ID_VARIABLE)).with(runId) };
  return [...tasks].flatMap((task): Orphan[] => {
    const { agent, id: taskId } = task;
    const { runId } = task.machine.context;
    // A crash came between the start of the agent and its `agent.started`: its environment names it.
    if (runId !== null && agent?.runId !== runId)
      return [{ taskId, runId, targets: targetsOf(marked.with(runId)) }];
    if (!agent) return [];
    const targets = recorded(agent, marked.with(agent.runId));
    return runId !== null || targets.length > 0 ? [{ taskId, runId: agent.runId, targets }] : [];
  });
}

/** What lives with this variable in its environment, where there is a process table to find it in. */
export function findMarked(variable: string, value: string): KillTarget[] {
  return targetsOf(new Marked(variable).with(value));
}

/** The same of what this process has started, or what that has: the environments of older processes are not read. */
export function findMarkedHere(variable: string, value: string): KillTarget[] {
  const since = Number(readProcess(ownPid())?.start ?? 0);
  return targetsOf(new Marked(variable, since).with(value));
}

/** The agent's group, if the agent lives or has left processes of its own in it, and what has left the group. */
function recorded(agent: AgentRun, left: readonly ProcessEntry[]): KillTarget[] {
  // Another's group may have got the number since: only one of the agent's own processes proves it.
  const isOwnGroup = isAlive(agent) || left.some(({ group }) => group === agent.pid);
  const escaped = targetsOf(left.filter(({ group }) => group !== agent.pid));
  return isOwnGroup ? [-agent.pid, ...escaped] : escaped;
}

/** Every other process that lives and has a variable in its environment, by its value. */
class Marked {
  readonly #byValue: ReadonlyMap<string | undefined, readonly ProcessEntry[]>;

  /** @param since - Only what started then or later counts, in clock ticks since boot. */
  constructor(variable: string, since = 0) {
    const others = hasProcessTable
      ? listProcesses().filter(({ pid, start }) => pid !== process.pid && Number(start) >= since)
      : [];
    this.#byValue = Map.groupBy(others, ({ pid }) => startedWith(pid, variable));
  }

  with(value: string): readonly ProcessEntry[] {
    return this.#byValue.get(value) ?? [];
  }
}

/** Whole groups where their leader is one of them. */
function targetsOf(marked: readonly ProcessEntry[]): KillTarget[] {
  const groups = new Set(marked.filter(({ pid, group }) => pid === group).map(({ group }) => group));
  const rest = marked.filter(({ group }) => !groups.has(group)).map(({ pid }) => pid);
  return [...[...groups].map((group) => -group), ...rest];
}

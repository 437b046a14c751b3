import type { AgentRun, TaskState } from '../machines/project-state.ts';
import { isAlive } from './process-identity.ts';
import { hasProcessTable, hasVariable, listProcesses } from './process-table.ts';
import type { ProcessEntry } from './process-table.ts';
import type { KillTarget } from './terminate.ts';

/** The variable that marks every process of an attempt. */
export const RUN_ID_VARIABLE = 'CLIFFORD_RUN_ID';

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
  const living = hasProcessTable ? listProcesses() : [];
  return [...tasks].flatMap((task): Orphan[] => {
    const { agent, id: taskId } = task;
    const { runId } = task.machine.context;
    if (runId !== null && agent?.runId !== runId) {
      return [{ taskId, runId, targets: unrecorded(living, runId) }];
    }
    if (!agent) return [];
    const targets = recorded(living, agent);
    return runId !== null || targets.length > 0 ? [{ taskId, runId: agent.runId, targets }] : [];
  });
}

/** The agent's group, if the agent lives or has left processes of its own in it. */
function recorded(living: readonly ProcessEntry[], agent: AgentRun): KillTarget[] {
  if (isAlive(agent)) return [-agent.pid];
  // Another's group may have got the number since: only one of the agent's own processes proves it.
  const left = living.filter(({ group }) => group === agent.pid);
  return left.some(({ pid }) => hasVariable(pid, RUN_ID_VARIABLE, agent.runId)) ? [-agent.pid] : [];
}

/** A crash came between the start of the agent and its `agent.started`: its environment names it. */
function unrecorded(living: readonly ProcessEntry[], runId: string): KillTarget[] {
  return targetsWith(living, RUN_ID_VARIABLE, runId);
}

/** What lives with this variable in its environment, where there is a process table to find it in. */
export function findMarked(variable: string, value: string): KillTarget[] {
  return targetsWith(hasProcessTable ? listProcesses() : [], variable, value);
}

function targetsWith(living: readonly ProcessEntry[], variable: string, value: string): KillTarget[] {
  const marked = living.filter(({ pid }) => pid !== process.pid && hasVariable(pid, variable, value));
  const groups = new Set(marked.filter(({ pid, group }) => pid === group).map(({ group }) => group));
  const rest = marked.filter(({ group }) => !groups.has(group)).map(({ pid }) => pid);
  return [...[...groups].map((group) => -group), ...rest];
}

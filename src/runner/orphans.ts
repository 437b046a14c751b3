import type { AgentRun, TaskState } from '../machines/project-state.ts';
import { isAlive } from './process-identity.ts';
import { hasProcessTable, hasVariable, listProcesses, readProcess } from './process-table.ts';
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
  return [...tasks].flatMap((task): Orphan[] => {
    const { agent, id: taskId } = task;
    const { runId } = task.machine.context;
    if (runId !== null && agent?.runId !== runId) return [{ taskId, runId, targets: unrecorded(runId) }];
    if (!agent) return [];
    const targets = recorded(agent);
    return runId !== null || targets.length > 0 ? [{ taskId, runId: agent.runId, targets }] : [];
  });
}

/** The agent's group, if the agent lives or has left processes of its own in it. */
function recorded(agent: AgentRun): KillTarget[] {
  if (isAlive(agent)) return [-agent.pid];
  // The pid is free or another's. While members of the group live, nobody else can have got it.
  if (!hasProcessTable || readProcess(agent.pid)?.isDead === false) return [];
  const left = listProcesses().filter(({ group }) => group === agent.pid);
  return left.some(({ pid }) => hasVariable(pid, RUN_ID_VARIABLE, agent.runId)) ? [-agent.pid] : [];
}

/** A crash came between the start of the agent and its `agent.started`: its environment names it. */
function unrecorded(runId: string): KillTarget[] {
  if (!hasProcessTable) return [];
  const marked = listProcesses().filter(
    ({ pid }) => pid !== process.pid && hasVariable(pid, RUN_ID_VARIABLE, runId),
  );
  const groups = new Set(marked.filter(({ pid, group }) => pid === group).map(({ group }) => group));
  const rest = marked.filter(({ group }) => !groups.has(group)).map(({ pid }) => pid);
  return [...[...groups].map((group) => -group), ...rest];
}

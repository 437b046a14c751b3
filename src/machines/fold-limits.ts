import type { StoredEvent } from '../events/envelope.ts';
import { casesByType } from './cases.ts';
import type { ProjectState, UsageLimit } from './project-state.ts';
import type { AgentRun, TaskState } from './task-state.ts';
import { limitEnd } from './usage-limit.ts';
import { wordOf } from './status-words.ts';

/** Events of several processes may stand in the log out of order by so much, in ms. By more: the clock was set back. */
const DISORDER_MS = 10_000;

/** What an event of a task says about the usage limits of agents: one was refused more, or got past that. */
export function foldLimits(project: ProjectState, task: TaskState, event: StoredEvent): void {
  if (event.type === 'agent.limited') project.limits = withRefusal(project.limits, task.agent, event);
  // Hardly ever is there one: most events cost no more than this look.
  else if (project.limits.length > 0) {
    const saysMore = cases.get(event.type);
    const past = saysMore && project.limits.find((limit) => isPast(limit, task, event, saysMore));
    if (past) project.limits = project.limits.filter((limit) => limit !== past);
  }
}

/** One limit per agent: the last refusal counts. */
function withRefusal(
  limits: readonly UsageLimit[],
  run: AgentRun | undefined,
  { data, time: at }: StoredEvent & { type: 'agent.limited' },
): readonly UsageLimit[] {
  // A bare command line has no name by which somebody could know it again.
  if (run?.runId !== data.runId || run.agent === undefined) return limits;
  const { agent } = run;
  const before = limits.find((limit) => limit.agent === agent);
  const isOneMore = before !== undefined && beganAfter(run, before, at);
  const times = (before?.times ?? 1) + (isOneMore ? 1 : 0);
  const limit = { ...data, agent, at, times };
  // Refused next to another run, and told less.
  const isNextTo = before !== undefined && before.runId !== data.runId && !isOneMore;
  if (isNextTo && limitEnd(before) > limitEnd(limit)) return limits;
  return [...limits.filter((each) => each !== before), limit];
}

/** Of the agent that was refused more, and the run of it that speaks. */
type Speaker = { readonly limit: UsageLimit; readonly run: AgentRun; readonly machine: TaskState['machine'] };

/** By what an agent says that it got more after it was refused: nothing else would have let the run say this. */
const cases = casesByType<[Speaker], boolean>({
  'agent.continued': () => true,
  'tool.requested': worksOn,
  'task.completed': worksOn,
  // What a run used that had begun before may be from before.
  'agent.usage': ({ data, time }, { limit, run }) => data.tokens.output > 0 && beganAfter(run, limit, time),
  // Ended by itself, it had not given up. Once its task is done, that says nothing.
  'agent.exited': ({ data }, { limit, run, machine }) =>
    run.runId === limit.runId && data.reason === undefined && wordOf(machine.value) !== 'done',
});

function worksOn({ time }: StoredEvent, { limit, run }: Speaker): boolean {
  return run.runId === limit.runId || beganAfter(run, limit, time);
}

function isPast(
  limit: UsageLimit,
  { agent: run, machine }: TaskState,
  event: StoredEvent,
  saysMore: (event: StoredEvent, speaker: Speaker) => boolean,
): boolean {
  if (!run || run.agent !== limit.agent || !('runId' in event.data) || event.data.runId !== run.runId)
    return false;
  return saysMore(event, { limit, run, machine });
}

/**
 * Of two runs at once one may be refused, and the other say later what it had used before. When the clock was set
 * back since, when the run began says nothing: what the log has `now` counts.
 */
function beganAfter(run: AgentRun, limit: UsageLimit, now: string): boolean {
  return run.startedAt > limit.at || Date.parse(limit.at) - Date.parse(now) > DISORDER_MS;
}

import type { EventData } from '../../events/catalog.ts';
import { subjectOf } from '../../events/envelope.ts';
import { checkLegality, type Candidate } from '../../machines/legality.ts';
import type { ProjectState, RequestState, SprintState } from '../../machines/project-state.ts';
import type { TaskState } from '../../machines/task-state.ts';
import { unmetBy } from '../../machines/ready-tasks.ts';
import { wordOf } from '../../machines/status-words.ts';
import type { Agent } from '../project/agent.ts';
import type { Project } from '../project/project.ts';
import { isQueued } from '../queue/worker-of.ts';
import { startTask } from '../task/start-task.ts';

/** Who asks, as a request names it. */
export function originOf(agent: Agent): EventData<'help.requested'>['origin'] {
  return { agent: agent.id, runId: agent.runId, client: agent.client };
}

/**
 * Asks what `choose` returns, or joins the request that it returns.
 *
 * @param before - What the log gets in front of it, in the same append; of a request that is joined, that alone.
 * @returns the request to wait for.
 */
export async function askOrJoin(
  project: Project,
  stream: string,
  choose: (state: ProjectState) => RequestState | EventData<'help.requested'>,
  before: () => readonly Candidate[] = () => [],
): Promise<RequestState> {
  let id = '';
  await project.dispatch(stream, (state) => {
    const chosen = choose(state);
    const isNew = 'requestId' in chosen;
    id = isNew ? chosen.requestId : chosen.id;
    return isNew ? [...before(), ...askCandidates(state, stream, chosen)] : before();
  });
  const request = project.state.streams.get(stream)?.requests.get(id);
  if (!request) throw new Error(`request ${id} is missing after it was asked`);
  return request;
}

/**
 * The events that ask a question: about its task if that is one of the sprint and not done, a pending one is
 * started first. Otherwise, and when the agent was started for another task, it belongs to the sprint.
 */
function askCandidates(
  state: ProjectState,
  stream: string,
  data: EventData<'help.requested'>,
): readonly Candidate[] {
  const about = (taskId?: string): Candidate => ({
    type: 'help.requested',
    subject: subjectOf(stream, taskId),
    data,
  });
  const sprint = state.streams.get(stream);
  const task = data.task === undefined ? undefined : sprint?.tasks.get(data.task);
  if (!sprint || !task || wordOf(task.machine.value) === 'done') return [about()];
  if (worksElsewhere(state, task, data.origin.runId)) return [about()];
  if (wordOf(task.machine.value) !== 'pending') return [about(task.id)];
  const start = startByHand(state, sprint, task, data.origin.client ?? data.origin.agent);
  return start ? [...start, about(task.id)] : [about()];
}

/** Was this run started for another task? Such an agent neither starts nor blocks the one it asks about. */
function worksElsewhere({ streams }: ProjectState, task: TaskState, runId: string | undefined): boolean {
  if (runId === undefined) return false;
  const others = streams.loaded().flatMap(({ tasks }) => [...tasks.values()]);
  return others.some(
    (other) => other !== task && (other.machine.context.runId === runId || other.agent?.runId === runId),
  );
}

/** Starts a pending task for the agent that asks about it, unless it waits for others, or its sprint for a worker or does not allow that now. */
function startByHand(
  state: ProjectState,
  sprint: SprintState,
  task: TaskState,
  by: string,
): readonly Candidate[] | undefined {
  if (unmetBy(sprint, task).length > 0 || isQueued(state, sprint.id)) return undefined;
  const candidates = startTask(sprint, task, { by });
  const [first] = candidates;
  return first && checkLegality(state, first).legal ? candidates : undefined;
}

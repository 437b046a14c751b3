import { tellWhenLate } from '../../lib/time/tell-when-late.ts';
import { parkedFor } from '../../machines/parked.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { count } from '../../lib/text/count.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { CloseOutcome } from '../../workflow/requests/close-request.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { Cli } from '../cli.ts';
import { tellDecided, type Decided } from '../text/decided-json.ts';
import { tellRun } from '../project/tell-run.ts';
import { lostRace, type CloseVerb } from './request-errors.ts';
import { isAlive } from '../../lib/processes/process-identity.ts';
import { isAwaited } from '../../views/sprints/gone-agent.ts';

/** What a person does to a request, and what they hear of it. */
type Close = {
  readonly verb: CloseVerb;
  /** What `--json` says was done. */
  readonly done: Decided['done'];
  readonly json: boolean | undefined;
  readonly close: () => Promise<CloseOutcome>;
  /**
   * @param isAwaited - Whether an agent waits for it, or starts again for it.
   * @param isParked - Whether it starts again.
   */
  readonly say: (ended: RequestState, isAwaited: boolean, isParked: boolean) => void;
};

/** After so long, in ms, it is said that what was decided is not recorded yet. */
const LATE_MS = 2_000;

/**
 * Closes a request, and says what becomes of it and of the agent that was parked for it.
 *
 * @throws {CliffordError} `REQUEST_CLOSED` when somebody was first.
 */
export async function closeAndTell(
  cli: Cli,
  project: Project,
  request: RequestState,
  { verb, done, json, close, say }: Close,
): Promise<void> {
  const isParked = parkedFor(project.state, request) !== undefined;
  const waits = () => {
    const now = requestById(project.state, request.id);
    return now !== undefined && isAwaited(project.state.streams.get(now.stream), now, isAlive);
  };
  // Who waits may have taken the answer, and wait no more, when the log has it.
  const didWait = waits();
  const outcome = await tellWhenLate(close(), LATE_MS, () =>
    cli.warn('not recorded yet: the log does not answer; this waits for it'),
  );
  if (!outcome.accepted) throw lostRace(verb, request.id, outcome.request);
  const isHeard = isParked || didWait || waits();
  tellDecided(cli, json, { done, isAwaited: isHeard, ...decidedAbout([request]) }, () =>
    say(outcome.request, isHeard, isParked),
  );
  if (isParked && !json) tellParked(cli, project, [request]);
}

/**
 * Says what becomes of the agents that were parked when questions of their tasks were closed.
 *
 * @param ended - Those questions, of one stream.
 */
export function tellParked(
  cli: Cli,
  project: Project,
  ended: readonly RequestState[],
  agentOf: (request: RequestState) => string = () => 'its agent',
): void {
  const [first] = ended;
  if (!first) return;
  for (const request of new Map(ended.map((each) => [each.taskId, each])).values()) {
    const { stream, taskId = '' } = request;
    const open = project.state.streams.get(stream)?.tasks.get(taskId)?.machine.context.open ?? [];
    const what =
      open.length > 0
        ? `stays parked: ${count(open.length, 'question')} of its task left`
        : 'was parked: it starts again';
    cli.say(`${agentOf(request)} ${what}`);
  }
  tellRun(cli, project, first.stream);
}

/** What requests of one stream are about, for programs. */
export function decidedAbout(
  requests: readonly RequestState[],
): Pick<Decided, 'sprint' | 'tasks' | 'requests'> {
  const tasks = requests.flatMap(({ taskId, asked }) => taskId ?? asked.task ?? []);
  return {
    sprint: requests[0]?.stream ?? '',
    tasks: [...new Set(tasks)],
    requests: requests.map(({ id }) => id),
  };
}

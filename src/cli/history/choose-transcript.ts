import { join } from 'node:path';
import { CliffordError } from '../../errors.ts';
import { sprintsWith } from '../../workflow/task/task-elsewhere.ts';
import { nameSprintOf } from '../input/name-sprint.ts';
import type { AgentRun, TaskState } from '../../machines/task-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import {
  namedTranscript,
  recordedRuns,
  segmentsOf,
  transcriptPath,
} from '../../workflow/transcripts/transcript-files.ts';
import { chooseStream } from './choose-stream.ts';

/** The attempt a person means: a run id or a task, and the sprint of the task. */
export type AttemptName = { readonly name: string | undefined; readonly sprint: string | undefined };

/**
 * Absolute path of the transcript that a person means: of a run, by its id or a unique beginning of it; of
 * the last attempt at a task; without a name of the last attempt in the sprint, by default the latest one.
 *
 * @throws {CliffordError} `TRANSCRIPT_UNKNOWN`, `TRANSCRIPT_AMBIGUOUS`, `TRANSCRIPT_MISSING`, or as
 *   {@link chooseStream}.
 */
export async function chooseTranscript(project: Project, { name, sprint }: AttemptName): Promise<string> {
  const run = name === undefined ? undefined : findRun(project, name);
  if (run !== undefined) return run;
  const stream = await chooseStream(project, sprint);
  const agent = lastRun(tasksNamed(project, stream, name));
  if (!agent)
    throw unknown(`no agent has worked on ${name === undefined ? `sprint ${stream}` : `task ${name}`} yet`);
  return transcriptOf(project, agent);
}

const SEE_TASKS =
  'Name its sprint with --sprint; see the tasks with: clifford status, the ids of runs with: clifford replay --json';

/** Run ids begin so, and no person would call a task so. */
const RUN_START = 'run-';

function findRun({ dir }: Project, name: string): string | undefined {
  const runs = recordedRuns(dir);
  const path = (runId: string) => join(dir, transcriptPath(runId));
  if (runs.includes(name)) return path(name);
  if (!name.startsWith(RUN_START)) return undefined;
  const [first, second] = runs.filter((runId) => runId.startsWith(name));
  if (first !== undefined && second === undefined) return path(first);
  if (first === undefined) return undefined;
  throw new CliffordError(`Cannot tell which run ${name} is: it could be ${first} or ${second}`, {
    code: 'TRANSCRIPT_AMBIGUOUS',
    fix: 'Give more of its id',
  });
}

function tasksNamed({ state }: Project, stream: string, name: string | undefined): TaskState[] {
  const sprint = state.streams.get(stream);
  const tasks = [...(sprint?.tasks.values() ?? [])];
  const meant = name === undefined ? tasks : tasks.filter(({ id }) => id === name);
  if (meant.length > 0 || name === undefined) return meant;
  throw unknown(
    `there is no run ${name}, and no task of that name in ${sprint?.id ?? 'any sprint'}`,
    nameSprintOf(name, sprintsWith(state, name)),
  );
}

function lastRun(tasks: readonly TaskState[]): AgentRun | undefined {
  return tasks
    .flatMap(({ agent }) => agent ?? [])
    .reduce<AgentRun | undefined>(
      (last, agent) => (last && last.startedAt > agent.startedAt ? last : agent),
      undefined,
    );
}

function transcriptOf({ dir }: Project, { runId, transcript }: AgentRun): string {
  const path = namedTranscript(dir, transcript);
  if (path !== undefined && segmentsOf(path).length > 0) return path;
  throw new CliffordError(`Cannot export the transcript of ${runId}: it is gone`, {
    code: 'TRANSCRIPT_MISSING',
    fix: 'Name another run; .clifford/transcripts has those there are',
    recovery: 'give-up',
  });
}

function unknown(reason: string, fix: string = SEE_TASKS): CliffordError {
  return new CliffordError(`Cannot find a transcript: ${reason}`, {
    code: 'TRANSCRIPT_UNKNOWN',
    fix,
  });
}

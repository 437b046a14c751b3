import { CliffordError } from '../../errors.ts';
import type { EventData } from '../../events/catalog.ts';
import { count } from '../../lib/text/count.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState, SprintState } from '../../machines/project-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Project } from '../../workflow/project/project.ts';
import { workerOf } from '../../workflow/queue/worker-of.ts';

/** What a worker may do with a sprint that the queue handed to it. */
export type Taken =
  | 'taken'
  /** There is nothing left to do. */
  | 'over'
  /** A human has taken it out of the queue meanwhile. */
  | 'cancelled'
  /** Too many workers were lost with it. */
  | 'exhausted';

/** The worker that takes a sprint, how many workers may be lost with it in a row, and how long the queue waits to hear of one, in ms. */
export type Taking = {
  readonly stream: string;
  readonly worker: string;
  readonly losses: number;
  readonly deadlineMs: number;
};

/**
 * Says in the log that the sprint is this worker's from now on: a worker that had it before can decide nothing any more. What was
 * handed out by the queue is only tried; that it counts is decided here.
 */
export async function takeSprint(
  project: Pick<Project, 'dispatch'>,
  { stream, worker, losses, deadlineMs }: Taking,
): Promise<Taken> {
  let taken: Taken = 'taken';
  await project.dispatch(stream, ({ streams }) => {
    const sprint = streams.get(stream);
    taken = fateOf(sprint, losses);
    if (taken === 'over' || taken === 'cancelled') return [];
    const take: Candidate = {
      type: 'job.taken',
      subject: stream,
      data: { worker, ...afterOf(sprint?.job, { worker, deadlineMs }) },
    };
    if (taken === 'taken') return [take];
    const reason = `${count((sprint?.job?.losses ?? 0) + 1, 'worker')} in a row were lost with it, the last one ${sprint?.job?.worker ?? 'unknown'}`;
    return [take, { type: 'job.ended', subject: stream, data: { worker, outcome: 'exhausted', reason } }];
  });
  return taken;
}

/** From whom it is taken, if another worker had it: the queue has handed it out again. */
export function afterOf(
  held: { readonly worker?: string | undefined } | undefined,
  { worker, deadlineMs }: Pick<Taking, 'worker' | 'deadlineMs'>,
): Pick<EventData<'job.taken'>, 'after'> {
  const before = held?.worker;
  return before === undefined || before === worker ? {} : { after: { worker: before, silentMs: deadlineMs } };
}

function fateOf(sprint: SprintState | undefined, losses: number): Taken {
  const state = sprint && nameOf(sprint.machine.value);
  if (state === 'done.cancelled' || (state === 'done.completed' && !sprint?.isUnpushed)) return 'over';
  if (sprint?.leftQueue?.outcome === 'cancelled') return 'cancelled';
  return sprint?.job && sprint.job.losses + 1 >= losses ? 'exhausted' : 'taken';
}

/** The code of {@link assertHeld}'s error. */
export const SPRINT_TAKEN = 'SPRINT_TAKEN';

/** Makes sure that a worker has a sprint, by the state that it decides on. @throws {CliffordError} {@link SPRINT_TAKEN}. */
export function assertHeld(state: ProjectState, { stream, worker }: Pick<Taking, 'stream' | 'worker'>): void {
  const holder = workerOf(state, stream);
  if (holder === worker) return;
  throw new CliffordError(
    `Cannot decide about sprint ${stream}: worker ${worker} does not have it any more${holder === undefined ? '' : `, ${holder} has`}`,
    { code: SPRINT_TAKEN, fix: 'Leave it to whoever has it', recovery: 'give-up' },
  );
}

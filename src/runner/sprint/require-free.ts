import { CliffordError } from '../../errors.ts';
import { printedWord } from '../../lib/text/shell-word.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';
import { runElsewhere } from '../../workflow/project/run-elsewhere.ts';
import { isQueued, workerOf } from '../../workflow/queue/worker-of.ts';

/** Who is about to run a sprint, and what may keep it from that. */
export type TakingUp = {
  readonly stream: string;
  /** The worker that runs it, if one does. */
  readonly worker: string | undefined;
  /** The log is where workers take sprints from a queue; a copy of it in a file may say that one waits there. */
  readonly hasQueue: boolean;
};

/**
 * Makes sure that nobody on any machine has a sprint, nor is to have it, by this state: two runners would undo what the other one does.
 *
 * @throws {CliffordError} `SPRINT_RUNNING`.
 */
export function requireFree(
  project: Pick<Project, 'dir' | 'isShared'>,
  state: Pick<ProjectState, 'streams'>,
  { stream, worker, hasQueue }: TakingUp,
): void {
  const holder = workerOf(state, stream);
  if (holder !== undefined && holder !== worker)
    throw running(
      stream,
      `worker ${holder} has it`,
      `Watch it with clifford attach ${stream}, or take it back first with clifford queue cancel ${stream}`,
    );
  if (worker === undefined && hasQueue && isQueued(state, stream))
    throw running(
      stream,
      'it waits in the queue for a worker',
      `Leave it to one, or take it out first with: clifford queue cancel ${stream}`,
    );
  const runner = worker === undefined ? runElsewhere(project, state.streams.get(stream)) : undefined;
  if (runner)
    throw running(
      stream,
      `a run on another machine, or in another folder, has it (${runner.name})`,
      `Watch it with clifford attach ${printedWord(stream)}, or have it leave first, also where its machine is lost, with: clifford stop ${printedWord(stream)}`,
    );
}

/** Somebody else runs it, or will. */
export function running(stream: string, why: string, fix: string): CliffordError {
  return new CliffordError(`Cannot run sprint ${stream}: ${why}`, {
    code: 'SPRINT_RUNNING',
    fix,
    recovery: 'give-up',
  });
}

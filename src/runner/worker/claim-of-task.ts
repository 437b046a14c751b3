import { subjectOf } from '../../events/envelope.ts';
import { lostWork } from '../../machines/fold-offer.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { ProjectState } from '../../machines/project-state.ts';
import { unverifiedLost } from '../reconcile/lose-unverified.ts';
import type { Claim } from './holding.ts';
import { assertOfferHeld } from './take-offer.ts';
import type { JobDeps } from './worker-deps.ts';

/** A task of a sprint. */
export type TaskPlace = { readonly stream: string; readonly taskId: string };

/** How a worker has a task of another worker's sprint, and what it says where it leaves it. */
export function claimOfTask({ worker }: Pick<JobDeps, 'worker'>, place: TaskPlace): Claim {
  const { stream, taskId } = place;
  const subject = subjectOf(stream, taskId);
  const taskIn = ({ streams }: ProjectState) => streams.get(stream)?.tasks.get(taskId);
  return {
    subject,
    assertHeld: (state) => assertOfferHeld(state, { ...place, worker }),
    unfit: (state) => taskIn(state)?.offer?.unfit,
    returned: (data) => ({ type: 'offer.returned', subject, data }),
    takenOut: (data) => ({ type: 'offer.returned', subject, data }),
    ended: ({ outcome, ...data }) => ({
      type: 'offer.ended',
      subject,
      data: { ...data, outcome: outcome === 'over' ? 'done' : outcome },
    }),
    before: (state, fact) =>
      fact.type === 'offer.ended' && fact.data.sha !== undefined
        ? []
        : lostFacts(place, { state, worker, isOver: fact.type === 'offer.ended' }),
  };
}

/** What is completed and was not pushed is done again, and where the sprint's worker has the task then, what nobody has verified. */
export function lostFacts(
  { stream, taskId }: TaskPlace,
  {
    state,
    worker,
    isOver,
  }: { readonly state: ProjectState; readonly worker: string; readonly isOver: boolean },
): Candidate[] {
  const sprint = state.streams.get(stream);
  const task = sprint?.tasks.get(taskId);
  if (!sprint || !task) return [];
  const subject = subjectOf(stream, taskId);
  const again = lostWork(task, worker).map((data): Candidate => ({ type: 'task.reopened', subject, data }));
  return isOver ? [...again, ...unverifiedLost(sprint, task)] : again;
}

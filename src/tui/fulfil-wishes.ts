import type { Project } from '../workflow/project.ts';
import { answerRequest, dismissRequest } from '../workflow/requests/answer.ts';
import type { Outcome } from '../workflow/requests/answer.ts';
import { howClosed } from './how-closed.ts';
import type { ScreenActor } from './screen-actor.ts';
import type { Notice } from './screen-state.ts';

type WishDeps = {
  readonly project: Project;
  /** The human in front of the screen. */
  readonly by: string;
  readonly stop: () => void;
  readonly leave: () => void;
  /** Ends the screen with an error. */
  readonly fail: (error: unknown) => void;
};

/** Does what the screen wants, and tells it what became of it. */
export function fulfilWishes(actor: ScreenActor, { project, by, stop, leave, fail }: WishDeps): void {
  const answerer = { by, via: 'tui' };
  const tell = (id: string, done: Notice) => (outcome: Outcome) =>
    actor.send({ type: 'outcome', id, notice: outcome.accepted ? done : lost(outcome) });

  actor.on('answer', ({ id, response, option }) => {
    const picked = option === undefined ? {} : { option };
    answerRequest(project, id, { ...answerer, response, ...picked }).then(
      tell(id, { tone: 'ok', text: 'Answered, the agent goes on' }),
      fail,
    );
  });
  actor.on('dismiss', ({ id }) => {
    dismissRequest(project, id, answerer).then(
      tell(id, { tone: 'ok', text: 'Dismissed, the agent is told' }),
      fail,
    );
  });
  actor.on('stop', stop);
  actor.on('leave', leave);
}

function lost({ request }: Outcome): Notice {
  const text = request ? howClosed(request) : 'The question is not in the log any more';
  return { tone: 'warning', text: `Not recorded. ${text}` };
}

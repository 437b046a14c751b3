import type { RequestState } from '../../../machines/project-state.ts';
import { presentClosing } from '../present/present-question.ts';
import { refusal } from '../refuse.ts';
import { Refusal } from '../refusal.ts';

/** Somebody was first. */
export function tooLate(request: RequestState): Refusal {
  const closing = presentClosing(request);
  return new Refusal(409, {
    code: 'QUESTION_CLOSED',
    message: `Cannot decide on ${request.id}: ${closing.text}`,
    fix: 'Nothing was recorded: the first answer counts',
    closing,
  });
}

/** A yes that stands from now on, from another machine. */
export function alwaysRefused(id: string): Refusal {
  return refusal(
    403,
    'ALWAYS_REFUSED',
    `Cannot allow ${id} always: such a yes is not taken from another machine`,
    'Allow it once, or decide on the machine of the project; clifford serve --allow-always takes it from everywhere',
  );
}

/** A yes that stands to a call as a human has changed it. */
export function editedOnce(id: string): Refusal {
  return refusal(
    400,
    'SCOPE_IMPOSSIBLE',
    `Cannot allow ${id} as changed for more than once: it is another call than the agent makes`,
    'Leave the scope out',
  );
}

/** What is hidden, where others could read it. */
export function notPrivate(id: string): Refusal {
  return refusal(
    403,
    'NOT_PRIVATE',
    `Cannot show what is hidden of ${id}: somebody on the way could read it`,
    'Look at it on the machine of the project, through a tunnel, or with TLS',
  );
}

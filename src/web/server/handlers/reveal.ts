import { editText } from '../../../gateway/edit/edit-text.ts';
import { wholeArguments } from '../../../workflow/requests/held-call.ts';
import { isShownInPart } from '../../../workflow/requests/shown-arguments.ts';
import { deciderOf } from '../callers/decider.ts';
import { comparedChanges } from '../compared-changes.ts';
import { knownQuestion } from '../known-question.ts';
import { presentRevealed } from '../present/present-question.ts';
import { notFound } from '../refusal.ts';
import type { Serving } from '../serving.ts';
import { notPrivate } from './decide-refusals.ts';
import type { Handlers } from './handlers.ts';

/** What is hidden of a call, for whoever decides on it. */
export function revealHandlers(serving: Serving): Pick<Handlers, 'reveal'> {
  const { project } = serving;
  return {
    reveal: async ({ params: { id } }, caller) => {
      const request = await knownQuestion(serving, id);
      deciderOf(caller, serving).requireHuman(`see what is hidden of ${id}`);
      if (!caller.isPrivate) throw notPrivate(id);
      const { approval } = request.asked;
      if (!approval || request.phase !== 'open') throw notFound(`waiting call ${id}`);
      // What is only masked is in the log.
      const isPart = isShownInPart(approval);
      const whole = isPart ? await wholeArguments({ id, asked: { approval } }) : { args: approval.args };
      // What is only shown in part is compared in part: that comes back with the yes.
      const seenNow = async () => (await comparedChanges(project, request)).seen;
      const before = await seenNow();
      const compared = whole ? (await comparedChanges(project, request, whole)).changes : [];
      const seen = await seenNow();
      const revealed = presentRevealed(request, whole, { changes: compared, root: project.root });
      return {
        ...revealed,
        ...(seen === undefined || seen !== before ? {} : { seen }),
        ...(isPart ? {} : { edit: editText(approval) }),
      };
    },
  };
}

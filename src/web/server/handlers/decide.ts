import { editCall } from '../../../gateway/edit/edit-call.ts';
import { withArguments, withCommand } from '../../../gateway/edit/edit-text.ts';
import { optionWithText } from '../../../lib/text/option-meant.ts';
import { parkedFor } from '../../../machines/parked.ts';
import type { RequestState } from '../../../machines/project-state.ts';
import { seeChanges } from '../../../views/calls/seen-changes.ts';
import { isAwaited } from '../../../views/sprints/gone-agent.ts';
import { answerRequest, dismissRequest } from '../../../workflow/requests/answer.ts';
import { approve, deny } from '../../../workflow/requests/approval.ts';
import { approvalVerdictOf } from '../../../workflow/requests/approval-words.ts';
import type { CloseOutcome } from '../../../workflow/requests/close-request.ts';
import { explainFirst } from '../../../workflow/requests/explain-first.ts';
import { requestById } from '../../../workflow/requests/find-request.ts';
import { sayNotRecorded } from '../../../workflow/requests/say-not-recorded.ts';
import type { Decided } from '../../api/decision.ts';
import type { Caller } from '../callers/caller.ts';
import { deciderOf, type Decider } from '../callers/decider.ts';
import { knownQuestion } from '../known-question.ts';
import { presentDecided, type Said } from '../present/present-decided.ts';
import { presentQuestion } from '../present/present-question.ts';
import { isAlwaysTaken } from '../present/present-state.ts';
import type { Serving } from '../serving.ts';
import { alwaysRefused, editedOnce, tooLate } from './decide-refusals.ts';
import type { Handlers } from './handlers.ts';
import { requireFit } from './require-fit.ts';
import { requireSeen } from './require-seen.ts';

/** What a human says to questions and calls. */
export function decideHandlers(serving: Serving): Pick<Handlers, Said> {
  const { project, env, processes } = serving;
  const { isAlive } = processes;

  /** Closes a question, unless somebody was first. */
  const close = async (
    said: Said,
    { params: { id } }: { readonly params: { readonly id: string } },
    caller: Caller,
    work: (request: RequestState, decider: Decider) => Promise<CloseOutcome>,
  ): Promise<Decided> => {
    const request = await knownQuestion(serving, id);
    const isParked = parkedFor(project.state, request) !== undefined;
    const waits = () => {
      const now = requestById(project.state, id);
      return now !== undefined && isAwaited(project.state.streams.get(now.stream), now, isAlive);
    };
    // Who waits may have taken the answer, and wait no more, when the log has it.
    const didWait = waits();
    const decider = deciderOf(caller, serving);
    const verb = said === 'explain' ? 'ask about' : said;
    const outcome = await sayNotRecorded(`${verb} ${id}`, () => work(request, decider));
    if (!outcome.accepted) throw tooLate(outcome.request ?? request);
    const question = presentQuestion(outcome.request, project.state, {
      mayAlways: isAlwaysTaken(caller, serving),
      extras: {},
      root: project.root,
      isAlive,
    });
    return {
      text: presentDecided(said, outcome.request, { isParked, isAwaited: didWait || waits() }),
      question,
    };
  };

  return {
    answer: async (asked, caller) => {
      const { seen, response, answers, ...body } = asked.body;
      const question = await knownQuestion(serving, asked.params.id);
      requireFit(question, asked.body);
      if (response !== undefined && approvalVerdictOf({ response }) === 'approved')
        await requireSeen(project, question, seen, caller);
      return close('answer', asked, caller, (request, { answerer, requireHuman }) => {
        const {
          id,
          asked: { approval, options = [] },
        } = request;
        const { option = optionWithText(options, response ?? '') } = body;
        if (approval) requireHuman(`approve ${id}`);
        return answerRequest(project, id, {
          ...answerer,
          ...(answers ? { answers } : { response, option }),
        });
      });
    },
    rephrase: (asked, caller) =>
      close('rephrase', asked, caller, ({ id, asked: { approval } }, { answerer, requireHuman }) => {
        if (approval) requireHuman(`ask about ${id}`);
        return answerRequest(project, id, { ...answerer, response: asked.body.reason, rephrase: true });
      }),
    reject: (asked, caller) =>
      close('reject', asked, caller, ({ id }, { answerer }) =>
        answerRequest(project, id, { ...answerer, response: asked.body.reason, rejected: true }),
      ),
    dismiss: (asked, caller) =>
      close('dismiss', asked, caller, ({ id }, { answerer }) =>
        dismissRequest(project, id, { ...answerer, reason: asked.body.reason }),
      ),
    approve: async (asked, caller) => {
      const { seen, scope = 'once', edit } = asked.body;
      await requireSeen(project, await knownQuestion(serving, asked.params.id), seen, caller);
      return close('approve', asked, caller, (request, { answerer, requireHuman }) => {
        const {
          id,
          asked: { approval = { args: null } },
        } = request;
        requireHuman(`approve ${id}`);
        if (scope === 'always' && !isAlwaysTaken(caller, serving)) throw alwaysRefused(id);
        if (edit === undefined) return approve(project, id, { ...answerer, scope });
        if (scope !== 'once') throw editedOnce(id);
        const edited =
          'command' in edit ? withCommand(approval, edit.command) : withArguments(JSON.stringify(edit.args));
        const see = caller.isPrivate ? seeChanges : undefined;
        return editCall(project, request, { ...answerer, env, edited, see });
      });
    },
    deny: (asked, caller) =>
      close('deny', asked, caller, ({ id }, { answerer }) =>
        deny(project, id, { ...answerer, reason: asked.body.reason }),
      ),
    explain: (asked, caller) =>
      close('explain', asked, caller, ({ id }, { answerer, requireHuman }) => {
        requireHuman(`ask about ${id}`);
        return explainFirst(project, id, { ...answerer, question: asked.body.question });
      }),
  };
}

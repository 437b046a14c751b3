import { editCall } from '../../../gateway/edit/edit-call.ts';
import { editText, withArguments, withCommand } from '../../../gateway/edit/edit-text.ts';
import { optionWithText } from '../../../lib/text/option-meant.ts';
import { parkedFor } from '../../../machines/parked.ts';
import type { RequestState } from '../../../machines/project-state.ts';
import { isAwaited } from '../../../views/sprints/gone-agent.ts';
import { allowedText, type Hears } from '../../../views/requests/allowed-text.ts';
import { seeChanges } from '../../../views/calls/seen-changes.ts';
import { answersUnfit } from '../../../workflow/requests/answer-input.ts';
import { answerRequest, dismissRequest } from '../../../workflow/requests/answer.ts';
import { approve, deny } from '../../../workflow/requests/approval.ts';
import { approvalVerdictOf } from '../../../workflow/requests/approval-words.ts';
import { knownRequest, type CloseOutcome } from '../../../workflow/requests/close-request.ts';
import { editOutcome } from '../../../workflow/requests/edited-call.ts';
import { explainFirst, explainOutcome } from '../../../workflow/requests/explain-first.ts';
import { wholeArguments } from '../../../workflow/requests/held-call.ts';
import { requestById } from '../../../workflow/requests/find-request.ts';
import { isShownInPart } from '../../../workflow/requests/shown-arguments.ts';
import type { Decided } from '../../api/decision.ts';
import { comparedChanges } from '../compared-changes.ts';
import type { Caller } from '../callers/caller.ts';
import { deciderOf, type Decider } from '../callers/decider.ts';
import { presentClosing, presentQuestion, presentRevealed } from '../present/present-question.ts';
import { isAlwaysTaken } from '../present/present-state.ts';
import { notFound, Refusal } from '../refusal.ts';
import type { Serving } from '../serving.ts';
import { answerLine } from '../../../events/form/answers-text.ts';
import { clip } from '../../../lib/text/clip.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { isTyped } from '../../../machines/typed-words.ts';
import { shownWords } from '../../../views/calls/shown-words.ts';
import { ADHOC_STREAM } from '../../../events/adhoc-stream.ts';
import { isUnseen } from '../../../lib/text/hidden-characters.ts';
import { takesEmpty } from '../../../views/requests/takes-empty.ts';
import { isAskedInShell } from '../../../views/requests/asker.ts';
import type { Handlers } from './handlers.ts';
import { requireOffered } from './require-offered.ts';
import { requireSeen } from './require-seen.ts';

/** So much names a call in what is said of it, in characters. */
const NAME_LENGTH = 60;

type Deciding = 'answer' | 'rephrase' | 'reject' | 'dismiss' | 'approve' | 'deny' | 'explain' | 'reveal';

/** What a human says to questions and calls, and what they see of a call before. */
export function decideHandlers(serving: Serving): Pick<Handlers, Deciding> {
  const { project, env, processes } = serving;
  const { isAlive } = processes;

  const found = async (id: string): Promise<RequestState> => {
    const request = await knownRequest(project, id);
    if (!request) throw notFound(`question ${id}`);
    return request;
  };

  /** Closes a question, unless somebody was first. */
  const close = async (
    { params: { id } }: { readonly params: { readonly id: string } },
    caller: Caller,
    work: (request: RequestState, decider: Decider) => Promise<CloseOutcome>,
    textOf: (request: RequestState, told: string, hears: Hears) => string,
  ): Promise<Decided> => {
    const request = await found(id);
    const isParked = parkedFor(project.state, request) !== undefined;
    const waits = () => {
      const now = requestById(project.state, id);
      return now !== undefined && isAwaited(project.state.streams.get(now.stream), now, isAlive);
    };
    // Who waits may have taken the answer, and wait no more, when the log has it.
    const didWait = waits();
    const outcome = await work(request, deciderOf(caller, serving));
    if (!outcome.accepted) throw tooLate(outcome.request ?? request);
    const hears = { isParked, isAwaited: didWait || waits() };
    const hearer = isAskedInShell(request) ? 'whoever asked' : 'its agent';
    const later = request.stream === ADHOC_STREAM ? 'whoever asks the same again' : 'the next attempt';
    const told = hears.isParked || hears.isAwaited ? hearer : later;
    const mayAlways = isAlwaysTaken(caller, serving);
    const question = presentQuestion(outcome.request, project.state, {
      mayAlways,
      extras: {},
      root: project.root,
      isAlive,
    });
    return { text: textOf(outcome.request, told, hears), question };
  };

  return {
    answer: async (asked, caller) => {
      const { seen, response, answers, ...body } = asked.body;
      const request = await found(asked.params.id);
      if (
        response !== undefined &&
        isUnseen(response) &&
        request.phase === 'open' &&
        !takesEmpty(request.asked)
      )
        throw answersUnfit(request, 'the answer is empty');
      requireOffered(request, asked.body);
      if (response !== undefined && approvalVerdictOf({ response }) === 'approved')
        await requireSeen(project, request, seen, caller);
      return close(
        asked,
        caller,
        ({ id, asked: { approval, options = [] } }, { answerer, requireHuman }) => {
          const { option = optionWithText(options, response ?? '') } = body;
          if (approval) requireHuman(`approve ${id}`);
          return answerRequest(project, id, {
            ...answerer,
            ...(answers ? { answers } : { response, option }),
          });
        },
        (answered, told, { isAwaited: waits }) =>
          `Answered${wordsOf(answered)}: ${(waits && atPrompt(answered)) || `${told} is told`}`,
      );
    },
    rephrase: (asked, caller) =>
      close(
        asked,
        caller,
        ({ id, asked: { approval } }, { answerer, requireHuman }) => {
          if (approval) requireHuman(`ask about ${id}`);
          return answerRequest(project, id, { ...answerer, response: asked.body.reason, rephrase: true });
        },
        (_, told) => `Asked for other words: ${told} is told`,
      ),
    reject: (asked, caller) =>
      close(
        asked,
        caller,
        ({ id }, { answerer }) =>
          answerRequest(project, id, { ...answerer, response: asked.body.reason, rejected: true }),
        ({ asked: { kind } }, told) =>
          kind === 'prompt'
            ? 'Turned down: the attempt ends, and the next one is told why'
            : `Turned down: ${told} is told why`,
      ),
    dismiss: (asked, caller) =>
      close(
        asked,
        caller,
        ({ id }, { answerer }) => dismissRequest(project, id, { ...answerer, reason: asked.body.reason }),
        ({ asked: { kind, untypable } }, told) =>
          kind === 'prompt'
            ? `Dismissed: ${untypable ? 'nobody is told' : 'nothing is typed, the program waits on until its agent is ended'}`
            : `Dismissed: ${told} is told that there is no answer`,
      ),
    approve: async (asked, caller) => {
      const { seen, scope = 'once', edit } = asked.body;
      await requireSeen(project, await found(asked.params.id), seen, caller);
      return close(
        asked,
        caller,
        (request, { answerer, requireHuman }) => {
          const { id } = request;
          requireHuman(`approve ${id}`);
          if (scope === 'always' && !isAlwaysTaken(caller, serving)) throw alwaysRefused(id);
          if (edit === undefined) return approve(project, id, { ...answerer, scope });
          if (scope !== 'once') throw editedOnce(id);
          const { approval = { args: null } } = request.asked;
          const edited =
            'command' in edit
              ? withCommand(approval, edit.command)
              : withArguments(JSON.stringify(edit.args));
          const see = caller.isPrivate ? seeChanges : undefined;
          return editCall(project, request, { ...answerer, env, edited, see });
        },
        (allowed, _, hears) => {
          const { stream, answer, asked } = allowed;
          if (answer?.verdict === 'edited' && asked.approval)
            return `Allowed as changed: ${editOutcome(asked.approval, stream)}`;
          return allowedText(allowed, { scope: answer?.scope, ...hears });
        },
      );
    },
    deny: (asked, caller) =>
      close(
        asked,
        caller,
        ({ id }, { answerer }) => deny(project, id, { ...answerer, reason: asked.body.reason }),
        (_, told) => `Denied: ${told} is told`,
      ),
    explain: (asked, caller) =>
      close(
        asked,
        caller,
        ({ id }, { answerer, requireHuman }) => {
          requireHuman(`ask about ${id}`);
          return explainFirst(project, id, { ...answerer, question: asked.body.question });
        },
        ({ stream, asked: { approval } }) =>
          `Asked: ${approval ? explainOutcome(approval, stream) : 'it does not run for now'}`,
      ),
    reveal: async ({ params: { id } }, caller) => {
      const request = await found(id);
      deciderOf(caller, serving).requireHuman(`see what is hidden of ${id}`);
      if (!caller.isPrivate) throw notPrivate(id);
      const { approval } = request.asked;
      if (!approval || request.phase !== 'open') throw notFound(`waiting call ${id}`);
      // What is only masked is in the log.
      const isPart = isShownInPart(approval);
      const whole = isPart ? await wholeArguments({ id, asked: { approval } }) : { args: approval.args };
      const compared = whole ? (await comparedChanges(project, request, whole)).changes : [];
      const { args, changes } = presentRevealed(request, whole, { changes: compared, root: project.root });
      return {
        ...(args === undefined ? {} : { args }),
        changes: changes.map(({ lines, ...change }) => ({
          ...change,
          lines: lines.map((line) => ({ ...line })),
        })),
        ...(isPart ? {} : { edit: { ...editText(approval) } }),
      };
    },
  };
}

/** What was answered, in a few words; nothing of what was typed at a program's prompt. */
function wordsOf({ asked, answer }: RequestState): string {
  if (!answer || isTyped(asked, answer)) return '';
  return ` “${clip(visibleLine(shownWords(answerLine(answer))), NAME_LENGTH)}”`;
}

/** What an answer does at the prompt of a program that waits; `undefined`: it is none. */
function atPrompt({ asked: { kind, untypable } }: RequestState): string | undefined {
  if (kind !== 'prompt') return undefined;
  return untypable ? 'the attempt ends, and the next one is told' : 'it is typed into the program';
}

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

function alwaysRefused(id: string): Refusal {
  return new Refusal(403, {
    code: 'ALWAYS_REFUSED',
    message: `Cannot allow ${id} always: such a yes is not taken from another machine`,
    fix: 'Allow it once, or decide on the machine of the project; clifford serve --allow-always takes it from everywhere',
  });
}

function editedOnce(id: string): Refusal {
  return new Refusal(400, {
    code: 'SCOPE_IMPOSSIBLE',
    message: `Cannot allow ${id} as changed for more than once: it is another call than the agent makes`,
    fix: 'Leave the scope out',
  });
}

function notPrivate(id: string): Refusal {
  return new Refusal(403, {
    code: 'NOT_PRIVATE',
    message: `Cannot show what is hidden of ${id}: somebody on the way could read it`,
    fix: 'Look at it on the machine of the project, through a tunnel, or with TLS',
  });
}

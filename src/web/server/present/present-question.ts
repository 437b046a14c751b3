import type { ApprovalScope } from '../../../events/approval.ts';
import { answerLine } from '../../../events/form/answers-text.ts';
import { digestOf } from '../../../lib/digest.ts';
import { likenessOf } from '../../../gateway/permission/same-shape.ts';
import { possibleScopes } from '../../../machines/approval-scopes.ts';
import { parkedFor } from '../../../machines/parked.ts';
import type { Asked, ProjectState, RequestState } from '../../../machines/project-state.ts';
import { takesEmpty } from '../../../views/requests/takes-empty.ts';
import { secretIn } from '../../../views/requests/asks-secret.ts';
import { askerOf } from '../../../views/requests/asker.ts';
import { callCard, type CallCard, type Revealed } from '../../../views/calls/call-card.ts';
import type { CallChange } from '../../../views/calls/call-changes.ts';
import { isAwaited, type IsAlive } from '../../../views/sprints/gone-agent.ts';
import { maskSecrets } from '../../../views/calls/masked.ts';
import { readableAnswer } from '../../../views/requests/readable-answer.ts';
import { requestTitle } from '../../../views/requests/request-title.ts';
import { withinProject } from '../../../views/calls/within-project.ts';
import { shownAnswer, shownWords } from '../../../views/calls/shown-words.ts';
import { otherRisks, riskOf, riskText } from '../../../views/calls/risk.ts';
import { unclearText } from '../../../views/calls/unclear-files.ts';
import { closedBy, closingWordOf } from '../../../workflow/requests/outcome-text.ts';
import type { Extras } from '../call-extras.ts';
import type { Closing, QuestionHead, SentCall, SentChange, SentQuestion } from '../../api/question.ts';

/** What is asked: of a call what it is, with what looks secret in its arguments masked. */
export function shownQuestion(asked: Pick<Asked, 'kind' | 'question' | 'approval'>): string {
  return asked.approval === undefined ? asked.question : requestTitle(asked);
}

/**
 * A question in a list. `root`: of the project, whose files are named from there.
 *
 * @param isWaitedFor - An agent's call waits for its end. Default: as the log has it.
 * @param about - How far the files of its call are compared, and how often that has become something else.
 */
export function presentHead(
  { id, stream, taskId, asked, ...request }: RequestState,
  root: string,
  isWaitedFor = request.waiting.size > 0,
  { comparison, revision = 0 }: Pick<Extras, 'comparison' | 'revision'> = {},
): QuestionHead {
  const risk = riskOf(asked.approval);
  const others = otherRisks(asked.approval);
  const likeness = likenessOf(asked.approval);
  const task = taskId ?? asked.task;
  return {
    id,
    sprint: stream,
    ...(task === undefined ? {} : { task }),
    kind: asked.kind,
    asker: askerOf({ id, stream, asked, ...request }),
    risk,
    riskText: riskText({ risk, kind: asked.kind }),
    ...(others.length === 0 ? {} : { otherRisks: others }),
    askedAt: request.askedAt,
    title: requestTitle({ ...asked, folder: root }),
    ...(likeness === undefined ? {} : { alike: digestOf(likeness) }),
    isAwaited: request.phase === 'open' && isWaitedFor,
    ...(comparison === undefined ? {} : { comparison }),
    ...(revision === 0 ? {} : { revision }),
  };
}

/**
 * A question with all that is needed to answer it.
 *
 * @param mayAlways - Whether a yes that stands from now on is taken of whoever it is sent to.
 * @param extras - What there is to say of its call beside that.
 */
export function presentQuestion(
  request: RequestState,
  state: ProjectState,
  {
    mayAlways,
    extras,
    root,
    isAlive,
  }: {
    readonly mayAlways: boolean;
    readonly extras: Extras;
    readonly root: string;
    readonly isAlive: IsAlive;
  },
): SentQuestion {
  const { asked, stream, phase } = request;
  const { reason, context, approval, follows, options = [], questions, origin, awaitsKey } = asked;
  const secret = secretIn(asked);
  const earlier = follows === undefined ? undefined : state.streams.get(stream)?.requests.get(follows);
  const parkedSince = parkedFor(state, request);
  const isAllowed = (scope: ApprovalScope) => scope !== 'always' || mayAlways;
  return {
    ...presentHead(request, root, isAwaited(state.streams.get(stream), request, isAlive), extras),
    question: shownQuestion(asked),
    ...(reason === undefined ? {} : { reason }),
    ...(context === undefined ? {} : { context }),
    options: [...options],
    isMultiple: asked.multiple === true,
    ...(secret === undefined ? {} : { secret }),
    ...(awaitsKey === undefined ? {} : { awaitsKey }),
    ...(takesEmpty(asked) ? { takesEmpty: true } : {}),
    ...(questions === undefined ? {} : { questions: [...questions] }),
    phase,
    ...(parkedSince === undefined ? {} : { parkedSince }),
    ...(origin.runId === undefined ? {} : { askedBy: origin.runId }),
    ...(earlier?.answer === undefined ? {} : { earlierAnswer: shownAnswer(earlier.asked, earlier.answer) }),
    ...(approval === undefined
      ? {}
      : {
          call: presentCall(callCard(approval, undefined, { changes: extras.changes, folder: root }), root),
        }),
    ...presentExtras(extras),
    scopes: approval && phase === 'open' ? possibleScopes(state, request).filter(isAllowed) : [],
    ...(phase === 'open' ? {} : { closing: presentClosing(request) }),
  };
}

function presentExtras({ offer, command, seen }: Extras): Pick<SentQuestion, 'offer' | 'command' | 'seen'> {
  const { parts = [], writes = [], doubt } = command ?? {};
  return {
    ...(offer === undefined ? {} : { offer: [...offer] }),
    ...(seen === undefined ? {} : { seen }),
    ...(command === undefined
      ? {}
      : {
          command: {
            parts: parts.map(({ risks, ...part }) => ({ ...part, ...(risks && { risks: [...risks] }) })),
            writes: [...writes],
            ...(doubt === undefined ? {} : { doubt }),
          },
        }),
  };
}

/** How a question ended. */
export function presentClosing(request: RequestState): Closing {
  const { answer, dismissal } = request;
  if (answer) {
    const { option, verdict, scope, by, via, at, answers } = answer;
    const { asked } = request;
    const response = shownAnswer(asked, answer);
    const readable = shownAnswer(asked, { ...answer, response: readableAnswer(asked, answer) });
    return {
      did: closingWordOf(answer),
      response,
      ...(answers === undefined ? {} : { line: answerLine({ response: readable, answers }) }),
      ...(option === undefined ? {} : { option }),
      ...(verdict === undefined ? {} : { verdict }),
      ...(scope === undefined ? {} : { scope }),
      by,
      via,
      at,
      text: closedBy({ ...request, answer: { ...answer, response: readable } }),
    };
  }
  const { reason, by = 'clifford', via = 'log' } = dismissal ?? {};
  return {
    did: 'dismissed',
    ...(reason === undefined ? {} : { response: shownWords(reason) }),
    by,
    via,
    text: closedBy(request),
  };
}

/** The arguments of a call as they will run, with what they would make of files. */
export function presentRevealed(
  { asked: { approval } }: RequestState,
  revealed: Revealed | undefined,
  { changes, root }: { readonly changes: readonly CallChange[]; readonly root: string },
): { args?: Revealed['args']; changes: SentChange[] } {
  if (approval === undefined || revealed === undefined) return { changes: [] };
  return { args: revealed.args, changes: presentChanges(changes, root) };
}

function presentCall({ changes, args, unclear, ...card }: CallCard, root: string): SentCall {
  return {
    ...card,
    ...(unclear === undefined ? {} : { unclear: unclearText(unclear) }),
    args: maskSecrets(args),
    changes: presentChanges(changes, root),
  };
}

/** What a call would make of files, by their paths in the project. */
export function presentChanges(changes: readonly CallChange[], root: string): SentChange[] {
  return changes.map(({ path, leadsTo, how, lines, places, firstLine, over }) => ({
    path: withinProject(root, path),
    ...(leadsTo === undefined ? {} : { leadsTo }),
    how,
    lines,
    ...(places.length === 0 ? {} : { places }),
    ...(firstLine === undefined ? {} : { firstLine }),
    ...(over === undefined ? {} : { over }),
  }));
}

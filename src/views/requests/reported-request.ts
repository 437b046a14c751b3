import type { FormQuestion } from '../../events/form/form.ts';
import { formHeading } from '../../events/form/form-heading.ts';
import { filesInCall } from '../../events/call-files/files-in-call.ts';
import { clip } from '../../lib/text/clip.ts';
import { duration } from '../../lib/time/duration.ts';
import type { RequestState } from '../../machines/project-state.ts';
import type { Approval } from '../../events/approval.ts';
import { callChanges, type CallChange } from '../calls/call-changes.ts';
import { maskSecrets } from '../calls/masked.ts';
import { riskOf, riskText } from '../calls/risk.ts';
import { shownAnswer } from '../calls/shown-words.ts';
import { decidedParts, outcomeText } from '../events/decided-text.ts';
import type { Decision } from '../events/decisions.ts';
import { describeRequest } from './describe-request.ts';
import { readableAnswer } from './readable-answer.ts';
import { requestTitle } from './request-title.ts';

/** What was asked, and what became of it. Times are RFC 3339. */
export type ReportedRequest = {
  readonly id: string;
  readonly isCall: boolean;
  /** On one line. */
  readonly title: string;
  readonly task: string | undefined;
  readonly askedAt: string;
  /** All that was asked; absent: it is too much. */
  readonly whole?: WholeRequest | undefined;
  /** Absent: nobody has decided it. */
  readonly decided?: {
    readonly outcome: Decision['outcome'];
    readonly hasFailed?: Decision['hasFailed'];
    readonly said: string;
    readonly who: string;
    readonly via: string;
    readonly at: string;
  };
  readonly isOpen: boolean;
  /** Of a call: what a yes may lead to. */
  readonly risk?: string;
  /** How long it waited, in words; absent: it still does, or ended with nobody's word. */
  readonly waited?: string;
};

/** All of what was asked. Words of others are not escaped yet. */
export type WholeRequest = {
  /** A program asks: what it says is no Markdown. */
  readonly isProgram: boolean;
  /** In Markdown; empty: its title says it, or the titles of its form do. */
  readonly question: string;
  /** Of a call: what a human had asked about it, and what its agent has said since. */
  readonly explanation: Approval['explanation'];
  readonly reason: string | undefined;
  /** In Markdown. */
  readonly context: string | undefined;
  readonly options: readonly string[];
  /** The questions of a form. */
  readonly form: readonly FormQuestion[];
  readonly call: ReportedCall | undefined;
  /** The call that was allowed in its place. */
  readonly allowed: ReportedCall | undefined;
};

/** What a call was to do, without its secrets. */
export type ReportedCall = { readonly args: unknown; readonly changes: readonly CallChange[] };

/** So much of a text of somebody is in it, in UTF-16 units. */
const MOST_OF_TEXT = 20_000;
/** So much of what somebody has answered. */
const MOST_OF_ANSWER = 4_000;
/** So much of all that was asked is in it, in the same: whoever opens it has it drawn at once. */
const MOST_OF_ALL = 1_000_000;

/** Requests as a report shows them, with all of what was asked as far as that is not too much. */
export function reportRequests(
  requests: readonly RequestState[],
  decisions: readonly Decision[],
): readonly ReportedRequest[] {
  const decided = new Map(decisions.map((each) => [each.requestId, each]));
  let left = MOST_OF_ALL;
  return requests.map((request) => {
    const { whole, ...reported } = reportRequest(request, decided.get(request.id));
    const size = sizeOf(whole);
    if (size > left) return reported;
    left -= size;
    return { ...reported, whole };
  });
}

/** In UTF-16 units; infinite, where one text alone is too much. */
function sizeOf({
  call,
  allowed,
  explanation,
  question,
  reason,
  context,
  options,
  form,
}: WholeRequest): number {
  const all = [
    question,
    reason,
    context,
    ...options,
    ...form.flatMap(textsOf),
    ...[call?.args, allowed?.args, explanation].map((each) => JSON.stringify(each)),
  ];
  const sizes = all.map((text) => text?.length ?? 0);
  return sizes.some((size) => size > MOST_OF_TEXT) ? Infinity : sizes.reduce((sum, size) => sum + size, 0);
}

function textsOf({ title, question, options = [] }: FormQuestion): readonly (string | undefined)[] {
  return [title, question, ...options.flatMap(({ label, description }) => [label, description])];
}

function reportRequest(
  state: RequestState,
  decision: Decision | undefined,
): ReportedRequest & { readonly whole: WholeRequest } {
  const request = describeRequest(state);
  const { id, task, kind, question, reason, context, options, questions, approval, askedAt, phase, answer } =
    request;
  const title = requestTitle({ kind, question, ...(approval && { approval }) });
  const isSaid =
    approval || isTitle(question, title) || (questions !== undefined && question === formHeading(questions));
  return {
    id,
    isCall: approval !== undefined,
    title,
    task,
    askedAt,
    whole: {
      isProgram: kind === 'prompt',
      question: isSaid ? '' : question,
      explanation: approval?.explanation,
      reason,
      context,
      options: questions ? [] : options,
      form: questions ?? [],
      call: approval && reportCall(approval),
      allowed: answer?.edited && reportCall(answer.edited),
    },
    isOpen: phase === 'open',
    ...(approval && { risk: riskText({ risk: riskOf(approval), kind }) }),
    ...(decision && {
      decided: {
        said: saidTo(state, decision),
        who: decidedParts(decision).who,
        outcome: decision.outcome,
        ...(decision.hasFailed && { hasFailed: true }),
        via: decision.via,
        at: decision.at,
      },
      waited: duration(Math.max(0, Date.parse(decision.at) - Date.parse(askedAt))),
    }),
  };
}

/** Whether a question is one paragraph that its title has all of. */
function isTitle(question: string, title: string): boolean {
  const flat = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
  return flat(question) === flat(title) && !/\n\s*\n/.test(question.trim());
}

/** What was said to it, with its lines. */
function saidTo({ asked, answer }: RequestState, decision: Decision): string {
  const { outcome } = decision;
  if (outcome === 'edited') return outcomeText(decision);
  const said =
    outcome === 'answered' && answer
      ? shownAnswer(asked, { ...answer, response: readableAnswer(asked, answer) })
      : decidedParts(decision).said;
  return clip(said, MOST_OF_ANSWER);
}

function reportCall({ args }: Pick<Approval, 'args'>): ReportedCall {
  const shown = maskSecrets(args);
  return { args: shown, changes: callChanges(filesInCall(shown)) };
}

import { answerLine } from '../../events/form/answers-text.ts';
import type { ApprovalScope, ApprovalVerdict } from '../../events/approval.ts';
import type { RequestState, SprintState } from '../../machines/project-state.ts';
import { isHumansWord } from '../../machines/humans-word.ts';
import { requestTitle } from '../requests/request-title.ts';
import { isTyped } from '../../machines/typed-words.ts';
import type { FailedCalls } from '../calls/failed-calls.ts';
import { shownWords } from '../calls/shown-words.ts';

/** What somebody has decided about one request. `at` is RFC 3339. */
export type Decision = {
  readonly requestId: string;
  /** Absent: it was asked about the sprint. */
  readonly task?: string;
  /** What was asked, on one line, safe to print. */
  readonly asked: string;
  readonly outcome: ApprovalVerdict | 'answered' | 'rejected' | 'rephrased' | 'dismissed';
  /** The call that was allowed as it was changed has failed. */
  readonly hasFailed?: true;
  /** For how many calls a yes counts. */
  readonly scope?: ApprovalScope;
  /** In which words. Absent: it is a bare yes or no, or was typed at a prompt. */
  readonly response?: string;
  readonly by: string;
  readonly via: string;
  readonly at: string;
};

/**
 * All that was decided in a sprint, the oldest question first. What ended with its task, or by itself, was decided by nobody.
 *
 * @param failed - Whose calls have failed.
 */
export function decisionsOf(
  { requests }: Pick<SprintState, 'requests'>,
  failed: Pick<FailedCalls, 'has'>,
): Decision[] {
  return [...requests.values()]
    .filter(isHumansWord)
    .flatMap(decisionOf)
    .map((each) =>
      each.outcome === 'edited' && failed.has(each.requestId) ? { ...each, hasFailed: true } : each,
    );
}

function decisionOf({ id, taskId, asked, answer, dismissal }: RequestState): Decision[] {
  const task = taskId ?? asked.task;
  const about = { requestId: id, ...(task === undefined ? {} : { task }), asked: requestTitle(asked) };
  if (answer) {
    const { verdict, rejected, rephrase, scope, by, via, at } = answer;
    const isBare = verdict !== undefined && /^(?:yes|no)?$/i.test(answer.response.trim());
    const words = isBare || isTyped(asked, answer) ? undefined : shownWords(answerLine(answer));
    return [
      {
        ...about,
        outcome: verdict ?? (rephrase ? 'rephrased' : rejected ? 'rejected' : 'answered'),
        ...(scope === undefined ? {} : { scope }),
        ...(words === undefined ? {} : { response: words }),
        by,
        via,
        at,
      },
    ];
  }
  if (!dismissal) return [];
  const { by, via, reason, at } = dismissal;
  return [
    {
      ...about,
      outcome: 'dismissed',
      ...(reason === undefined ? {} : { response: shownWords(reason) }),
      by,
      via,
      at,
    },
  ];
}

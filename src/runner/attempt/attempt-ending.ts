import type { EndReason } from '../../events/end-reason.ts';
import type { Candidate } from '../../machines/legality.ts';
import type { AgentReport } from '../output/agent-report.ts';
import { failureReason, hasEndedWell, type EndedAttempt } from '../reconcile/exit-verdict.ts';
import type { Parkable } from '../plan/park-after.ts';
import type { Ending } from './attempt-course.ts';

/** What an attempt is, from its start to its end. */
export type AttemptTraits = {
  readonly runId: string;
  readonly taskId: string;
  /** `stream/task`. */
  readonly subject: string;
  /** It should connect to Clifford. */
  readonly connects: boolean;
  /** Exit code 0 says that its task is done. */
  readonly isDoneByExit: boolean;
  /** It goes on with a session, and should connect to Clifford. */
  readonly wasResumed: boolean;
  readonly parkable: Parkable;
};

/** An attempt whose agent is gone, or could not be started. */
type EndedParts = AttemptTraits & {
  readonly ending: Ending;
  /** Why this runner ended it, if it did, and in words. */
  readonly endReason: EndReason | undefined;
  readonly endDetail: string | undefined;
  /** The runner saw that its task was completed. */
  readonly hasCompleted: boolean;
  readonly report: AgentReport;
  /** The end of its stderr. */
  readonly lastWords: string;
};

/** The fact that an attempt has ended, for the log, and what the verdict has to know of it. */
export function attemptEnding(parts: EndedParts): {
  readonly fact: Candidate;
  readonly attempt: EndedAttempt;
} {
  const { runId, taskId, subject, ending, report } = parts;
  if ('problem' in ending) {
    const reason = `the agent could not be started: ${ending.problem}`;
    return {
      fact: { type: 'agent.lost', subject, data: { runId, reason } },
      attempt: { runId, taskId, endReason: undefined, wasResumed: false, reason },
    };
  }
  const { exit } = ending;
  // Refused more, it gave up by itself.
  const gaveUp = report.limit !== undefined && !parts.hasCompleted;
  const isItsOwn = parts.endReason === undefined || parts.endReason === 'turned';
  const endReason = isItsOwn && gaveUp ? 'limited' : parts.endReason;
  const seen = { endReason, detail: parts.endDetail, report, lastWords: parts.lastWords };
  const reason = failureReason(exit, seen);
  // Where what it reported last went wrong, a code of 0 says no more than that it could end.
  const hasEndedAsDone = hasEndedWell(exit, endReason) && report.error === undefined;
  const says = endReason !== undefined && !['finished', 'stopped', 'turned', 'parked'].includes(endReason);
  const why = endReason === undefined ? {} : { reason: endReason, ...(says ? { detail: reason } : {}) };
  return {
    fact: { type: 'agent.exited', subject, data: { runId, ...exit, ...why } },
    attempt: {
      runId,
      taskId,
      endReason,
      wasResumed: parts.wasResumed,
      isDone: parts.isDoneByExit && hasEndedAsDone,
      isWordless: !parts.connects && hasEndedAsDone,
      isHopeless: report.error?.class === 'auth',
      reason,
      reasonIfUnconnected: parts.connects ? failureReason(exit, { ...seen, isUnconnected: true }) : undefined,
    },
  };
}

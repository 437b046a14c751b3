import type { EventData } from '../events/catalog.ts';
import type { PlannedTask } from '../events/descriptors/sprint-events.ts';
import type { Verdict } from '../events/verdict.ts';
import { taskKind, type TaskInstance } from './kinds.ts';
import type { FailureTold } from './told.ts';
import type { Unfit } from './unfit.ts';
import { noUsage, type SessionTokens, type Usage } from './usage.ts';
import type { WorktreeState } from './worktree-state.ts';

/** The last agent process that was started on a task, and what became of it. Times are RFC 3339. */
export type AgentRun = EventData<'agent.started'> & {
  readonly startedAt: string;
  /** When its MCP client introduced itself. */
  readonly connectedAt?: string | undefined;
  /** Set once it has ended. */
  readonly end?: EventData<'agent.exited'> | EventData<'agent.lost'> | undefined;
  readonly endedAt?: string | undefined;
  /** When it was parked: its process is ended until a human has answered. */
  readonly parkedAt?: string | undefined;
};

/** A session of an agent CLI that a later run can go on with. */
export type AgentSession = {
  readonly runId: string;
  readonly adapter: string;
  readonly agent?: string | undefined;
  readonly sessionId: string;
  /** What its runs reported, all together. */
  readonly used: SessionTokens;
};

/** How a command of `verify` ended before the work on a task began. */
export type BaselineEntry = { readonly command: string; readonly code: number | null };

/** How a command of `verify` ended last after the work on a task, and what that says about the work. */
export type CheckEntry = BaselineEntry & { readonly verdict?: Verdict | undefined };

/** What became of the commit of a task. */
export type CommitOutcome = EventData<'task.committed'> | EventData<'task.uncommitted'>;

/**
 * A task that the worker of its sprint lets others take. `open`: nobody has it; `ended`: it is the sprint's worker's again; `settled`: what
 * was made of it is merged, given up, or gone on with here. `losses`: how many workers in a row were lost with it. `at` is RFC
 * 3339, of the last change.
 */
export type TaskOffer = Pick<EventData<'offer.made'>, 'base' | 'needs'> & {
  readonly phase: 'open' | 'taken' | 'ended' | 'settled';
  readonly at: string;
  readonly losses: number;
  /** The last one that took it, unless it was returned, and where that one pushes commits. */
  readonly worker?: string | undefined;
  readonly branch?: string | undefined;
  /** The number that its variables have where a worker has it. */
  readonly slot?: number | undefined;
  /** Of whom the last one that took it had it. */
  readonly after?: EventData<'offer.taken'>['after'];
  /** The commit with its changes. */
  readonly sha?: string | undefined;
  readonly unfit?: Unfit | undefined;
  /** Why there is no worktree in which its changes could be merged, and who is asked about that. */
  readonly stuck?: WorktreeState['stuck'];
};

/** Who skipped or cancelled a task, or cancelled a sprint, and why, if they said so. */
export type SetAside = { readonly by: string; readonly reason?: string | undefined };

/** What an agent reported of a finished task. `at` is RFC 3339. */
export type UatReport = EventData<'uat.reported'> & { readonly at: string };

/** What a human told the agent of a task unasked. Times are RFC 3339. */
export type TaskNote = Omit<EventData<'note.sent'>, 'noteId'> & {
  readonly id: string;
  readonly at: string;
  /** The agent (run or session id) that is being told, and by what. */
  readonly taken?: (Pick<EventData<'note.taken'>, 'way'> & { readonly by: string }) | undefined;
  /** The agent that has it. */
  readonly delivered?:
    | (Pick<EventData<'note.delivered'>, 'to' | 'way'> & { readonly at: string })
    | undefined;
};

export type TaskState = {
  readonly id: string;
  readonly file: string;
  readonly dependsOn: readonly string[];
  readonly machine: TaskInstance;
  agent?: AgentRun | undefined;
  /** The last run whose MCP client introduced itself, and when. The log may say so before it has its start. */
  connection?: { readonly runId: string; readonly at: string } | undefined;
  /** When the next attempt may start after one that failed, RFC 3339. */
  retryAt?: string | undefined;
  /** Why it failed or was retried last. */
  lastFailure?: string | undefined;
  /** When it failed last, for good, RFC 3339. */
  failedAt?: string | undefined;
  /** It failed with attempts left: who said so; nobody: its runner, as another attempt would find the same. Replaced when it changes. */
  gaveUp?: Pick<EventData<'task.failed'>, 'by' | 'runId'> | undefined;
  /** The last attempt whose failure each channel has told humans of. Replaced when it changes. */
  failuresTold?: readonly FailureTold[] | undefined;
  /** When its last attempt began, RFC 3339, if no runner has started that. */
  byHandSince?: string | undefined;
  /** While it is skipped or cancelled, other than with its sprint. */
  setAside?: SetAside | undefined;
  /** Time spent waiting for a human, in ms, without the wait that is going on. */
  waitedMs: number;
  /** Since when it is blocked, RFC 3339. */
  blockedSince?: string | undefined;
  /** Time that agents worked on it and waited for no human, in ms, without what is going on since `workingSince`, RFC 3339. */
  workedMs: number;
  workingSince?: string | undefined;
  /** The latest report for its user acceptance test. */
  uat?: UatReport | undefined;
  /** The last session that each agent opened for it. */
  sessions: readonly AgentSession[];
  /** What its agents used, all attempts together. */
  usage: Usage;
  /** Of what verifies the work of its last attempt. `undefined`: what the configuration says when it is done. */
  checksDigest?: string | undefined;
  /** Exit code 0 of the agent of its last attempt says that it is done. */
  isDoneByExit: boolean;
  /** Empty: its commands were not run before the work began. */
  baseline: readonly BaselineEntry[];
  /** Empty: its commands were not run after the work. */
  checks: readonly CheckEntry[];
  commit?: CommitOutcome | undefined;
  /** What was made of it is gone, and nobody has begun it anew yet. */
  isLost?: true | undefined;
  /** Replaced when it changes. */
  worktree?: WorktreeState | undefined;
  /** It had a worktree: its next attempt gets one again. */
  isApart?: true | undefined;
  /** What of its work git keeps by references of its own, oldest first. Replaced when it changes. */
  kept?: readonly EventData<'worktree.kept'>[] | undefined;
  /** Replaced when it changes. */
  offer?: TaskOffer | undefined;
  /** How often workers took it, of whatever offer: each has a branch of its own. */
  takes?: number | undefined;
  /** Oldest first. Replaced when it changes. */
  notes: readonly TaskNote[];
  /** How often its agents did something without asking. */
  unasked?: number | undefined;
  /** Which of them did, by the names that rules have for them. */
  unaskedBy?: readonly string[] | undefined;
};

export function createTaskState({ id, file, dependsOn = [] }: PlannedTask): TaskState {
  return {
    id,
    file,
    dependsOn,
    machine: taskKind.create(),
    waitedMs: 0,
    workedMs: 0,
    sessions: [],
    usage: noUsage,
    isDoneByExit: false,
    baseline: [],
    checks: [],
    notes: [],
  };
}

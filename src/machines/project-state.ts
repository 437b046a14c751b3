import type { Unfit } from './unfit.ts';
import type { EventData } from '../events/catalog.ts';
import type { PlannedTask, RunOptions } from '../events/descriptors/sprint-events.ts';
import type { Verdict } from '../events/verdict.ts';
import type { RecordedRule, Pins } from './policy-state.ts';
import { sprintKind, taskKind, type RequestPhase, type SprintInstance, type TaskInstance } from './kinds.ts';
import { Streams } from './streams.ts';
import type { WorktreeState } from './worktree-state.ts';
import type { FailureTold, NoticeSent } from './told.ts';
import { noUsage, type SessionTokens, type Usage } from './usage.ts';

/** A human's answer, and who gave it. `at` is RFC 3339. */
export type RecordedAnswer = Omit<EventData<'help.answered'>, 'requestId'> & { readonly at: string };

/** The end of a request that nobody answered: dismissed by hand, or because its task ended. `at` is RFC 3339. */
export type Dismissal = Omit<EventData<'help.dismissed'>, 'requestId'> & { readonly at: string };

/** What was asked: `help.requested`, or `task.blocked` read as a question. */
export type Asked = Omit<EventData<'help.requested'>, 'requestId'>;

export type RequestState = {
  readonly id: string;
  readonly stream: string;
  /** The task it blocks; `undefined`: it belongs to the sprint, or to nobody. */
  readonly taskId?: string | undefined;
  readonly asked: Asked;
  readonly askedAt: string;
  phase: RequestPhase;
  answer?: RecordedAnswer | undefined;
  dismissal?: Dismissal | undefined;
  /** The one tool call that was allowed by it. */
  usedBy?: string | undefined;
  /** Its task or sprint has ended, or the task was reset, since it was approved: no call can use the yes any more. */
  hasLapsed?: true | undefined;
  /** Agents (run or session ids) that got the answer. */
  deliveredTo: readonly string[];
  /** Agents whose call waits for its end, as far as the log can tell. */
  waiting: ReadonlySet<string>;
  /** Agents whose call ended without an answer. */
  detached: readonly string[];
  /** The calls to humans about it, oldest first. */
  told?: readonly NoticeSent[] | undefined;
};

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

/** The last time the provider of an agent's model refused more, and in how many runs in a row. `at` is RFC 3339. */
export type UsageLimit = EventData<'agent.limited'> & {
  /** Its name in the configuration. */
  readonly agent: string;
  readonly at: string;
  readonly times: number;
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
  /** The commit with its changes. */
  readonly sha?: string | undefined;
  readonly unfit?: Unfit | undefined;
};

/** Who skipped or cancelled a task, or cancelled a sprint, and why, if they said so. */
export type SetAside = { readonly by: string; readonly reason?: string | undefined };

/** What an agent reported of a finished task. `at` is RFC 3339. */
export type UatReport = EventData<'uat.reported'> & { readonly at: string };

/** What a sprint has in the changelog, and the name it has there. */
export type ChangelogPart = { readonly name?: string | undefined; readonly entries: readonly string[] };

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

/** An agent that did something without asking, by the name that rules have for it, and when it did last, RFC 3339. */
export type UnaskedBy = { readonly agent: string; readonly at: string };

/** Why a runner left a sprint that is not over. `at` is RFC 3339. */
export type RunnerLeft = { readonly reason: string; readonly at: string };

/**
 * Who took a sprint from the queue, and how many before did so one after the other without another word, with no task completed
 * meanwhile: they are lost. `at` is RFC 3339.
 */
export type HeldSprint = { readonly worker: string; readonly at: string; readonly losses: number };

/** The worker that took it out of the queue, and why. */
export type LeftQueue = EventData<'job.ended'> & { readonly at: string };

/** What the tasks of a sprint add up to. */
export type Tally = Record<'pending' | 'active' | 'blocked' | 'failed' | 'ended', number>;

/**
 * Which request was the last that is about a call, by what makes it the same call. It follows from the requests: an agent
 * that asks finds its call without anybody looking through all that were asked before.
 */
export type AskedCalls = Map<string, string>;

/** One stream: a sprint, or `adhoc`. */
export type SprintState = {
  readonly id: string;
  name: string;
  /** Path of manifest.json relative to the project root; `undefined` while nothing created it. */
  manifest?: string | undefined;
  readonly machine: SprintInstance;
  readonly tasks: Map<string, TaskState>;
  readonly requests: Map<string, RequestState>;
  readonly askedCalls: AskedCalls;
  readonly tally: Tally;
  /** Who took it up last, with which options, and why that runner left, if it said so. Times are RFC 3339. */
  runner?:
    | {
        readonly name: string;
        readonly options?: RunOptions | undefined;
        readonly left?: RunnerLeft | undefined;
      }
    | undefined;
  /** The worker that has it, if one does. Replaced when it changes. */
  job?: HeldSprint | undefined;
  /** Why it left the queue before its run was over, until a worker has it again. */
  leftQueue?: LeftQueue | undefined;
  /** How many workers in a row were lost with it before one could not get the files, and nobody has it. */
  lossesBefore?: number | undefined;
  /** A worker had it, and none has said since that all that was made of it is pushed; nor was it ended by somebody else. */
  isUnpushed?: true | undefined;
  unfit?: Unfit | undefined;
  /** Version of its newest event. */
  version: number;
  lastEventAt?: string | undefined;
  /** Why it failed last. */
  lastFailure?: string | undefined;
  /** When it ended last, RFC 3339. */
  endedAt?: string | undefined;
  /** The last calls to humans about itself, one for each channel and kind. Replaced when it changes. */
  told?: readonly NoticeSent[] | undefined;
  /** Once it is cancelled. */
  setAside?: SetAside | undefined;
  toolCalls: number;
  changelog?: ChangelogPart | undefined;
  /** What the agents of all its tasks used. */
  usage: Usage;
  /** Agents that worked on none of its tasks, as those in editors. Replaced when it changes. */
  unaskedBy?: readonly UnaskedBy[] | undefined;
};

/** What the agents of all sprints used on one day, UTC: the day of the latest `agent.usage`. */
export type Spending = { readonly day: string; readonly usage: Usage };

/** Everything the log says, folded. Changed in place by the fold, by nobody else. */
export type ProjectState = {
  readonly streams: Streams<SprintState>;
  spending: Spending;
  /** Of each agent that was refused more, in whatever sprint, and got nothing more since. Replaced when it changes. */
  limits: readonly UsageLimit[];
  /** What humans allowed for more than one call, in whatever sprint, oldest first. Replaced when it changes. */
  policyRules: readonly RecordedRule[];
  /** The known definitions of tools. Replaced when it changes. */
  pins: Pins;
};

export function createProjectState({
  spending = { day: '', usage: noUsage },
  limits = [],
  policyRules = [],
  pins = new Map(),
}: Partial<Omit<ProjectState, 'streams'>> = {}): ProjectState {
  return { streams: new Streams<SprintState>(), spending, limits, policyRules, pins };
}

export function createSprintState(id: string): SprintState {
  return {
    id,
    name: id,
    machine: sprintKind.create(),
    tasks: new Map(),
    requests: new Map(),
    askedCalls: new Map(),
    tally: { pending: 0, active: 0, blocked: 0, failed: 0, ended: 0 },
    version: 0,
    toolCalls: 0,
    usage: noUsage,
  };
}

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

import type { EventData } from '../events/catalog.ts';
import type { RunOptions } from '../events/descriptors/sprint-events.ts';
import { sprintKind, type RequestPhase, type SprintInstance } from './kinds.ts';
import type { RecordedRule, Pins } from './policy-state.ts';
import { Streams } from './streams.ts';
import type { SetAside, TaskState } from './task-state.ts';
import type { NoticeSent } from './told.ts';
import type { Unfit } from './unfit.ts';
import { noUsage, type Usage } from './usage.ts';

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
  /**
   * What was said to it holds no more: a yes to a call once its task or sprint has ended, or the task was reset; a no that its agent has
   * heard once the task was reset.
   */
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

/** The last time the provider of an agent's model refused more, and in how many runs in a row. `at` is RFC 3339. */
export type UsageLimit = EventData<'agent.limited'> & {
  /** Its name in the configuration. */
  readonly agent: string;
  readonly at: string;
  readonly times: number;
};

/** What a sprint has in the changelog, and the name it has there. */
export type ChangelogPart = { readonly name?: string | undefined; readonly entries: readonly string[] };

/** An agent that did something without asking, by the name that rules have for it, and when it did last, RFC 3339. */
export type UnaskedBy = { readonly agent: string; readonly at: string };

/** Why a runner left a sprint that is not over. `at` is RFC 3339. */
export type RunnerLeft = { readonly reason: string; readonly at: string };

/**
 * Who took a sprint from the queue, and how many before did so one after the other without another word, with no task completed
 * meanwhile: they are lost. `at` is RFC 3339.
 */
export type HeldSprint = EventData<'job.taken'> & { readonly at: string; readonly losses: number };

/** How it left the queue before its run was over: a worker could not go on with it, or a human took it out. `at` is RFC 3339. */
export type LeftQueue = (
  | EventData<'job.ended'>
  | (EventData<'job.cancelled'> & { readonly outcome: 'cancelled' })
) & {
  readonly at: string;
};

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
        /** Where machines share the log, and no worker runs it: noted in the folder that has it. Until it is over. */
        readonly run?: string | undefined;
        readonly options?: RunOptions | undefined;
        readonly left?: RunnerLeft | undefined;
      }
    | undefined;
  /** The worker that has it, if one does. Replaced when it changes. */
  job?: HeldSprint | undefined;
  /** It waits in the queue for a worker since then, RFC 3339. */
  queuedAt?: string | undefined;
  /** How it left the queue before its run was over, until it is in it again. */
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

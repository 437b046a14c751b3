import type { EndReason } from '../../events/end-reason.ts';
import type { SprintState, Spending, UsageLimit } from '../../machines/project-state.ts';
import type { Config } from '../../workflow/config/config-schema.ts';
import type { AgentReport } from '../output/agent-report.ts';
import type { RunEnd } from '../sprint/run-end.ts';
import type { AttemptLimits, Watch } from '../attempt/watch.ts';
import type { LongWait } from '../attempt/long-wait.ts';
import type { Parkable, ParkRules } from '../plan/park-after.ts';
import type { Share, ShareRules } from './share-rules.ts';

/** Who may work on a task, by name; `undefined`: a bare command line, or nobody. */
export type TaskAgents = { readonly main: string | undefined; readonly fallback: string | undefined };

/** One agent process of this runner, as far as decisions need to know it. */
export type RunView = {
  readonly runId: string;
  readonly taskId: string;
  /** `ended`: it exited and its output was read; the log does not say so yet. */
  readonly phase: 'working' | 'stopping' | 'ended';
  /** When the runner saw that the agent had completed its task, ms since the epoch. */
  readonly completedAt: number | undefined;
  /** The agent said something that the log does not have yet. */
  readonly hasFacts: boolean;
  /** It should connect to Clifford. */
  readonly connects: boolean;
  /** What it said of itself. */
  readonly report: AgentReport;
  /** A tool call of it is open, one of Clifford's or of its own. */
  readonly usesTool: boolean;
  /** How many calls of it have not returned that the log has. */
  readonly openCalls: number;
  readonly watch: Watch;
  readonly parkable: Parkable;
  /** It takes a further word now, in the middle of its turn. */
  readonly isSteerable: boolean;
  /** It does nothing but wait for a human, and may not do so for as long as it takes. */
  readonly wait?: LongWait | undefined;
  /** The prompt it waits at. */
  readonly prompt?: PromptView;
};

/** A prompt in the output of an agent, as far as decisions need to know it. */
export type PromptView = {
  /** The request it has become. */
  readonly requestId: string | undefined;
  /** The agent printed on, without an answer. */
  readonly hasGoneOn: boolean;
  /** An answer can be typed into the agent. */
  readonly isTypable: boolean;
  /** It may be none, and the agent one that is unresponsive. */
  readonly isGuess?: true | undefined;
};

/**
 * Work for a task that no agent does: what comes before its first attempt, what verifies that it is done, its commit, or,
 * where it has a worktree, that its changes are merged and its worktree is removed; or that other workers may take it.
 */
export type JobView = {
  readonly jobId: string;
  readonly kind: 'preparation' | 'verification' | 'commit' | 'merge' | 'removal' | 'offer';
  readonly taskId: string;
  /** `ended`: nothing of it is left; the runner has not taken note of that yet. */
  readonly phase: 'working' | 'stopping' | 'ended';
  /** It has something to say that the log does not have yet. */
  readonly hasFacts: boolean;
};

/** Everything the next actions depend on: what the log says, what runs, and what the clock says. */
export type RunnerView = {
  /** The sprint as folded from the log; `undefined` before its folder entered the log. */
  readonly sprint: SprintState | undefined;
  /** Tasks of it that are left to other workers, and not in `sprint`. */
  readonly share?: Share | undefined;
  /** From when on more of them may be, ms since the epoch. */
  readonly sharesFrom?: number | undefined;
  readonly runs: readonly RunView[];
  readonly jobs: readonly JobView[];
  /** Tasks that were prepared for their first attempt, or the first since a reset. */
  readonly prepared: ReadonlySet<string>;
  /** Tasks whose changes may have to become a commit once they are completed. */
  readonly toCommit: ReadonlySet<string>;
  /** Tasks whose worktrees cannot be removed, as was told. */
  readonly kept: ReadonlySet<string>;
  /** Tasks that wait out a delay before their next attempt, and until when, ms since the epoch. */
  readonly retryAt: ReadonlyMap<string, number>;
  /** What this runner has done since it began: its manifest read, its predecessor's agents ended, the sprint started. */
  readonly entered: boolean;
  readonly recovered: boolean;
  readonly takenUp: boolean;
  /** Why the runner was told to stop. */
  readonly stopReason: string | undefined;
  /** Why the runner was told to begin nothing new, and to leave when what is under way has ended. */
  readonly drainReason?: string | undefined;
  /** ms since the epoch. */
  readonly now: number;
  /** What was used today, or on the last day on which anything was. */
  readonly spending: Spending;
  /** What agents were refused, in whatever sprint, without what this runner need not wait for. */
  readonly limits: readonly UsageLimit[];
  readonly policy: RunPolicy;
};

/**
 * How tasks that are under way at once are kept apart: each in a worktree of its own; by the files that they say they
 * change; or not at all, as one after the other.
 */
export type Isolation = 'worktrees' | 'paths' | 'none';

export type RunPolicy = {
  /** False: end when only a human, or the end of a usage limit, lets it go on. */
  readonly wait: boolean;
  /** Tasks that may be under way at once. */
  readonly concurrency: number;
  readonly isolation: Isolation;
  /** What tasks say they change, by task id. */
  readonly paths: ReadonlyMap<string, readonly string[]>;
  /** Whether tasks that failed before this run stay failed while others go on: it continues a run, and is no new try. */
  readonly keepsFailed?: boolean;
  /** How its tasks are shared with other workers; `undefined`: they are not. */
  readonly share?: ShareRules | undefined;
  /** Whether a failed task keeps others from being started. */
  readonly failFast: boolean;
  /** Whether what an agent leaves is checked or committed, so that no other may change files meanwhile. */
  readonly areFilesJudged: boolean;
  readonly limits: AttemptLimits;
  readonly budget: Config['budget'];
  readonly parking: ParkRules;
  /** By task id. */
  readonly agents: ReadonlyMap<string, TaskAgents>;
};

/** What a runner waits for when there is nothing to do. Any event of the log wakes it, too. */
export type WaitingFor = 'agent' | 'job' | 'human' | 'retry' | 'limit' | 'resume' | 'worker';

/** The next thing to do. */
export type Action =
  | { readonly do: 'enter-sprint' }
  | { readonly do: 'end-orphans' }
  | { readonly do: 'reset-tasks'; readonly taskIds: readonly string[] }
  | { readonly do: 'start-sprint' }
  /** `isFallback`: by the agent that goes on while the usage limit of the other one lasts. */
  | { readonly do: 'start-attempt'; readonly taskId: string; readonly isFallback?: true }
  | { readonly do: 'record-stall'; readonly runId: string; readonly idleMs: number }
  /** `detail`: the reason in words. */
  | {
      readonly do: 'stop-agent';
      readonly runId: string;
      readonly reason: EndReason;
      readonly detail?: string;
    }
  | { readonly do: 'park-agent'; readonly runId: string }
  | { readonly do: 'steer-agent'; readonly runId: string }
  | { readonly do: 'ask-prompt' | 'type-answer' | 'end-prompt'; readonly runId: string }
  | { readonly do: 'record-facts'; readonly runId: string }
  | { readonly do: 'record-exit'; readonly runId: string }
  | { readonly do: 'prepare-task'; readonly taskId: string }
  | { readonly do: 'start-verification'; readonly taskId: string }
  | { readonly do: 'start-commit'; readonly taskId: string }
  | { readonly do: 'start-merge' | 'settle-merge' | 'start-removal'; readonly taskId: string }
  | { readonly do: 'offer-task' | 'withdraw-offer'; readonly taskId: string }
  | { readonly do: 'stop-job'; readonly jobId: string }
  | { readonly do: 'record-job'; readonly jobId: string }
  | { readonly do: 'complete-sprint' }
  | { readonly do: 'fail-sprint'; readonly reason: string }
  | { readonly do: 'wait'; readonly for: Exclude<WaitingFor, 'limit'>; readonly until?: number }
  /** `why`: for people. */
  | {
      readonly do: 'wait';
      readonly for: 'limit';
      readonly taskId: string;
      readonly until: number;
      readonly why: string;
    }
  | { readonly do: 'end'; readonly end: RunEnd };

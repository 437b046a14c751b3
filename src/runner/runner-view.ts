import type { EndReason } from '../events/agent-events.ts';
import type { SprintState } from '../machines/project-state.ts';
import type { RunEnd } from './run-end.ts';

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
};

/** Everything the next actions depend on: what the log says, what runs, and what the clock says. */
export type RunnerView = {
  /** The sprint as folded from the log; `undefined` before its folder entered the log. */
  readonly sprint: SprintState | undefined;
  readonly runs: readonly RunView[];
  /** Tasks that wait out a delay before their next attempt, and until when, ms since the epoch. */
  readonly retryAt: ReadonlyMap<string, number>;
  /** What this runner has done since it began: its manifest read, its predecessor's agents ended, the sprint started. */
  readonly entered: boolean;
  readonly recovered: boolean;
  readonly takenUp: boolean;
  /** Why the runner was told to stop. */
  readonly stopReason: string | undefined;
  /** ms since the epoch. */
  readonly now: number;
  readonly policy: RunPolicy;
};

export type RunPolicy = {
  /** False: end as blocked when only a human can go on. */
  readonly wait: boolean;
  /** Tasks that may be under way at once. */
  readonly concurrency: number;
  /** How long an agent may go on after it completed its task. */
  readonly completionGraceMs: number;
};

/** What a runner waits for when there is nothing to do. Any event of the log wakes it, too. */
export type WaitingFor = 'agent' | 'human' | 'retry' | 'resume';

/** The next thing to do. */
export type Action =
  | { readonly do: 'enter-sprint' }
  | { readonly do: 'end-orphans' }
  | { readonly do: 'reset-tasks'; readonly taskIds: readonly string[] }
  | { readonly do: 'start-sprint' }
  | { readonly do: 'start-attempt'; readonly taskId: string }
  | { readonly do: 'stop-agent'; readonly runId: string; readonly reason: EndReason }
  | { readonly do: 'record-facts'; readonly runId: string }
  | { readonly do: 'record-exit'; readonly runId: string }
  | { readonly do: 'complete-sprint' }
  | { readonly do: 'fail-sprint'; readonly reason: string }
  | { readonly do: 'wait'; readonly for: WaitingFor; readonly until?: number }
  | { readonly do: 'end'; readonly end: RunEnd };

import { addSignal, silentReport, type AgentReport } from '../output/agent-report.ts';
import type { AgentSignal } from '../agents/output/agent-signal.ts';
import { sampleGroup } from '../../lib/processes/group-sample.ts';
import type { RunView } from '../reconcile/runner-view.ts';
import { lookAtWait, type LongWait } from './long-wait.ts';
import { isSampleDue, look, startWatch, type AttemptLimits, type Sight, type Watch } from './watch.ts';

/** What a signal changes. */
export type SignalNews = {
  /** It was said before. */
  readonly isRepeated: boolean;
  /** It cannot wait for the next look. */
  readonly isUrgent: boolean;
  /** The agent was refused more, and works on all the same. */
  readonly hasContinued: boolean;
};

/** What the runner sees of an agent. `parkMs`: how long it may do nothing but wait for a human; 0: it does not, or may. */
export type Seen = Pick<Sight, 'now' | 'awaitsHuman' | 'isConnected'> & { readonly parkMs: number };

/** What is known of an agent at work: what it said of itself, when it was heard, and for how long it was not. */
export class VitalSigns {
  #report: AgentReport = silentReport;
  #watch: Watch = startWatch(Date.now());
  /** `undefined`: it does not wait for a human, or may wait for as long as it takes. */
  #wait: LongWait | undefined;
  /** When it printed or called a tool of Clifford's last, ms since the epoch. */
  #heardAt = Date.now();
  /** When it did something last, ms since the epoch. Some print that they wait, again and again: that is not to do something. */
  #actedAt = Date.now();
  /** Calls of Clifford's tools that have not returned. */
  readonly #calls = new Set<string>();

  /** What it said of itself. */
  get report(): AgentReport {
    return this.#report;
  }

  /** The part of a run that supervision decides by. */
  view(): Pick<RunView, 'report' | 'usesTool' | 'openCalls' | 'watch' | 'wait'> {
    const openCalls = this.#calls.size;
    const usesTool = openCalls > 0 || this.#report.openTools.length > 0;
    return { report: this.#report, usesTool, openCalls, watch: this.#watch, wait: this.#wait };
  }

  /** Looks at its process group. Cheap: at its processes only now and then. */
  look(group: number, { parkMs, ...seen }: Seen, limits: AttemptLimits): void {
    const { report, usesTool } = this.view();
    // The clock was set back: what lies ahead of it would count as heard until it is there.
    this.#heardAt = Math.min(this.#heardAt, seen.now);
    const sight = {
      ...seen,
      isTurnOver: report.isTurnOver,
      isLimited: report.limit !== undefined,
      usesTool,
      heardAt: this.#heardAt,
    };
    const sample = isSampleDue(this.#watch, sight, limits) ? sampleGroup(group) : undefined;
    this.#watch = look(this.#watch, { ...sight, sample }, limits);
    const { now } = seen;
    const wait = { now, actedAt: Math.min(this.#actedAt, now), limitMs: parkMs };
    this.#wait = parkMs > 0 ? lookAtWait(this.#wait, wait, () => sampleGroup(group)) : undefined;
  }

  /** It printed something. `isPlain`: there are no signals in what it prints. */
  noteOutput({ isPlain }: { isPlain: boolean }): void {
    this.#heardAt = Date.now();
    if (isPlain) this.#actedAt = this.#heardAt;
  }

  /** Takes note of what it says. Returns what that changes. */
  noteSignal(signal: AgentSignal): SignalNews {
    const before = this.#report;
    const now = addSignal(before, signal);
    if (isDeed(signal)) this.#actedAt = Date.now();
    this.#report = now;
    return {
      isRepeated: isRepeated(before, signal),
      isUrgent: isUrgent(before, now),
      hasContinued: before.limit !== undefined && now.limit === undefined,
    };
  }

  /** The log has an event of this run: it began a call of one of Clifford's tools, or did something else. */
  noteEvent(callId?: string): void {
    this.#heardAt = Date.now();
    this.#actedAt = this.#heardAt;
    if (callId !== undefined) this.#calls.add(callId);
  }

  /** A call of one of Clifford's tools has ended; it may be another run's. */
  noteReturn(callId: string): void {
    if (this.#calls.delete(callId)) this.#heardAt = Date.now();
  }
}

/** Differences in the end of a usage limit that mean nothing, in ms. */
const RESET_TOLERANCE_MS = 60_000;

function isDeed({ is }: AgentSignal): boolean {
  return is === 'text' || is === 'tool-start' || is === 'tool-end';
}

/** Some agents say with every new try that they are refused more. */
function isRepeated({ limit }: AgentReport, signal: AgentSignal): boolean {
  if (signal.is !== 'limit' || !limit) return false;
  return Math.abs((limit.resetsAt ?? 0) - (signal.resetsAt ?? 0)) < RESET_TOLERANCE_MS;
}

/** What cannot wait for the next look. */
function isUrgent(before: AgentReport, now: AgentReport): boolean {
  return before.isTurnOver !== now.isTurnOver || before.mcp?.status !== now.mcp?.status;
}

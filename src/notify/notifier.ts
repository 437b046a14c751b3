import { messageOf } from '../lib/message-of.ts';
import { Throttle } from '../lib/time/throttle.ts';
import type { Project } from '../workflow/project/project.ts';
import type { NotifyConfig } from '../workflow/config/notify-keys.ts';
import type { OpenChannel } from './channel.ts';
import type { Notice } from './notice.ts';
import { nameText, noticeOf } from './notice-text.ts';
import { quietLeftMs } from './quiet-hours.ts';
import { isFinal, reasonsFor, stillHolds } from './reasons.ts';
import { standingOf, type Standing } from './standing.ts';
import { isTyping, waitMs, type Moment, type Pending } from './when-to-call.ts';

/** What a notifier needs. */
export type NotifierParts = {
  readonly project: Pick<Project, 'state' | 'subscribe' | 'asLogged'>;
  readonly stream: string;
  readonly config: Pick<NotifyConfig, 'quietHours'>;
  readonly channels: readonly OpenChannel[];
  /** When a key was pressed last in front of this very screen, ms since the epoch. Default: nobody knows. */
  readonly lastKeyAt?: (() => number | undefined) | undefined;
  /** Told of a channel that does not work, once for each. */
  readonly report: (problem: string) => void;
};

/** Shortest time between two looks at the log, in ms. */
const LOOK_EVERY_MS = 250;
/** Longest sleep, in ms: timers stand still while the machine is suspended, and the clock may be set. */
const LONGEST_SLEEP_MS = 60_000;
/** How long a channel may take that still calls when all is over, in ms. */
const CLOSE_GRACE_MS = 3_000;

/**
 * Follows the log of a sprint and calls a human through every open channel: when a request waits for one, when the sprint
 * has ended or nobody runs it any more, and when nothing goes on before the end of a usage limit. Each of it once. What
 * waited before is told in one notification, and so is what comes together.
 */
export class Notifier {
  readonly #parts: NotifierParts;
  /** Those that were seen, told or not. */
  readonly #requests = new Set<string>();
  /** Agents whose usage limit was told, or was there before. */
  readonly #limits: Set<string>;
  readonly #broken = new Set<string>();
  readonly #calls = new Set<Promise<void>>();
  readonly #over = new AbortController();
  readonly #look: Throttle<void>;
  readonly #unsubscribe: () => void;
  #pending: readonly Pending[] = [];
  #standing: Standing | undefined;
  #lastCallAt: number | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isHushed = false;
  #isAway = false;

  constructor(parts: NotifierParts) {
    this.#parts = parts;
    const { project } = parts;
    this.#limits = new Set(project.state.limits.map(({ agent }) => agent));
    this.#look = new Throttle(LOOK_EVERY_MS, () => this.#takeNews());
    this.#unsubscribe = project.subscribe(() => this.#look.push());
    this.#look.push();
  }

  /** Nobody is called any more: a human has just stopped it. How things stand is shown to the end. */
  hush(): void {
    this.#isHushed = true;
  }

  /** The terminal is somebody else's for a while, or is there again: nothing is shown meanwhile. */
  giveAway(isAway: boolean): void {
    this.#isAway = isAway;
    if (isAway) for (const { hide } of this.#parts.channels) hide?.();
    else if (this.#standing) this.#show(this.#standing);
  }

  /** Tells what there is to tell, and takes back what is shown. Takes {@link CLOSE_GRACE_MS} at most. */
  async close(): Promise<void> {
    this.#unsubscribe();
    this.#look.drop();
    this.#takeNews();
    clearTimeout(this.#timer);
    // What gathers is not waited for, but whoever types or sleeps is called by nothing.
    const moment = this.#moment();
    if (this.#pending.length > 0 && !isTyping(moment) && moment.quietMs === 0) this.#call(this.#pending);
    this.#pending = [];
    const grace = setTimeout(() => this.#over.abort(), CLOSE_GRACE_MS);
    await Promise.all(this.#calls);
    clearTimeout(grace);
    this.restore();
  }

  /** Takes back at once what is shown, in a process that ends. */
  restore(): void {
    for (const { close } of this.#parts.channels) close?.();
  }

  #takeNews(): void {
    const { project, stream } = this.#parts;
    const now = Date.now();
    const before = this.#standing;
    const standing = standingOf(project.state, stream, now);
    this.#standing = standing;
    // Of an agent that was let in again, the next limit is news.
    for (const agent of this.#limits) if (!standing.limited.includes(agent)) this.#limits.delete(agent);
    const isStallKnown = this.#pending.some(({ reason }) => reason.is === 'stall');
    const reasons = reasonsFor(before, standing, (reason) =>
      reason.is === 'request'
        ? this.#requests.has(reason.request.id)
        : isStallKnown || this.#limits.has(reason.stall.agent),
    );
    for (const reason of reasons) if (reason.is === 'request') this.#requests.add(reason.request.id);
    this.#pending = [...this.#pending, ...reasons.map((reason) => ({ reason, since: now }))];
    this.#show(standing);
    this.#plan();
  }

  #show({ name, open, done, total, end, stall }: Standing): void {
    if (this.#isAway) return;
    const shown = { name: nameText(name, this.#parts.project), open: open.length, done, total, end, stall };
    for (const { show } of this.#parts.channels) show?.(shown);
  }

  /** Calls, or sets the alarm for when it may be time to. */
  #plan(): void {
    const standing = this.#standing;
    if (!standing) return;
    const moment = this.#moment();
    const isSeen = isTyping(moment);
    this.#pending = this.#pending.filter(
      ({ reason }) => !this.#isHushed && stillHolds(reason, standing) && !(isSeen && isFinal(reason)),
    );
    clearTimeout(this.#timer);
    if (this.#pending.length === 0) return;
    const ms = waitMs(this.#pending, moment);
    if (ms > 0) {
      this.#timer = setTimeout(() => this.#takeNews(), Math.min(ms, LONGEST_SLEEP_MS));
      this.#timer.unref();
      return;
    }
    const told = this.#pending;
    this.#pending = [];
    this.#call(told);
  }

  #call(told: readonly Pending[]): void {
    const standing = this.#standing;
    if (!standing) return;
    const now = Date.now();
    this.#lastCallAt = now;
    const { asLogged } = this.#parts.project;
    const reasons = told.map(({ reason }) => reason);
    for (const reason of reasons) if (reason.is === 'stall') this.#limits.add(reason.stall.agent);
    const notice = noticeOf(reasons, standing, { asLogged, now });
    for (const open of this.#parts.channels) {
      const call = this.#tell(open, notice).finally(() => this.#calls.delete(call));
      this.#calls.add(call);
    }
  }

  /** Whatever becomes of a channel, it ends no run. */
  async #tell({ name, call }: OpenChannel, notice: Notice): Promise<void> {
    let problem: string | undefined;
    try {
      const told = await call?.(notice, this.#over.signal);
      if (told && 'problem' in told) problem = told.problem;
    } catch (error) {
      problem = `notify.${name}: ${messageOf(error)}`;
    }
    if (problem === undefined || this.#broken.has(name)) return;
    this.#broken.add(name);
    this.#parts.report(problem);
  }

  #moment(): Moment {
    const { config, lastKeyAt } = this.#parts;
    const now = Date.now();
    return {
      now,
      lastCallAt: this.#lastCallAt,
      lastKeyAt: lastKeyAt?.(),
      quietMs: quietLeftMs(config.quietHours, now),
    };
  }
}

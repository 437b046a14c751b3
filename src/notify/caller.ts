import type { OpenChannel } from './channel.ts';
import { noticeOf, waitedSoLong, type Wording } from './notice-text.ts';
import { remindAt } from './pace.ts';
import { quietLeftMs } from './quiet-hours.ts';
import { isFinal, isWaiting, reasonsFor, stillHolds, type Reason } from './reasons.ts';
import { reasonOf, type ChannelRules } from './rules.ts';
import type { Standing } from './standing.ts';
import { isDueWith, isTyping, waitMs, type Moment, type Pending } from './when-to-call.ts';

/** What a channel calls with. */
type CallerParts = {
  readonly channel: OpenChannel;
  readonly rules: ChannelRules;
  /** When a key was pressed last in front of this very screen, ms since the epoch. */
  readonly lastKeyAt: () => number | undefined;
  readonly wording: Omit<Wording, 'now'>;
};

/** Nothing has to be told later. */
const NEVER = Number.POSITIVE_INFINITY;

/** Calls whoever sits here through one channel, by its rules. Times are ms since the epoch. */
export class Caller {
  readonly #parts: CallerParts;
  /** Those that were seen, told or not. */
  readonly #requests = new Set<string>();
  /** How often, and when last, it was called for what waits. */
  readonly #told = new Map<string, { readonly count: number; readonly at: number }>();
  /** Agents whose usage limit was told, or was there before. */
  readonly #limits: Set<string>;
  #pending: readonly Pending[] = [];
  #standing: Standing | undefined;
  #lastCallAt: number | undefined;

  /** @param limited - Agents that are refused more by now: that is no news. */
  constructor(parts: CallerParts, limited: readonly string[]) {
    this.#parts = parts;
    this.#limits = new Set(limited);
  }

  /** Takes what there is to tell, and calls where it is time to. Returns in how many ms there may be more. */
  look(standing: Standing, now: number): number {
    this.#take(standing, now);
    this.#dropSeen(standing);
    const again = this.#nextReminder(standing, now);
    if (this.#pending.length === 0) return again;
    const { afterMs } = this.#parts.rules;
    const ms = waitMs(this.#pending, this.#moment(now), afterMs);
    if (ms > 0) return Math.min(ms, again);
    this.#callFor(standing, now);
    return this.look(standing, now);
  }

  /** Nothing that waits is told any more. */
  drop(): void {
    this.#pending = [];
  }

  /** Tells what there is to tell, gathered or not: whoever types or sleeps is called by nothing. */
  close(): void {
    const standing = this.#standing;
    const now = Date.now();
    const moment = this.#moment(now);
    const { afterMs } = this.#parts.rules;
    this.#pending = this.#pending.filter((each) => isFinal(each.reason) || isDueWith(each, now, afterMs));
    if (standing && this.#pending.length > 0 && !isTyping(moment) && moment.quietMs === 0)
      this.#call(this.#pending, standing, now);
    this.#pending = [];
  }

  #take(standing: Standing, now: number): void {
    const before = this.#standing;
    this.#standing = standing;
    // Of an agent that was let in again, the next limit is news.
    for (const agent of this.#limits) if (!standing.limited.includes(agent)) this.#limits.delete(agent);
    const isStallKnown = this.#pending.some(({ reason }) => reason.is === 'stall');
    const news = reasonsFor(before, standing, (reason) =>
      reason.is === 'request'
        ? this.#requests.has(reason.request.id)
        : isStallKnown || this.#limits.has(reason.stall.agent),
    );
    for (const reason of news) if (reason.is === 'request') this.#requests.add(reason.request.id);
    const wanted = news.filter((reason) => this.#parts.rules.what.has(reasonOf(reason)));
    const all = [...wanted, ...this.#reminders(standing, now)];
    this.#pending = together([...this.#pending, ...all.map((reason) => ({ reason, since: now }))]);
  }

  /** What still waits, and is to be told again by now. */
  #reminders({ open }: Standing, now: number): Reason[] {
    const isPending = (id: string) =>
      this.#pending.some(({ reason }) => reason.is === 'request' && reason.request.id === id);
    return open.flatMap((request) =>
      this.#remindAt(request.id) <= now && !isPending(request.id)
        ? [{ is: 'request', request } as const]
        : [],
    );
  }

  #nextReminder({ open }: Standing, now: number): number {
    const next = Math.min(NEVER, ...open.map(({ id }) => this.#remindAt(id)).filter((at) => at > now));
    return next - now;
  }

  #remindAt(id: string): number {
    const told = this.#told.get(id);
    const { remindMs } = this.#parts.rules;
    return told ? remindAt(told.at, told.count, remindMs) : NEVER;
  }

  #dropSeen(standing: Standing): void {
    const isSeen = isTyping(this.#moment(Date.now()));
    this.#pending = this.#pending.filter(
      ({ reason }) => stillHolds(reason, standing) && !(isSeen && !isWaiting(reason)),
    );
    for (const id of this.#told.keys())
      if (!standing.open.some((request) => request.id === id)) this.#told.delete(id);
  }

  #callFor(standing: Standing, now: number): void {
    const { afterMs } = this.#parts.rules;
    const told = this.#pending.filter((each) => isDueWith(each, now, afterMs));
    this.#pending = this.#pending.filter((each) => !told.includes(each));
    this.#call(told, standing, now);
  }

  #call(told: readonly Pending[], standing: Standing, now: number): void {
    this.#lastCallAt = now;
    const reasons = told.map(({ reason }) => reason);
    const notice = noticeOf(reasons, standing, { ...this.#parts.wording, now });
    const [only, ...others] = reasons;
    const isAgain = only?.is === 'request' && others.length === 0 && this.#told.has(only.request.id);
    const again = isAgain ? waitedSoLong(only.request, now) : '';
    for (const reason of reasons) this.#remember(reason, now);
    this.#parts.channel.call?.({ ...notice, title: `${notice.title}${again}` });
  }

  #remember(reason: Reason, now: number): void {
    if (reason.is === 'stall') this.#limits.add(reason.stall.agent);
    if (reason.is !== 'request') return;
    const { id } = reason.request;
    this.#told.set(id, { count: (this.#told.get(id)?.count ?? 0) + 1, at: now });
  }

  #moment(now: number): Moment {
    const { lastKeyAt, rules } = this.#parts;
    return {
      now,
      lastCallAt: this.#lastCallAt,
      lastKeyAt: lastKeyAt(),
      quietMs: quietLeftMs(rules.quietHours, now),
    };
  }
}

/** Failures of one moment and the next are one reason. */
function together(pending: readonly Pending[]): Pending[] {
  const failed = pending.flatMap((each) => (each.reason.is === 'failures' ? [each] : []));
  const [first] = failed;
  if (!first || failed.length < 2) return [...pending];
  const failures = failed.flatMap(({ reason }) => (reason.is === 'failures' ? reason.failures : []));
  const rest = pending.filter(({ reason }) => reason.is !== 'failures');
  return [...rest, { since: first.since, reason: { is: 'failures', failures } }];
}

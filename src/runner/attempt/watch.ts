import type { Config } from '../../workflow/config/config-schema.ts';
import type { GroupSample } from '../../lib/processes/group-sample.ts';

/** Limits of one attempt, in ms; 0: none. */
export type AttemptLimits = Config['limits'];

/** How long an agent has done what it does. Only time in which somebody looked counts. */
export type Watch = {
  /** When was looked last, ms since the epoch. */
  readonly at: number;
  /** When the next look is due, ms since the epoch; `undefined`: no limit is in force. */
  readonly nextAt: number | undefined;
  /** At work, without the time it waited for a human, in ms. */
  readonly ranMs: number;
  /** Since its last sign of life, in ms. */
  readonly silentMs: number;
  /** Since its turn was over, in ms. */
  readonly idleMs: number;
  /** Since it was refused more, in ms. */
  readonly limitedMs: number;
  readonly awaitsHuman: boolean;
  readonly sample: { readonly of: GroupSample; readonly at: number } | undefined;
};

/** What there is to see of an agent at one instant. */
export type Sight = {
  /** ms since the epoch. */
  readonly now: number;
  readonly awaitsHuman: boolean;
  readonly isTurnOver: boolean;
  /** It was refused more, and has not gone on. */
  readonly isLimited: boolean;
  /** A tool call of it is open. */
  readonly usesTool: boolean;
  /** The last time it printed or called a tool of Clifford's, ms since the epoch. */
  readonly heardAt: number;
  /** To Clifford; true, too, of one that need not. */
  readonly isConnected: boolean;
  /** Only when {@link isSampleDue}. */
  readonly sample?: GroupSample | undefined;
};

/** Looks at its processes per time that it may be silent. */
const LOOKS_PER_LIMIT = 8;
/** Between two looks, in ms. */
const SHORTEST_MS = 50;
const LONGEST_MS = 60_000;

/**
 * The share of one processor that a group uses when something is done in it. The agents that were measured use up to 0.8 % while
 * they wait for their model.
 */
const LEAST_CPU_SHARE = 0.02;

/** The watch over an agent that has just been started. */
export function startWatch(now: number): Watch {
  return {
    at: now,
    nextAt: now,
    ranMs: 0,
    silentMs: 0,
    idleMs: 0,
    limitedMs: 0,
    awaitsHuman: false,
    sample: undefined,
  };
}

/** Whether a look at its processes is worth what it costs. */
export function isSampleDue({ at, silentMs, sample }: Watch, sight: Sight, limits: AttemptLimits): boolean {
  const limit = silenceLimit(sight, limits);
  if (limit === 0 || sight.awaitsHuman) return false;
  if (!sample || sight.now - sample.at >= intervalOf(limit)) return true;
  // Nobody is ended for a silence that was not looked into.
  return silentMs + (sight.now - at) >= limit;
}

/**
 * The watch after one more look.
 *
 * Of the time since the last look no more counts than was planned to pass: while the machine slept, or the
 * runner was busy with something else, the agent could not be heard.
 */
export function look(watch: Watch, sight: Sight, limits: AttemptLimits): Watch {
  const { now } = sight;
  const passed = watch.awaitsHuman ? 0 : countedSince(watch, now);
  const lives = watch.awaitsHuman || sight.awaitsHuman || showsLife(watch, sight.sample, now);
  const unheardMs = Math.max(0, now - sight.heardAt);
  const next = {
    at: now,
    ranMs: watch.ranMs + passed,
    silentMs: lives ? 0 : Math.min(watch.silentMs + passed, unheardMs),
    idleMs: sight.isTurnOver ? watch.idleMs + passed : 0,
    limitedMs: sight.isLimited ? watch.limitedMs + passed : 0,
    awaitsHuman: sight.awaitsHuman,
    sample: sight.sample ? { of: sight.sample, at: now } : watch.sample,
  };
  return { ...next, nextAt: nextLook(next, sight, limits) };
}

/** How long an agent may be silent now, in ms; 0: without limit. */
export function silenceLimit({ usesTool }: Pick<Sight, 'usesTool'>, limits: AttemptLimits): number {
  return usesTool ? limits.tool : limits.idle;
}

function countedSince({ at, nextAt }: Watch, now: number): number {
  const planned = Math.max((nextAt ?? now) - at, SHORTEST_MS);
  return Math.min(Math.max(0, now - at), 2 * planned);
}

/** Whether something was done in its processes since the sample before. */
export function showsLife(
  { sample: before }: Pick<Watch, 'sample'>,
  sample: GroupSample | undefined,
  now: number,
): boolean {
  if (!before || !sample) return false;
  if (before.of.processes !== sample.processes) return true;
  return sample.cpuMs - before.of.cpuMs > LEAST_CPU_SHARE * (now - before.at);
}

function nextLook(
  { at, ranMs, silentMs, idleMs, limitedMs }: Omit<Watch, 'nextAt'>,
  sight: Sight,
  limits: AttemptLimits,
): number | undefined {
  // The end of the wait stands in the log, and wakes the runner.
  if (sight.awaitsHuman) return undefined;
  const silence = silenceLimit(sight, limits);
  const left = [
    ...(silence > 0 ? [silence - silentMs, intervalOf(silence)] : []),
    ...(limits.idle > 0 && sight.isLimited ? [limits.idle - limitedMs] : []),
    ...(limits.attempt > 0 ? [limits.attempt - ranMs] : []),
    ...(limits.connect > 0 && !sight.isConnected ? [limits.connect - ranMs] : []),
    ...(limits.exit > 0 && sight.isTurnOver ? [limits.exit - idleMs] : []),
  ];
  if (left.length === 0) return undefined;
  return at + Math.min(Math.max(Math.min(...left), SHORTEST_MS), LONGEST_MS);
}

function intervalOf(limitMs: number): number {
  return Math.min(Math.max(limitMs / LOOKS_PER_LIMIT, SHORTEST_MS), LONGEST_MS);
}

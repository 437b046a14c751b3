import { CliffordError } from '../../errors.ts';
import { calendarDay, clockTime } from '../../lib/time/clock-text.ts';

/**
 * A place in the history of a stream, as a person names it: a version, a time, a time of day, or so long before its
 * last event.
 */
export type Until =
  | { readonly version: number }
  | { readonly time: string }
  | { readonly clock: readonly [hours: number, minutes: number, seconds: number, ms: number] }
  | { readonly agoMs: number };

const UNIT_MS = { d: 86_400_000, h: 3_600_000, m: 60_000, s: 1_000 } as const;

/** Reads a version, a time, or a span like `-2h`. @throws {CliffordError} `UNTIL_INVALID` for anything else */
export function parseUntil(text: string): Until {
  if (/^[1-9]\d*$/.test(text)) return { version: Number(text) };
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{3}))?)?$/.exec(text);
  if (clock) {
    const [, hours, minutes, seconds, ms] = clock;
    // 14:53 is all of that minute, as the history shows it.
    return { clock: [Number(hours), Number(minutes), Number(seconds ?? 59), Number(ms ?? 999)] };
  }
  const agoMs = spanMs(text);
  if (agoMs !== undefined) return { agoMs };
  const time = new Date(text);
  // Date takes many spellings; only one that begins with the year means the same to everyone.
  if (/^\d{4}-/.test(text) && !Number.isNaN(time.getTime())) return { time: time.toISOString() };
  throw new CliffordError(`Cannot find ${text} in a history: it is neither a version nor a time`, {
    code: 'UNTIL_INVALID',
    fix: 'Give the number of an event, e.g. 12, or a time, e.g. 14:53, -2h or 2026-03-01T12:00:00Z',
  });
}

/** `-2h`, `-90m`, `-1h30m`. */
function spanMs(text: string): number | undefined {
  const span = /^-(?=\d)(?:(\d{1,6})d)?(?:(\d{1,6})h)?(?:(\d{1,6})m(?:in)?)?(?:(\d{1,6})s)?$/.exec(text);
  if (!span) return undefined;
  const [, d = 0, h = 0, m = 0, s = 0] = span;
  return Number(d) * UNIT_MS.d + Number(h) * UNIT_MS.h + Number(m) * UNIT_MS.m + Number(s) * UNIT_MS.s;
}

/**
 * The last instant of it, RFC 3339 in UTC; `undefined` for a version. A time of day is that of the day of the stream's
 * last event, where this process is.
 */
export function instantOf(until: Until, lastEventAt = new Date().toISOString()): string | undefined {
  if ('version' in until) return undefined;
  if ('time' in until) return until.time;
  const end = new Date(lastEventAt);
  if ('agoMs' in until) return new Date(end.getTime() - until.agoMs).toISOString();
  end.setHours(...until.clock);
  return end.toISOString();
}

/** A time that is wanted later than this after the last event lies beyond the end of the history, in ms. */
const SAME_MOMENT_MS = 60_000;

/** What to say of a place that is not in the history of a stream, which is shown to its nearest end then. */
export function outsideText(
  until: Until,
  { length, firstAt, lastAt }: { readonly length: number; readonly firstAt: string; readonly lastAt: string },
): string | undefined {
  if ('version' in until)
    return until.version > length
      ? `there is no event ${until.version}: the last one is ${length}`
      : undefined;
  const wanted = Date.parse(instantOf(until, lastAt) ?? lastAt);
  const at = (time: string) => `${calendarDay(time)} ${clockTime(time)}`;
  if (wanted < Date.parse(firstAt))
    return `nothing had happened by then: the first event was at ${at(firstAt)}`;
  if (wanted > Date.parse(lastAt) + SAME_MOMENT_MS)
    return `nothing has happened since: the last event was at ${at(lastAt)}`;
  return undefined;
}

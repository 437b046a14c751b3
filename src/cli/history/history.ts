import { CliffordError } from '../../errors.ts';
import type { StoredEvent } from '../../events/envelope.ts';
import { applyEvent } from '../../machines/fold.ts';
import { createProjectState, type ProjectState } from '../../machines/project-state.ts';
import type { Project } from '../../workflow/project/project.ts';

/**
 * Where a replay ends: after a version of its stream, or after the last event until a time. A time of day is that of
 * the day of the stream's last event, where this process is.
 */
export type Until =
  | { readonly version: number }
  | { readonly time: string }
  | { readonly clock: readonly [hours: number, minutes: number, seconds: number, ms: number] };

/** Reads `--until`. @throws {CliffordError} `UNTIL_INVALID` for neither a version nor a time */
export function parseUntil(text: string): Until {
  if (/^[1-9]\d*$/.test(text)) return { version: Number(text) };
  const clock = /^([01]?\d|2[0-3]):([0-5]\d)(?::([0-5]\d)(?:\.(\d{3}))?)?$/.exec(text);
  if (clock) {
    const [, hours, minutes, seconds, ms] = clock;
    // 14:53 is all of that minute, as the history shows it.
    return { clock: [Number(hours), Number(minutes), Number(seconds ?? 59), Number(ms ?? 999)] };
  }
  const time = new Date(text);
  // Date takes many spellings; only one that begins with the year means the same to everyone.
  if (/^\d{4}-/.test(text) && !Number.isNaN(time.getTime())) return { time: time.toISOString() };
  throw new CliffordError(`Cannot replay until ${text}: it is neither a version nor a time`, {
    code: 'UNTIL_INVALID',
    fix: 'Give a number, e.g. --until 12, or a time, e.g. --until 14:53 or --until 2026-03-01T12:00:00Z',
  });
}

/** One event of a stream's history, and the state it led to (the same object each time). */
export type Moment = { readonly event: StoredEvent; readonly state: ProjectState };

/** A stream's history from its first event, folded from nothing. */
export async function* historyOf(project: Project, stream: string, until?: Until): AsyncGenerator<Moment> {
  const last = timeOf(until, project.state.streams.get(stream)?.lastEventAt);
  const state = createProjectState();
  const toVersion = until && 'version' in until ? { toVersion: until.version } : {};
  for await (const { events } of project.log.read({ stream, ...toVersion })) {
    for (const event of events) {
      if (last !== undefined && event.time > last) return;
      applyEvent(state, event);
      yield { event, state };
    }
  }
}

/** The instant a replay ends at, RFC 3339 in UTC. */
function timeOf(until: Until | undefined, lastEventAt: string | undefined): string | undefined {
  if (until === undefined || 'version' in until) return undefined;
  if ('time' in until) return until.time;
  const end = new Date(lastEventAt ?? Date.now());
  end.setHours(...until.clock);
  return end.toISOString();
}

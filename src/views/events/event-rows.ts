import type { CallStep } from '../calls/call-step.ts';
import { nextWord } from '../calls/call-word.ts';

/** What has to be known of an event to put it in a row. */
type Happened = {
  readonly version: number;
  readonly time: string;
  readonly type: string;
  readonly task?: string | undefined;
  readonly call?: CallStep | undefined;
};

/** An event in a row of its own, or a call with all that became of it. */
export type EventRow<E> = {
  /** The first of them. */
  readonly event: E;
  /** Of all that stands in it. */
  readonly versions: readonly number[];
  /** Of a call: when it was allowed, or else made, RFC 3339. */
  readonly since: string;
  /** Of a call: how it ended. */
  readonly end?: E | undefined;
  /** Of a call whose end is not among them: it waits or runs, it is over with its agent, or nobody can tell. */
  readonly pending?: 'open' | 'ended' | 'unknown' | undefined;
};

/**
 * Events in order, in rows in the same order: what became of a call stands with it, where that is among them. At a moment of the
 * past what came later stands in rows of its own.
 *
 * @param areLast - Nothing has happened since, and none is left out.
 * @param at - Version of the last event by then; `undefined`: it is now.
 */
export function eventRows<E extends Happened>(
  events: readonly E[],
  areLast: boolean,
  at = Number.POSITIVE_INFINITY,
): readonly EventRow<E>[] {
  const next = events.findIndex(({ version }) => version > at);
  const parts = next < 0 ? [events] : [events.slice(0, next), events.slice(next)];
  return parts.flatMap((part) => rowsOf(part, areLast));
}

function rowsOf<E extends Happened>(events: readonly E[], areLast: boolean): readonly EventRow<E>[] {
  const rows: EventRow<E>[] = [];
  const places = new Map<string, number>();
  for (const event of events) {
    const { version, time, call, task, type } = event;
    const place = call && call.is !== 'open' ? places.get(call.id) : undefined;
    const row = place === undefined ? undefined : rows[place];
    if (call && place !== undefined && row) {
      const ends = call.is !== 'allowed' && nextWord(row.end?.call?.is ?? 'open', call.is) === call.is;
      rows[place] = {
        ...row,
        versions: [...row.versions, version],
        ...(call.is === 'allowed' && { since: time }),
        ...(ends && { end: event, pending: undefined }),
      };
      continue;
    }
    if (call?.is === 'open') places.set(call.id, rows.length);
    // Whatever an agent waits for, nothing comes of it once it has ended.
    if (type === 'agent.exited' || type === 'agent.lost')
      for (const [at, each] of rows.entries())
        if (each.pending && each.event.task === task) rows[at] = { ...each, pending: 'ended' };
    const pending = call?.is === 'open' ? (areLast ? 'open' : 'unknown') : undefined;
    rows.push({ event, versions: [version], since: time, ...(pending && { pending }) });
  }
  return rows;
}

/** How a call stands, and how long it took, in ms; `undefined`: its event is of none, or its end is not known. */
export function callEnd({
  event,
  since,
  end,
  pending,
}: Omit<EventRow<Happened>, 'versions'>):
  | { readonly word: string; readonly tookMs: number | undefined }
  | undefined {
  if (event.call?.is !== 'open' || pending === 'unknown') return undefined;
  if (!end?.call) return { word: pending ?? 'ended', tookMs: undefined };
  const { is, durationMs, otherWord } = end.call;
  // Of two machines one may have another time.
  const measured = is === 'failed' ? Math.max(0, Date.parse(end.time) - Date.parse(since)) : undefined;
  return { word: otherWord ?? is, tookMs: durationMs ?? measured };
}

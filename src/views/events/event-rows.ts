import type { CallStep } from '../calls/call-step.ts';

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
  /** Of a call: how it ended. */
  readonly end?: E | undefined;
  /** Of a call: nothing has come of it yet. */
  readonly isOpen: boolean;
};

/** Events in order, in rows in the same order: what became of a call stands with it, where that is among them. */
export function eventRows<E extends Happened>(events: readonly E[]): readonly EventRow<E>[] {
  const rows: EventRow<E>[] = [];
  const places = new Map<string, number>();
  for (const event of events) {
    const { version, call, task, type } = event;
    const place = call && call.is !== 'open' ? places.get(call.id) : undefined;
    const row = place === undefined ? undefined : rows[place];
    if (place !== undefined && row) {
      const ends = call?.is !== 'allowed' && !isSettled(row);
      rows[place] = {
        ...row,
        versions: [...row.versions, version],
        ...(ends && { end: event, isOpen: false }),
      };
      continue;
    }
    const isOpen = call?.is === 'open';
    if (isOpen) places.set(call.id, rows.length);
    // Whatever an agent waits for, nothing comes of it once it has ended.
    if (type === 'agent.exited' || type === 'agent.lost')
      for (const [at, each] of rows.entries())
        if (each.isOpen && each.event.task === task) rows[at] = { ...each, isOpen: false };
    rows.push({ event, versions: [version], isOpen });
  }
  return rows;
}

/** What was refused, or came too late, stays that, whatever its agent says of it then. */
function isSettled({ end }: EventRow<Happened>): boolean {
  return end?.call?.is === 'denied' || end?.call?.is === 'late';
}

/** How a call stands, and how long it took, in ms; `undefined`: its event is of none, or its end is not known. */
export function callEnd(
  row: Omit<EventRow<Happened>, 'versions'>,
): { readonly word: string; readonly tookMs: number | undefined } | undefined {
  const { event, end, isOpen } = row;
  if (event.call?.is !== 'open') return undefined;
  if (isOpen) return { word: 'open', tookMs: undefined };
  if (!end?.call) return { word: 'ended', tookMs: undefined };
  const { is, durationMs } = end.call;
  const measured = is === 'failed' ? Date.parse(end.time) - Date.parse(event.time) : undefined;
  return { word: is, tookMs: durationMs ?? measured };
}

import { useCallback, useEffect, useRef, useState } from 'react';
import type { EventLine } from '../../api/history.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { useRead } from '../parts/use-read.ts';
import { goTo, routeNow } from '../route.ts';
import { EventRow } from './event-row.tsx';

/** So many events are in the page at once, of a history of any length. */
const PAGE = 150;

type EventsPaneProps = {
  readonly sprint: string;
  /** Of this task alone, and what is of none. */
  readonly task: string | undefined;
  /** Of the newest event. */
  readonly version: number;
  /** A moment of the past, which stands in the middle. */
  readonly at: number | undefined;
};

/** What happened, the newest first. */
export function EventsPane({ sprint, task, version, at }: EventsPaneProps) {
  const { api, recent } = useSession();
  const live = useStore(recent);
  /** The version at which the page ends that is looked at; `undefined`: with the newest. */
  const [until, setUntil] = useState<number>();
  const end = at === undefined ? until : Math.min(version, at + PAGE / 2);
  const isLive = end === undefined;
  // What comes is followed by itself: only what was before is read, once, and again where something was missed.
  const reading = `${sprint} ${live.gaps} ${isLive}`;
  const [base, setBase] = useState({ reading, version });
  if (base.reading !== reading) setBase({ reading, version });
  const to = end ?? Math.max(1, base.version);
  const from = Math.max(1, to - PAGE + 1);
  const { value, error } = useRead(version === 0 ? undefined : JSON.stringify([sprint, from, to]), (signal) =>
    api.events(sprint, { from, to }, signal),
  );
  const onGo = useCallback((to: number) => goTo({ ...routeNow(), at: to }), []);
  if (version === 0) return <p className="empty muted">Nothing has happened yet.</p>;
  if (!value) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  const read = value.events.filter((event) => event.sprint === sprint);
  const last = read.at(-1)?.version ?? 0;
  const fresh = isLive && live.sprint === sprint ? live.events.filter((event) => event.version > last) : [];
  const all = [...read, ...fresh].slice(-PAGE);
  const shown = all.filter((event) => isOf(event, task)).toReversed();
  const first = all[0]?.version ?? 1;
  return (
    <div className="events">
      {!isLive && at === undefined && (
        <button
          type="button"
          className="button plain"
          onClick={() => setUntil(to + PAGE >= version ? undefined : to + PAGE)}
        >
          Newer
        </button>
      )}
      {shown.length === 0 && <p className="muted">None of these {all.length} events is of this task.</p>}
      <EventList events={shown} at={at} onGo={onGo} />
      {first > 1 && at === undefined && (
        <button type="button" className="button plain" onClick={() => setUntil(first - 1)}>
          Older
        </button>
      )}
    </div>
  );
}

function isOf(event: EventLine, task: string | undefined): boolean {
  return task === undefined || event.task === task;
}

type EventListProps = {
  readonly events: readonly EventLine[];
  readonly at: number | undefined;
  readonly onGo: (version: number) => void;
};

function EventList({ events, at, onGo }: EventListProps) {
  const list = useRef<HTMLOListElement>(null);
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-current]');
    const box = row?.closest('.tab-panel');
    // Nothing but the list itself is moved by it.
    if (row && box)
      box.scrollTop +=
        row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
  }, [at, events]);
  return (
    <ol ref={list} className="event-list" reversed>
      {events.map((event) => (
        <EventRow key={event.version} event={event} isNow={event.version === at} onGo={onGo} />
      ))}
    </ol>
  );
}

import { useCallback, useEffect, useMemo, useRef } from 'react';
import type { EventLine } from '../../api/history.ts';
import { eventRows } from '../../../views/events/event-rows.ts';
import { goTo, routeNow, useRoute } from '../route.ts';
import { EventFilter } from './event-filter.tsx';
import { EventItem } from './event-item.tsx';
import { useEvents } from './use-events.ts';
import type { ShownMarks } from './shown-marks.ts';

type EventsPaneProps = {
  readonly sprint: string;
  /** Of this task alone, and what is of none. */
  readonly task: string | undefined;
  /** Of the newest event. */
  readonly version: number;
  /** A moment of the past, which stands in the middle. */
  readonly at: number | undefined;
};

/** What happened, the newest first: all of it, or what matters. */
export function EventsPane(props: EventsPaneProps) {
  const { show } = useRoute();
  if (props.version === 0) return <p className="empty muted">Nothing has happened yet.</p>;
  return (
    <>
      <EventFilter shown={show} />
      {/* With another choice one begins at the newest. */}
      <Events key={`${props.sprint} ${String(show)}`} shown={show} {...props} />
    </>
  );
}

function Events({ sprint, task, version, at, shown }: EventsPaneProps & { readonly shown: ShownMarks }) {
  const { events: all, error, areLast, older, newer } = useEvents({ sprint, version, at, shown });
  const onGo = useCallback((to: number) => goTo({ ...routeNow(), at: to }), []);
  if (!all) return <p className="empty muted">{error ?? 'Reading…'}</p>;
  const events = all.filter((event) => task === undefined || event.task === task);
  return (
    <div className="events">
      {newer && (
        <button type="button" className="button plain" onClick={newer}>
          Newer
        </button>
      )}
      {events.length === 0 && (
        <p className="muted">
          {all.length === 0 ? 'There is none yet.' : `None of these ${all.length} events is of this task.`}
        </p>
      )}
      <EventList events={events} areLast={areLast} isOfTask={task !== undefined} at={at} onGo={onGo} />
      {older && (
        <button type="button" className="button plain" onClick={older}>
          Older
        </button>
      )}
    </div>
  );
}

type EventListProps = {
  readonly events: readonly EventLine[];
  /** Nothing has happened since, and none is left out. */
  readonly areLast: boolean;
  readonly isOfTask: boolean;
  readonly at: number | undefined;
  readonly onGo: (version: number) => void;
};

function EventList({ events, areLast, isOfTask, at, onGo }: EventListProps) {
  const list = useRef<HTMLOListElement>(null);
  // Of some events, the last one by then.
  const now = at === undefined ? undefined : events.findLast(({ version }) => version <= at)?.version;
  const rows = useMemo(() => eventRows(events, areLast, at).toReversed(), [events, areLast, at]);
  useEffect(() => {
    const row = list.current?.querySelector<HTMLElement>('[aria-current]');
    const box = row?.closest('.tab-panel');
    if (!row || !box) return;
    box.scrollTop += row.getBoundingClientRect().top - box.getBoundingClientRect().top - box.clientHeight / 3;
    // The page is moved only where the list itself is out of sight, or under the player.
    row.scrollIntoView({ block: 'nearest' });
  }, [now, events]);
  return (
    <ol ref={list} className="event-list" reversed>
      {rows.map(({ event, since, end, pending, versions }) => (
        <EventItem
          key={event.version}
          event={event}
          since={since}
          end={end}
          pending={pending}
          isNow={now !== undefined && versions.includes(now)}
          isLater={at !== undefined && event.version > at}
          isOfTask={isOfTask}
          onGo={onGo}
        />
      ))}
    </ol>
  );
}

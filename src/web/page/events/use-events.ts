import { useState } from 'react';
import type { EventLine, EventsPage } from '../../api/history.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { useRead } from '../parts/use-read.ts';
import { isShown, type ShownMarks } from './shown-marks.ts';

/** So many events are in the page at once, of a history of any length. */
const PAGE = 150;
/** Behind a moment of the past so many versions are looked at: half a page, and more where few of them are shown. */
const AFTER = { all: PAGE / 2, some: 2_000 };

type Wanted = {
  readonly sprint: string;
  /** Of the newest event. */
  readonly version: number;
  /** A moment of the past; `undefined`: now. */
  readonly at: number | undefined;
  readonly shown: ShownMarks;
};

/** Some events in a row. */
export type EventsShown = {
  /** In order, the newest last; `undefined`: they are being read, or cannot be. */
  readonly events: readonly EventLine[] | undefined;
  readonly error: string | undefined;
  /** Nothing has happened since, and none is left out. */
  readonly areLast: boolean;
  /** Goes back or on by a page; `undefined`: there is none, or a moment of the past says where one is. */
  readonly older: (() => void) | undefined;
  readonly newer: (() => void) | undefined;
};

/** The events of a sprint: the newest, which are followed, a page further back, or those around a moment of the past. */
export function useEvents({ sprint, version, at, shown }: Wanted): EventsShown {
  const { api, recent } = useSession();
  const live = useStore(recent);
  /** The version at which the page ends that is looked at; `undefined`: with the newest. */
  const [until, setUntil] = useState<number>();
  /** The moment around which some sorts of them were read: it is another one once the one that is looked at is far from there. */
  const [middle, setMiddle] = useState(at);
  const around = shown === undefined ? at : at === undefined ? undefined : (middle ?? at);
  const after = shown === undefined ? AFTER.all : AFTER.some;
  const end = around === undefined ? until : Math.min(version, around + after);
  const isLive = end === undefined;
  // What comes is followed by itself: only what was before is read, once, and again where something was missed.
  const reading = `${sprint} ${live.gaps} ${isLive}`;
  const [base, setBase] = useState({ reading, version });
  if (base.reading !== reading) setBase({ reading, version });
  const to = end ?? Math.max(1, base.version);
  const range =
    shown === undefined ? { from: Math.max(1, to - PAGE + 1), to } : { to, around, marks: shown.join(',') };
  const { value, error } = useRead(version === 0 ? undefined : JSON.stringify([sprint, range]), () =>
    api.events(sprint, range),
  );
  const isFar = value ? !isNear(value, at ?? 1, around ?? 1, to >= version) : error;
  if (at !== undefined && shown !== undefined && middle !== at && (middle === undefined || isFar))
    setMiddle(at);
  if (!value) return { events: undefined, error, areLast: false, older: undefined, newer: undefined };
  const read = value.events.filter((event) => event.sprint === sprint);
  const last = read.at(-1)?.version ?? 0;
  const fresh =
    isLive && live.sprint === sprint
      ? live.events.filter((event) => event.version > last && isShown(event.mark, shown))
      : [];
  const events = [...read, ...fresh].slice(-Math.max(PAGE, read.length));
  const first = events[0]?.version ?? 1;
  const hasOlder = shown === undefined ? first > 1 : value.hasOlder === true;
  return {
    events,
    error,
    areLast: shown === undefined && (isLive || to >= version),
    older: hasOlder && at === undefined ? () => setUntil(first - 1) : undefined,
    newer:
      isLive || at !== undefined
        ? undefined
        : () => setUntil(shown === undefined && to + PAGE < version ? to + PAGE : undefined),
  };
}

/** Whether a moment is among what was read around another one, and a fifth of that before its ends, where more is beyond them. */
function isNear({ events, hasOlder }: EventsPage, at: number, around: number, isToEnd: boolean): boolean {
  const margin = Math.floor(events.length / 5);
  const isMore = events.filter(({ version }) => version > around).length >= PAGE / 2;
  const first = hasOlder === true ? events[margin] : undefined;
  const last = isMore ? events.at(-1 - margin) : undefined;
  return at >= (first?.version ?? 1) && at <= (last?.version ?? (isToEnd ? at : around + AFTER.some / 2));
}

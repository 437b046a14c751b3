import { CliffordError } from '../../errors.ts';
import { taskOf } from '../../events/envelope.ts';
import { messageOf } from '../../lib/message-of.ts';
import { KeyedQueue } from '../../lib/processes/keyed-queue.ts';
import { changesBetween, changeText } from '../../views/changes-between.ts';
import { compressIdle } from '../../views/compress-idle.ts';
import { eventText } from '../../views/event-text.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { closedText } from '../text/how-closed.ts';
import { describeScreen } from '../../views/sprint-view.ts';
import { openCursor, type HistoryCursor } from '../../workflow/history/history-cursor.ts';
import { placeOf } from '../../workflow/history/found-events.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import { parseUntil } from '../../workflow/history/until.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import type { Notice } from '../screen/screen-state.ts';
import { EventFinder } from './event-finder.ts';
import type { PastMoment, Travel } from './past.ts';

/** Time between two moments that are shown while a history is played, in ms. */
const FRAME_MS = 100;

/** After so long it is said that the history is being read, in ms. */
const SOON_MS = 300;

/** Where nothing happened for longer, playing waits only for so long, in ms at normal speed. */
const LONGEST_GAP_MS = 2_000;

/** A version that is wanted, on the way that began after so many returns to now. */
type Wish = { readonly version: number; readonly journey: number };

type TravelDeps = {
  readonly actor: ScreenActor;
  readonly project: Project;
  readonly stream: string;
  /** Hands a text to the clipboard of the terminal. */
  readonly copy: (text: string) => void;
  readonly fail: (error: unknown) => void;
  /** Nothing is to move by itself. */
  readonly isStill?: boolean;
};

/** What moves a screen in time. */
export type TimeTravel = {
  /** Goes to another time. Where that cannot be, the screen says why. */
  readonly go: (travel: Travel) => Promise<void>;
  /** The cursor, once it was needed. */
  readonly cursor: () => HistoryCursor | undefined;
  /** The moment that the screen was told of last. */
  readonly moment: () => Moment | undefined;
  readonly close: () => Promise<void>;
};

/** Moves a screen in the past of its stream as it wants it: the stream is read when it goes there first. */
export function timeTravel({ actor, project, stream, copy, fail, isStill = false }: TravelDeps): TimeTravel {
  const over = new AbortController();
  let opening: Promise<HistoryCursor> | undefined;
  let cursor: HistoryCursor | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Where it is going, or stands. */
  let wish: Wish | undefined;
  let travelling: Promise<void> | undefined;
  let shown: Moment | undefined;
  /** Counts the ways back to now: what was on its way before is not shown. */
  let journey = 0;
  const turns = new KeyedQueue();

  const opened = async () => {
    opening ??= openCursor(project, stream, { signal: over.signal });
    cursor = await opening;
    return cursor;
  };
  const tell = (notice: Notice) => actor.send({ type: 'told', notice });
  const finder = new EventFinder(tell);
  /** What takes long says so. */
  const soon = <T>(work: Promise<T>, text: string): Promise<T> => {
    const timer = setTimeout(() => tell({ tone: 'info', text }), SOON_MS);
    return work.finally(() => clearTimeout(timer));
  };
  const warn = (error: unknown) => {
    if (over.signal.aborted || isAborted(error)) return;
    if (error instanceof CliffordError)
      actor.send({ type: 'told', notice: { tone: 'warning', text: messageOf(error) } });
    else fail(error);
  };
  const arrive = (moment: Moment, at: HistoryCursor) => {
    if (over.signal.aborted) return;
    shown = moment;
    const sprint = describeScreen(moment.state, stream);
    const outcomes = new Map(sprint.open.map(({ id }) => [id, outcomeOf(requestById(project.state, id))]));
    actor.send({
      type: 'moment',
      arrived: { moment: viewOf(moment, at), sprint, index: at.index, outcomes, found: finder.found },
    });
  };
  /** Goes where it is wanted, and shows each moment that it gets to: it may be wanted elsewhere by then. */
  const followWish = async (at: HistoryCursor) => {
    for (let wanted = wish; wanted && !over.signal.aborted; wanted = wish) {
      const { version } = wanted;
      const moment = await turns.take('seek', () => at.seek(version));
      if (wish?.journey !== wanted.journey) continue;
      arrive(moment, at);
      if (wish === wanted) return;
    }
  };
  const seek = (at: HistoryCursor, version: number): Promise<void> => {
    wish = { version: Math.max(1, Math.min(version, at.length)), journey };
    travelling ??= followWish(at).finally(() => {
      travelling = undefined;
    });
    return travelling;
  };

  const go = async (travel: Travel) => {
    try {
      const begun = journey;
      const at = await soon(opened(), 'Reading the history…');
      if (journey !== begun) return;
      if (travel.to === 'words') await soon(finder.find(at, travel.words), 'Looking through the history…');
      if (travel.to === 'found') await finder.readOn();
      if (journey !== begun) return;
      // Nothing is waited for from here to the wish: each of several keys counts from where the one before leads.
      const isNow = actor.getSnapshot().context.past === undefined && !travelling;
      const from = isNow ? at.length : (wish?.version ?? at.length);
      await seek(at, versionOf(at, travel, { from, finder }));
      const outside = travel.to === 'place' ? at.outsideText(parseUntil(travel.text)) : undefined;
      if (outside !== undefined)
        tell({ tone: 'warning', text: outside.charAt(0).toUpperCase() + outside.slice(1) });
    } catch (error) {
      opening = cursor && opening;
      warn(error);
    }
  };
  const play = (speed: number | undefined) => {
    clearInterval(timer);
    if (speed === undefined || !cursor) return;
    if (isStill) {
      actor.send({ type: 'played' });
      return tell({
        tone: 'info',
        text: 'Nothing plays by itself with CLIFFORD_REDUCED_MOTION: step with the arrows',
      });
    }
    const at = cursor;
    const isSifted = actor.getSnapshot().context.past?.isSifted === true;
    const versions = isSifted ? finder.found?.versions : undefined;
    const times = compressIdle(versions ? versions.map((each) => at.index.timeOf(each)) : at.index.times, {
      longestMs: LONGEST_GAP_MS,
    });
    const here = wish?.version ?? 0;
    let playedMs = times.playedAt(versions ? placeOf(versions, here + 1) : here);
    timer = setInterval(() => {
      playedMs += FRAME_MS * speed;
      const place = times.versionAt(playedMs);
      const version = versions ? (versions[place - 1] ?? here) : place;
      if (version !== wish?.version) void seek(at, version).catch(warn);
      if (playedMs < times.totalMs) return;
      clearInterval(timer);
      actor.send({ type: 'played' });
    }, FRAME_MS);
  };
  const compare = async ([one, other]: readonly [number, number]) => {
    const at = await opened();
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const wanted = wish;
    const [before, after] = await turns.take('seek', async () => [await at.seek(from), await at.seek(to)]);
    // It was sent elsewhere meanwhile: the comparison is of no use any more.
    if (wish !== wanted) return;
    const changes = changesBetween(before.state.streams.get(stream), after.state.streams.get(stream));
    actor.send({ type: 'compared', from, to, changes: changes.map(changeText) });
  };

  const copyCommand = (options: string) => {
    const command = `clifford replay ${stream} ${options}`;
    copy(command);
    tell({ tone: 'ok', text: `Copied: ${command}` });
  };

  const subscriptions = [
    actor.on('travel', ({ travel }) => void go(travel)),
    actor.on('play', ({ speed }) => play(speed)),
    actor.on('to-now', () => {
      journey += 1;
      wish = undefined;
      play(undefined);
    }),
    actor.on('compare', ({ versions }) => void compare(versions).catch(warn)),
    actor.on('copy-moment', () => {
      const { past } = actor.getSnapshot().context;
      if (!past) return;
      copyCommand(`--at ${past.moment.version}`);
    }),
    actor.on('copy-report', () => copyCommand('--summary')),
  ];
  return {
    go,
    cursor: () => cursor,
    moment: () => shown,
    close: async () => {
      over.abort();
      finder.close();
      clearInterval(timer);
      for (const each of subscriptions) each.unsubscribe();
      const at = await opening?.catch(() => undefined);
      await at?.close();
    },
  };
}

/** What became of a question later. */
function outcomeOf(request: RequestState | undefined): string {
  return request && request.phase !== 'open' ? closedText(request) : 'It is open now, too: L goes there';
}

function isAborted(error: unknown): boolean {
  return error instanceof Error && error.name === 'AbortError';
}

function versionOf(
  at: HistoryCursor,
  travel: Travel,
  { from, finder }: { readonly from: number; readonly finder: EventFinder },
): number {
  switch (travel.to) {
    case 'event':
      return from + travel.step;
    case 'words':
      return finder.nearest(from);
    case 'found':
      return finder.next(from, travel.step);
    case 'mark':
      return at.index.nextMark(from, travel.step) ?? (travel.step === 1 ? at.length : 1);
    case 'part':
      return from + Math.round((at.length * travel.step) / 100);
    case 'first':
      return 1;
    case 'last':
      return at.length;
    case 'place':
      return at.versionOf(parseUntil(travel.text));
  }
}

function viewOf({ event }: Moment, { index, length }: HistoryCursor): PastMoment {
  const { streamversion: version, type, subject } = event;
  const at = index.timeOf(version);
  return {
    version,
    length,
    at,
    afterMs: version === 1 ? 0 : at - index.timeOf(version - 1),
    type,
    text: eventText(event),
    task: taskOf(subject),
    mark: index.markAt(version),
  };
}

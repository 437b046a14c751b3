import { CliffordError } from '../../errors.ts';
import { taskOf } from '../../events/envelope.ts';
import { messageOf } from '../../lib/message-of.ts';
import { changesBetween, changeText } from '../../views/changes-between.ts';
import { compressIdle } from '../../views/compress-idle.ts';
import { eventText } from '../../views/event-text.ts';
import { requestById } from '../../workflow/requests/find-request.ts';
import type { RequestState } from '../../machines/project-state.ts';
import { closedText } from '../text/how-closed.ts';
import { describeScreen } from '../../views/sprint-view.ts';
import { openCursor, type HistoryCursor } from '../../workflow/history/history-cursor.ts';
import type { Moment } from '../../workflow/history/history-of.ts';
import { parseUntil } from '../../workflow/history/until.ts';
import type { Project } from '../../workflow/project/project.ts';
import type { ScreenActor } from '../screen/screen-actor.ts';
import type { Notice } from '../screen/screen-state.ts';
import type { PastMoment, Travel } from './past.ts';

/** Time between two moments that are shown while a history is played, in ms. */
const FRAME_MS = 100;

/** After so long it is said that the history is being read, in ms. */
const SOON_MS = 300;

/** Where nothing happened for longer, playing waits only for so long, in ms at normal speed. */
const LONGEST_GAP_MS = 2_000;

type TravelDeps = {
  readonly actor: ScreenActor;
  readonly project: Project;
  readonly stream: string;
  /** Hands a text to the clipboard of the terminal. */
  readonly copy: (text: string) => void;
  readonly fail: (error: unknown) => void;
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
export function timeTravel({ actor, project, stream, copy, fail }: TravelDeps): TimeTravel {
  const over = new AbortController();
  let opening: Promise<HistoryCursor> | undefined;
  let cursor: HistoryCursor | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** Where it is going, or stands. */
  let target = 0;
  let shown: Moment | undefined;
  /** Counts the ways back to now: what was on its way before is not shown. */
  let journey = 0;

  const opened = async () => {
    opening ??= openCursor(project, stream, { signal: over.signal });
    cursor = await opening;
    return cursor;
  };
  const tell = (notice: Notice) => actor.send({ type: 'told', notice });
  const warn = (error: unknown) => {
    if (over.signal.aborted) return;
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
      arrived: { moment: viewOf(moment, at), sprint, index: at.index, outcomes },
    });
  };
  const seek = async (at: HistoryCursor, version: number) => {
    target = Math.max(1, Math.min(version, at.length));
    const begun = journey;
    for (;;) {
      const wanted = target;
      const moment = await at.seek(wanted);
      if (journey !== begun || over.signal.aborted) return;
      // It was sent elsewhere meanwhile: who did that shows it.
      if (wanted !== target) return;
      if (moment.event.streamversion === wanted) return arrive(moment, at);
    }
  };

  const go = async (travel: Travel) => {
    try {
      const isNow = actor.getSnapshot().context.past === undefined;
      const begun = journey;
      const reading = setTimeout(() => tell({ tone: 'info', text: 'Reading the history…' }), SOON_MS);
      const at = await opened().finally(() => clearTimeout(reading));
      if (journey !== begun) return;
      const from = isNow ? at.length : target;
      await seek(at, versionOf(at, from, travel));
    } catch (error) {
      opening = cursor && opening;
      warn(error);
    }
  };
  const play = (speed: number | undefined) => {
    clearInterval(timer);
    if (speed === undefined || !cursor) return;
    const at = cursor;
    const times = compressIdle(at.index.times, { longestMs: LONGEST_GAP_MS });
    let playedMs = times.playedAt(target);
    timer = setInterval(() => {
      playedMs += FRAME_MS * speed;
      const version = times.versionAt(playedMs);
      if (version !== target) void seek(at, version).catch(warn);
      if (version < at.length && playedMs < times.totalMs) return;
      clearInterval(timer);
      actor.send({ type: 'played' });
    }, FRAME_MS);
  };
  const compare = async ([one, other]: readonly [number, number]) => {
    const at = await opened();
    const [from, to] = [Math.min(one, other), Math.max(one, other)];
    const before = await at.seek(from);
    const after = await at.seek(to);
    void at.seek(target).catch(warn);
    // It was sent elsewhere meanwhile: the comparison is of no use any more.
    if (before.event.streamversion !== from || after.event.streamversion !== to) return;
    const changes = changesBetween(before.state.streams.get(stream), after.state.streams.get(stream));
    actor.send({ type: 'compared', from, to, changes: changes.map(changeText) });
  };

  const subscriptions = [
    actor.on('travel', ({ travel }) => void go(travel)),
    actor.on('play', ({ speed }) => play(speed)),
    actor.on('to-now', () => {
      journey += 1;
      play(undefined);
    }),
    actor.on('compare', ({ versions }) => void compare(versions).catch(warn)),
    actor.on('copy-moment', () => {
      const { past } = actor.getSnapshot().context;
      if (!past) return;
      const command = `clifford replay ${stream} --at ${past.moment.version}`;
      copy(command);
      actor.send({ type: 'told', notice: { tone: 'ok', text: `Copied: ${command}` } });
    }),
  ];
  return {
    go,
    cursor: () => cursor,
    moment: () => shown,
    close: async () => {
      over.abort();
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

function versionOf(at: HistoryCursor, from: number, travel: Travel): number {
  switch (travel.to) {
    case 'event':
      return from + travel.step;
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

import { marks, type Mark } from '../../../events/descriptor.ts';
import type { StoredEvent } from '../../../events/envelope.ts';
import { diagramOf } from '../../../machines/diagram/model.ts';
import { sprintMachine } from '../../../machines/sprint.machine.ts';
import { nameOf } from '../../../machines/status-words.ts';
import { taskMachine } from '../../../machines/task.machine.ts';
import { changeText } from '../../../views/changes/change-text.ts';
import { changesBetween, type Change } from '../../../views/events/changes-between.ts';
import { compressIdle } from '../../../views/events/compress-idle.ts';
import { callTitlesOf, titleOfType, titlesOf } from '../../../views/events/event-title.ts';
import { machinePath, type MachinePath } from '../../../views/events/machine-path.ts';
import { hadRunner } from '../../../views/sprints/standing.ts';
import type { HistoryIndex } from '../../../workflow/history/history-index.ts';
import type { SentPath } from '../../api/diagram.ts';
import { LatestTotals } from '../latest-totals.ts';
import { knownSprint } from '../known-sprint.ts';
import { eventsBetween } from '../events-between.ts';
import { eventsWithMarks } from '../events-with-marks.ts';
import { presentEvent } from '../present/present-event.ts';
import { presentHead, shownQuestion } from '../present/present-question.ts';
import { presentSprint } from '../present/present-sprint.ts';
import { notFound } from '../refusal.ts';
import type { Serving } from '../serving.ts';
import { writtenBy } from '../written-by.ts';
import type { Handlers } from './handlers.ts';

type LookingBack = 'output' | 'summary' | 'events' | 'history' | 'moment' | 'path';

/** Events in one answer. */
const MOST_EVENTS = 1_000;
/** So many without a limit. */
const LAST_EVENTS = 200;
/** In the playing of a history nobody waits longer, in ms. */
const LONGEST_PAUSE_MS = 2_000;
/** Of a longer history it is not said when each event is played. */
const MOST_PLAYED = 20_000;
/** Of more marks the loudest of each stretch stand for the others. */
const MOST_MARKS = 1_000;
/** Parts of a history whose ends have a time: halves, thirds and quarters are among them. */
const SCALE_PARTS = 12;

/** How everything came to be. */
export function lookBackHandlers(serving: Serving): Pick<Handlers, LookingBack> {
  const { project, called, histories, titles } = serving;
  const totals = new LatestTotals(project);
  return {
    summary: async ({ params: { id } }) => {
      await knownSprint(serving, id);
      return totals.of(id);
    },

    output: async ({ params: { id }, query: { task, until } }) => {
      await knownSprint(serving, id);
      return writtenBy(serving, { sprint: id, task, until });
    },

    events: async ({ params: { id }, query: { from, to, marks: named, around } }) => {
      await knownSprint(serving, id);
      const sprint = project.state.streams.get(id);
      const length = sprint?.version ?? 0;
      const present = (event: StoredEvent) => presentEvent(event, sprint);
      const last = Math.min(to ?? length, length);
      if (named !== undefined && length > 0) {
        const which = new Set(marks.filter((mark) => named.split(',').includes(mark)));
        const wanted = { from: from ?? 1, to: last, around, which, most: LAST_EVENTS };
        const { events, hasOlder } = await histories.withCursor(id, (cursor) =>
          eventsWithMarks(cursor, wanted),
        );
        return { events: events.map(present), length, hasOlder };
      }
      const first = Math.max(1, from ?? last - LAST_EVENTS + 1, last - MOST_EVENTS + 1);
      const events = await eventsBetween(histories, id, { first, last });
      return { events: events.map(present), length };
    },

    history: ({ params: { id } }) =>
      histories.withCursor(id, async ({ index, length }) => ({
        sprint: id,
        length,
        firstAt: new Date(index.timeOf(1)).toISOString(),
        lastAt: new Date(index.timeOf(length)).toISOString(),
        marks: marksOf(index),
        scale: scaleOf(index),
        ...(length > MOST_PLAYED ? {} : { playedMs: playedMs(index) }),
      })),

    moment: async ({ params: { id, version } }) => {
      const known = await knownSprint(serving, id);
      await titles.read(known);
      return histories.withCursor(id, async (cursor) => {
        if (version > cursor.length) throw notFound(`event ${version} of ${id}`);
        const before = version === 1 ? undefined : await cursor.seek(version - 1);
        const { event, state } = await cursor.seek(version);
        const sprint = state.streams.get(id);
        const wasRun = sprint !== undefined && hadRunner(sprint);
        const processes = { hasRunner: () => wasRun, isAlive: () => true };
        const open = [...(sprint?.requests.values() ?? [])].filter(({ phase }) => phase === 'open');
        const context = { processes, called, titles: titles.of(id), isPast: true };
        const shown = presentSprint({ id, folder: undefined }, state, context);
        const [nextMark, previousMark] = [
          cursor.index.nextMark(version, 1),
          cursor.index.nextMark(version, -1),
        ];
        return {
          event: presentEvent(event, sprint),
          sprint: { ...shown, acts: [], tasks: shown.tasks.map((task) => ({ ...task, acts: [] })) },
          questions: open.map((request) => presentHead(request, project.root)),
          changes: changesBetween(before?.state.streams.get(id), sprint).map(shownChange).map(changeText),
          ...(nextMark === undefined ? {} : { nextMark }),
          ...(previousMark === undefined ? {} : { previousMark }),
        };
      });
    },

    path: async ({ params: { id }, query: { task, until } }) => {
      await knownSprint(serving, id);
      if (task === undefined) return pathOfSprint(serving, id, until);
      const tracks = await histories.tracks(id).read();
      const moves = tracks.moves(task, until ?? Infinity);
      const known = project.state.streams.get(id)?.tasks.get(task);
      if (!known && moves.length === 0) throw notFound(`task ${task} of ${id}`);
      const standing = until === undefined && known ? nameOf(known.machine.value) : moves.at(-1)?.to;
      return titled(machinePath(diagramOf(taskMachine), moves, standing ?? 'pending'));
    },
  };
}

/** The way of a sprint itself; of one that the log does not have only where it would begin. */
async function pathOfSprint({ project, histories }: Serving, id: string, until: number | undefined) {
  const sprint = project.state.streams.get(id);
  const diagram = diagramOf(sprintMachine);
  if (!sprint?.version) return titled(machinePath(diagram, [], 'absent'));
  const moves = await histories.withCursor(id, (cursor) =>
    Promise.resolve(cursor.moves.filter(({ version }) => version <= (until ?? Infinity))),
  );
  const standing = until === undefined ? nameOf(sprint.machine.value) : moves.at(-1)?.to;
  return titled(machinePath(diagram, moves, standing ?? 'absent'));
}

/** With what the events of its transitions are called, those that were taken among them. */
function titled(path: MachinePath): SentPath {
  const taken = Object.fromEntries(path.steps.map(({ event }) => [event, titleOfType(event)]));
  return {
    ...path,
    titles: { ...titlesOf(path.transitions), ...taken },
    callTitles: callTitlesOf(path.transitions),
  };
}

/** What a call would do, as far as it is to be seen here. */
function shownChange(change: Change): Change {
  if (change.kind !== 'asked' && change.kind !== 'closed') return change;
  const { request } = change;
  return { ...change, request: { ...request, question: shownQuestion(request) } };
}

function marksOf(index: HistoryIndex): [number, Mark][] {
  const all: [number, Mark][] = [];
  for (let at = index.nextMark(0, 1); at !== undefined; at = index.nextMark(at, 1)) {
    const mark = index.markAt(at);
    if (mark !== undefined) all.push([at, mark]);
  }
  if (all.length <= MOST_MARKS) return all;
  const stretch = Math.ceil(index.length / MOST_MARKS);
  const byStretch = Map.groupBy(all, ([version]) => Math.floor((version - 1) / stretch));
  const loudness = ([, mark]: [number, Mark]) => marks.indexOf(mark);
  return [...byStretch.values()].flatMap((of) =>
    of.toSorted((a, b) => loudness(a) - loudness(b)).slice(0, 1),
  );
}

function scaleOf(index: HistoryIndex): [number, string][] {
  const parts = Math.min(SCALE_PARTS, index.length - 1);
  return Array.from({ length: parts + 1 }, (_, at) => {
    const version = 1 + Math.round((at * (index.length - 1)) / Math.max(1, parts));
    return [version, new Date(index.timeOf(version)).toISOString()];
  });
}

function playedMs({ times, length }: HistoryIndex): number[] {
  const { playedAt } = compressIdle(times, { longestMs: LONGEST_PAUSE_MS });
  return Array.from({ length }, (_, at) => Math.round(playedAt(at + 1)));
}

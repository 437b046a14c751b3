import type { Mark } from '../../events/descriptor.ts';
import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { exactTime } from '../../lib/time/clock-text.ts';
import { forWidths, timeIn, type LineWidth } from '../text/line-widths.ts';
import { eventText } from '../../views/events/event-text.ts';
import { workFolder } from '../../workflow/worktree/work-folder.ts';
import { eventTitle } from '../../views/events/event-title.ts';
import type { SprintState } from '../../machines/project-state.ts';
import { withoutSecrets } from '../../views/events/without-secrets.ts';
import { taskAbout } from '../../views/sprints/task-about.ts';
import { cellsOf, fill } from '../../lib/text/cells.ts';
import { visibleLine } from '../../lib/text/visible.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { jsonLines } from '../text/json-lines.ts';
import type { Span, SpanLine } from '../text/spans.ts';
import { earlierEvents } from './earlier-events.ts';
import { sprintShown, type Pane, type PaneLine } from './pane.ts';

/** What the log has of a task. */
export const eventsPane: Pane = {
  id: 'events',
  title: 'Events',
  short: 'Event',
  about: 'what the log has of the task, each event in full with Enter',
  kind: 'history',
  follows: 'events',
  load: async (source, task) => {
    const { events, project, stream } = source;
    const all = await events.read();
    const sprint = sprintShown(source);
    const own = all.filter((event) => taskAbout(event, sprint) === task);
    const look = { sprint, root: project.root };
    const earlier = own.length > 0 ? earlierEvents(all, stream) : [];
    const lines = forWidths((width) => [...earlier, ...eventLines(own, { ...look, width })]);
    return { lines, empty: emptyText(all) };
  },
};

/** So many of the newest events fill the highest terminal. */
const MOST_OF_SPRINT = 100;

/** The newest events of the whole sprint, each with its task. It has no tab: it stands where there is room for it. */
export const sprintEventsPane: Pane = {
  id: 'sprint-events',
  title: 'Events of the sprint',
  short: 'Event',
  about: 'the newest events of the whole sprint',
  kind: 'history',
  follows: 'events',
  load: async (source) => {
    const { events, project } = source;
    const newest = await events.read(MOST_OF_SPRINT);
    const sprint = sprintShown(source);
    const nameOf = (event: StoredEvent) => visibleLine(taskAbout(event, sprint) ?? '');
    const widest = Math.max(0, ...newest.map((event) => cellsOf(nameOf(event))));
    const taskWidth = Math.min(widest, WIDEST_TASK);
    const taskOf = (event: StoredEvent) => `${fill(nameOf(event), taskWidth)} `;
    const lines = forWidths((width) => eventLines(newest, { sprint, root: project.root, width, taskOf }));
    return { lines: (cells) => lines(cells - taskWidth - 1), empty: emptyText(newest) };
  },
};

/** Cells of the column of tasks, at most. */
const WIDEST_TASK = 16;

type EventLook = {
  /** That they are of. */
  readonly sprint: SprintState | undefined;
  /** Of the project. */
  readonly root: string;
  readonly width: LineWidth;
  /** What stands before it. Default: nothing. */
  readonly taskOf?: (event: StoredEvent) => string;
};

/** Where there is room, what they say stands in a column; else each says as much as fits behind its title. */
function eventLines(events: readonly StoredEvent[], { taskOf = () => '', ...look }: EventLook): PaneLine[] {
  const most = look.width === 'wide' ? WIDEST_TITLE : 0;
  const titled = events.map((event) => [event, eventTitle(event)] as const);
  const titleWidth = Math.min(most, Math.max(0, ...titled.map(([, title]) => title.length)));
  return titled.map(([event, title]) =>
    eventLine(event, { ...look, title: title.padEnd(titleWidth), task: taskOf(event) }),
  );
}

/** Cells of the column of titles, at most. */
const WIDEST_TITLE = 18;

function emptyText(all: readonly StoredEvent[]): string {
  return isAll(all)
    ? 'Nothing has happened yet'
    : 'None among the newest events of the sprint: clifford replay has all';
}

type EventCells = { readonly title: string; readonly task: string } & Omit<EventLook, 'taskOf'>;

function eventLine(event: StoredEvent, { title, task, width, sprint, root }: EventCells): PaneLine {
  const { streamversion, time } = event;
  const folder = workFolder({ root }, sprint?.tasks.get(taskAbout(event, sprint) ?? ''));
  const text = eventText(event, sprint, { folder });
  const when = timeIn(width, time);
  return {
    at: streamversion,
    time: when,
    line: {
      spans: [
        { text: when, style: 'dim' },
        { text: task, style: 'dim' },
        { text: `${title} `, style: styleOf(markOf(event)) },
        { text, style: 'plain' },
      ],
    },
    whole: () => wholeEvent(event, { text, sprint }),
  };
}

/** The colour of what stands out says which it is: as states have it, which say the same. */
function styleOf(mark: Mark | undefined): Span['style'] {
  if (mark === 'failure') return 'danger';
  if (mark === 'question' || mark === 'approval') return 'warning';
  return mark === 'task' ? 'added' : 'name';
}

const LABEL_WIDTH = 8;

/** What it says comes first, then where it stands, and what of it programs read. */
function wholeEvent(
  event: StoredEvent,
  { text, sprint }: { readonly text: string } & Pick<EventLook, 'sprint'>,
): SpanLine[] {
  const { streamversion, time, type, source, subject, id, data } = withoutSecrets(event, sprint);
  const about = [
    ['Number', `${streamversion} of ${streamOf(subject)}`],
    ['Time', exactTime(time)],
    ['Type', type],
    ['From', source],
    ['Id', id],
  ] as const;
  return [
    { spans: [{ text: eventTitle(event), style: 'bold' }] },
    ...(text === '' ? [] : [{ spans: [{ text, style: 'plain' as const }], breaks: 'words' as const }]),
    { spans: [] },
    ...about.map(([name, value]) => ({
      spans: [
        { text: name.padEnd(LABEL_WIDTH), style: 'dim' as const },
        { text: escapeAgentLine(value), style: 'plain' as const },
      ],
      hang: LABEL_WIDTH,
      breaks: 'marked words' as const,
    })),
    { spans: [{ text: 'Data', style: 'dim' }] },
    ...jsonLines(data, { indent: 2, breaks: 'marked words' }),
  ];
}

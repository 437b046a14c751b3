import { streamOf, taskOf, type StoredEvent } from '../../events/envelope.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { exactTime } from '../../lib/time/clock-text.ts';
import { forWidths, timeIn, type LineWidth } from '../text/line-widths.ts';
import { eventText } from '../../views/event-text.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { jsonLines } from '../text/json-lines.ts';
import type { SpanLine } from '../text/spans.ts';
import type { Pane, PaneLine } from './pane.ts';

/** What the log has of a task. */
export const eventsPane: Pane = {
  id: 'events',
  title: 'Events',
  short: 'Events',
  about: 'what the log has of the task, each event in full with Enter',
  kind: 'history',
  follows: 'events',
  load: async ({ events }, task) => {
    const all = await events.read();
    const own = all.filter(({ subject }) => taskOf(subject) === task);
    const lines = forWidths((width) => {
      const most = width === 'wide' ? WIDEST_TYPE.wide : WIDEST_TYPE.narrow;
      const typeWidth = Math.min(most, Math.max(0, ...own.map(({ type }) => type.length)));
      return own.map((event) => eventLine(event, typeWidth, width));
    });
    return { lines, empty: emptyText(all) };
  },
};

/** Cells of the column of types, at most. */
const WIDEST_TYPE = { wide: 16, narrow: 14 };

function emptyText(all: readonly StoredEvent[]): string {
  return isAll(all)
    ? 'Nothing has happened yet'
    : 'None among the newest events of the sprint: clifford replay has all';
}

function eventLine(event: StoredEvent, typeWidth: number, width: LineWidth): PaneLine {
  const { streamversion, time, type } = event;
  return {
    at: streamversion,
    line: {
      spans: [
        { text: timeIn(width, time), style: 'dim' },
        { text: `${type.padEnd(typeWidth)} `, style: 'name' },
        { text: eventText(event), style: 'plain' },
      ],
    },
    whole: () => wholeEvent(event),
  };
}

const LABEL_WIDTH = 8;

/** What it says comes first, then where it stands, and what of it programs read. */
function wholeEvent(event: StoredEvent): SpanLine[] {
  const { streamversion, time, type, source, subject, id, data } = event;
  const text = eventText(event);
  const about = [
    ['Number', `${streamversion} of ${streamOf(subject)}`],
    ['Time', exactTime(time)],
    ['From', source],
    ['Id', id],
  ] as const;
  return [
    { spans: [{ text: type, style: 'bold' }] },
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

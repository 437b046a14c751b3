import { taskOf, type StoredEvent } from '../../events/envelope.ts';
import { isAll } from '../../workflow/history/recent-events.ts';
import { calendarDay, clockTime } from '../../lib/time/clock-text.ts';
import { eventText } from '../../views/event-text.ts';
import { escapeAgentLine } from '../../lib/text/sanitise.ts';
import { jsonLines } from '../text/json-lines.ts';
import type { SpanLine } from '../text/spans.ts';
import type { Pane, PaneLine } from './pane.ts';

/** What the log has of a task. */
export const eventsPane: Pane = {
  id: 'events',
  title: 'Events',
  short: 'Ev',
  about: 'what the log has of the task, each event in full with Enter',
  kind: 'history',
  follows: 'events',
  load: async ({ events }, task) => {
    const all = await events.read();
    const lines = all.filter(({ subject }) => taskOf(subject) === task).map(eventLine);
    return { lines: () => lines, empty: emptyText(all) };
  },
};

function emptyText(all: readonly StoredEvent[]): string {
  return isAll(all)
    ? 'Nothing has happened yet'
    : 'None among the newest events of the sprint: clifford replay has all';
}

function eventLine(event: StoredEvent): PaneLine {
  const { streamversion, time, type } = event;
  return {
    at: streamversion,
    line: {
      spans: [
        { text: `${clockTime(time)} `, style: 'dim' },
        { text: `${type} `, style: 'name' },
        { text: eventText(event), style: 'plain' },
      ],
    },
    whole: () => wholeEvent(event),
  };
}

function wholeEvent({ streamversion, time, type, source, subject, id, data }: StoredEvent): SpanLine[] {
  const about = [
    ['Event', `${type}, number ${streamversion} of ${subject}`],
    ['Time', `${calendarDay(time)} ${clockTime(time)}`],
    ['From', source],
    ['Id', id],
  ] as const;
  return [
    ...about.map(([name, text]) => ({
      spans: [
        { text: name.padEnd(7), style: 'dim' as const },
        { text: escapeAgentLine(text), style: 'plain' as const },
      ],
      hang: 7,
      breaks: 'marked words' as const,
    })),
    ...jsonLines(data, { indent: 0 }),
  ];
}

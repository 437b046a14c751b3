import { streamOf, type StoredEvent } from '../../events/envelope.ts';
import { markOf } from '../../events/mark-of.ts';
import { clip } from '../../lib/text/clip.ts';
import { eventText } from './event-text.ts';
import { taskAbout, type Asked } from '../sprints/task-about.ts';

/** So much of what an event says is sent, in characters. */
export const TEXT_LENGTH = 2_000;

type Options = {
  /** What calls do is cut no sooner than all else: who shows it cuts it. Default: as a row of a terminal has it. */
  readonly isWhole?: boolean;
};

/** An event in a line, as it is sent to others than the agent whom a human's words were for. */
export function eventLine(event: StoredEvent, sprint: Asked | undefined, { isWhole = false }: Options = {}) {
  const { subject, streamversion: version, time, type } = event;
  const task = taskAbout(event, sprint);
  const mark = markOf(event);
  return {
    sprint: streamOf(subject),
    version,
    time,
    type,
    ...(task === undefined ? {} : { task }),
    ...(mark === undefined ? {} : { mark }),
    text: clip(eventText(event, sprint, isWhole ? { callLength: TEXT_LENGTH } : {}), TEXT_LENGTH),
  };
}

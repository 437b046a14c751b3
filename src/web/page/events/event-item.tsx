import { memo } from 'react';
import type { EventLine } from '../../api/history.ts';
import { duration } from '../../../lib/time/duration.ts';
import { callEnd, type EventRow } from '../../../views/events/event-rows.ts';
import { clockTime, dayAndTime } from '../../../lib/time/clock-text.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { toneOf } from '../parts/state-sign.tsx';
import { toneOfMark } from './tone-of-mark.ts';

type EventItemProps = {
  readonly event: EventLine;
  /** Of a call, see {@link EventRow}. */
  readonly since: string;
  readonly end: EventLine | undefined;
  readonly pending: EventRow<EventLine>['pending'];
  readonly isNow: boolean;
  /** It came after the moment of the past that is looked at. */
  readonly isLater: boolean;
  /** Its task stands above all of them. */
  readonly isOfTask: boolean;
  readonly onGo: (version: number) => void;
};

/** An event in a line, or a call with what became of it: pressing it goes to that moment. */
export const EventItem = memo(function EventItem({
  event,
  since,
  end: last,
  pending,
  isNow,
  isLater,
  isOfTask,
  onGo,
}: EventItemProps) {
  const { version, time, type, title, task, text, call } = event;
  const mark = event.mark ?? last?.mark;
  const end = callEnd({ event, since, end: last, pending });
  // What has come back is said by its word and its time; why nothing did stands below.
  const why = last?.call?.durationMs === undefined ? last?.text : '';
  return (
    <li
      className={`event tone-${toneOfMark(mark)}${mark === undefined ? '' : ' stands-out'}${isLater ? ' is-later' : ''}`}
    >
      <button
        type="button"
        className="event-button"
        aria-current={isNow ? 'step' : undefined}
        onClick={() => onGo(version)}
      >
        <span className="event-dot" aria-hidden="true" />
        <span className="event-words">
          <span className="event-head">
            <span className="event-title">{title}</span>
            {task !== undefined && !isOfTask && (
              <span className="event-task">
                <AgentLine text={task} />
              </span>
            )}
            {end && (
              <span className={`event-end number tone-${toneOf(end.word)}`}>
                {end.word}
                {end.tookMs !== undefined && ` · ${duration(end.tookMs)}`}
              </span>
            )}
            <span className="event-type">{type}</span>
            <time
              className="event-time number"
              dateTime={time}
              title={`Event ${version}, ${dayAndTime(time)}`}
            >
              {clockTime(time)}
            </time>
          </span>
          {text !== '' && (
            <span className={call?.is === 'open' ? 'event-text is-code' : 'event-text'}>
              <AgentLine text={text} />
            </span>
          )}
          {why !== undefined && why !== '' && (
            <span className="event-text">
              <AgentLine text={why} />
            </span>
          )}
        </span>
      </button>
    </li>
  );
});

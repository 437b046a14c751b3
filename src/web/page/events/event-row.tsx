import { memo } from 'react';
import type { EventLine } from '../../api/history.ts';
import { clockTime, dayAndTime } from '../../../lib/time/clock-text.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import type { Tone } from '../parts/state-sign.tsx';

const tones: Readonly<Record<NonNullable<EventLine['mark']>, Tone>> = {
  failure: 'bad',
  question: 'wait',
  approval: 'wait',
  answer: 'go',
  attempt: 'calm',
  task: 'good',
  steered: 'calm',
  sprint: 'go',
};

/** The colour of how an event stands out. */
export function toneOfMark(mark: EventLine['mark']): Tone {
  return mark === undefined ? 'calm' : tones[mark];
}

type EventRowProps = {
  readonly event: EventLine;
  readonly isNow: boolean;
  /** Its task stands above all of them. */
  readonly isOfTask: boolean;
  readonly onGo: (version: number) => void;
};

/** An event in a line: pressing it goes to that moment. */
export const EventRow = memo(function EventRow({ event, isNow, isOfTask, onGo }: EventRowProps) {
  const { version, time, type, title, task, text, mark } = event;
  return (
    <li className={`event tone-${toneOfMark(mark)}${mark === undefined ? '' : ' stands-out'}`}>
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
            <span className="event-text">
              <AgentLine text={text} />
            </span>
          )}
        </span>
      </button>
    </li>
  );
});

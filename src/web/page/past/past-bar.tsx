import { useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import type { History, SentMoment } from '../../api/history.ts';
import type { SentSprint } from '../../api/sprint.ts';
import { clockTime, dayAndTime } from '../../../lib/time/clock-text.ts';
import { useSession } from '../context.ts';
import { AgentLine } from '../parts/agent-text.tsx';
import { Icon } from '../parts/icon.tsx';
import { openDialog } from '../parts/modal.tsx';
import { useKeys } from '../parts/use-keys.ts';
import { RESTING_MS, useRead } from '../parts/use-read.ts';
import { isShown } from '../events/shown-marks.ts';
import { goTo, routeNow, useRoute } from '../route.ts';
import { Legend, Marks } from './marks.tsx';
import { Scale } from './scale.tsx';
import { usePlayer } from './use-player.ts';
import { useWidth } from './use-width.ts';
import '../look/past-slider.css';
import '../look/past.css';

type PastBarProps = {
  /** Of the sprint. */
  readonly id: string;
  /** As it is now, once that is known. */
  readonly now: SentSprint | undefined;
  readonly at: number;
  /** What was read last. */
  readonly moment: SentMoment | undefined;
  /** Why that is another one than is wanted. */
  readonly error: string | undefined;
};

/** So many things that became otherwise stand in words: where there are more, it is said above them how many. */
const MOST_CHANGES = 3;

/** Goes to a moment of the past. */
function goAt(version: number): void {
  goTo({ ...routeNow(), at: version }, { replace: true });
}

function goToNow(): void {
  goTo({ ...routeNow(), at: undefined });
}

/** Leads through the past of a sprint, once its history is read. */
export function PastBar({ id, now, at, moment, error }: PastBarProps) {
  const { api } = useSession();
  const { value: history } = useRead(`${id} ${now?.version}`, () => api.history(id), RESTING_MS);
  if (!history) return null;
  const newest = now?.id === id ? Math.max(now.version, history.length) : at;
  const isOther = error !== undefined && moment?.event.version !== at;
  return (
    <Player
      history={history}
      newest={newest}
      at={at}
      moment={isOther ? undefined : moment}
      problem={
        isOther &&
        `It could not be read${moment ? `, what you see is of event ${moment.event.version}` : ''}: ${error}`
      }
    />
  );
}

type PlayerProps = Pick<PastBarProps, 'at' | 'moment'> & {
  /** May be a little old. */
  readonly history: History;
  /** Version of the last event. */
  readonly newest: number;
  /** Why there is no moment. */
  readonly problem: string | false;
};

/** A slider over all events of a sprint, and what became otherwise with the one it is at. */
function Player({ history, newest, at, moment, problem }: PlayerProps) {
  const length = Math.max(at, history.length);
  const slider = useRef<HTMLInputElement>(null);
  // The button that led here is gone: its keyboard goes on here. Whoever is at something else stays there.
  useEffect(() => {
    if (document.activeElement === document.body) slider.current?.focus({ preventScroll: true });
  }, []);
  const bar = useHeightSaid();
  // The same is so on the way back, once that button is there again.
  useLayoutEffect(() => {
    const own = bar.current;
    return () => {
      if (own?.contains(document.activeElement))
        requestAnimationFrame(() => document.querySelector<HTMLElement>('.acts button')?.focus());
    };
  }, [bar]);
  const [line, width] = useWidth<HTMLDivElement>();
  const [speed, setSpeed] = useState(4);
  const [isPlaying, play] = usePlayer({ history, at, speed, onGo: goAt });
  useKeys(({ key, isComposing, defaultPrevented }) => {
    // Of a dialog in front of it, it closes that.
    if (key === 'Escape' && !isComposing && !defaultPrevented && openDialog.value === undefined) goToNow();
  });
  const { event, changes = [] } = moment ?? {};
  const { show } = useRoute();
  const marks = history.marks.filter(([, mark]) => isShown(mark, show));
  const { previousMark, nextMark } =
    show === undefined
      ? (moment ?? { previousMark: undefined, nextMark: undefined })
      : {
          previousMark: marks.findLast(([version]) => version < at)?.[0],
          nextMark: marks.find(([version]) => version > at)?.[0],
        };
  useEffect(() => {
    if (at > newest) goAt(newest);
  }, [at, newest]);
  const said =
    event === undefined ? `event ${at}` : `event ${event.version}, ${clockTime(event.time)}, ${event.title}`;
  return (
    <section ref={bar} className="past" aria-label="The past of this sprint">
      <div className="past-head">
        <p className="past-words">
          <strong className="number">
            {at.toLocaleString('en')} of {length.toLocaleString('en')}
          </strong>
          {event && (
            <>
              <time className="number" dateTime={event.time}>
                {dayAndTime(event.time)}
              </time>
              <strong>{event.title}</strong>
              <span className="event-type">{event.type}</span>
            </>
          )}
          {changes.length > MOST_CHANGES && <span className="number">{changes.length} changes:</span>}
          <span className="past-change">
            {problem !== false && <span role="alert">{problem}</span>}
            {changes.slice(0, MOST_CHANGES).map((change) => (
              <span key={change}>
                <AgentLine text={change} />
              </span>
            ))}
          </span>
        </p>
        <button type="button" className="button first" onClick={goToNow}>
          Back to now
        </button>
      </div>
      <div className="past-slider">
        <div ref={line} className="past-line">
          <Marks marks={marks} length={length} width={width} />
          {width > 0 && <Scale scale={history.scale} length={length} width={width} />}
        </div>
        <input
          ref={slider}
          type="range"
          min={1}
          max={length}
          value={at}
          aria-label="Moment"
          aria-valuetext={said}
          onChange={({ target }) => {
            play(false);
            goAt(Number(target.value));
          }}
        />
      </div>
      <div className="past-buttons">
        <Step name="previous" label="To what stood out before" to={previousMark} />
        <Step name="back" label="One event back" to={at > 1 ? at - 1 : undefined} />
        <button
          type="button"
          className="button square"
          aria-label={isPlaying ? 'Pause' : 'Play'}
          onClick={() => play(!isPlaying)}
        >
          <Icon name={isPlaying ? 'pause' : 'play'} />
        </button>
        <Step name="on" label="One event on" to={at < length ? at + 1 : undefined} />
        <Step name="next" label="To what stands out next" to={nextMark} />
        <label className="past-speed">
          <span className="unseen">Speed</span>
          <select className="button" value={speed} onChange={({ target }) => setSpeed(Number(target.value))}>
            {[1, 4, 16, 64].map((each) => (
              <option key={each} value={each}>
                {each}×
              </option>
            ))}
          </select>
        </label>
        <Legend marks={marks} />
      </div>
    </section>
  );
}

/** Something at the lower edge, of which the style of the rest is told the height: what is above it stays in sight. */
function useHeightSaid(): RefObject<HTMLElement | null> {
  const bar = useRef<HTMLElement>(null);
  useEffect(() => {
    const { style } = document.documentElement;
    const say = () => {
      if (bar.current) style.setProperty('--player', `${bar.current.offsetHeight}px`);
    };
    say();
    // The event was drawn before anything stood over it.
    document.querySelector('.event-list [aria-current]')?.scrollIntoView({ block: 'nearest' });
    const observer = new ResizeObserver(say);
    if (bar.current) observer.observe(bar.current);
    return () => {
      observer.disconnect();
      style.removeProperty('--player');
    };
  }, []);
  return bar;
}

type StepProps = {
  readonly name: 'previous' | 'back' | 'on' | 'next';
  readonly label: string;
  readonly to: number | undefined;
};

function Step({ name, label, to }: StepProps) {
  return (
    <button
      type="button"
      className="button square"
      aria-label={label}
      disabled={to === undefined}
      onClick={() => to !== undefined && goAt(to)}
    >
      <Icon name={name} />
    </button>
  );
}

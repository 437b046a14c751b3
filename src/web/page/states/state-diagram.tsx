import { useId } from 'react';
import {
  outerText,
  passagesOf,
  stateText,
  waysOn,
  type MachinePath,
  type PathState,
} from '../../../views/events/machine-path.ts';
import type { SentPath } from '../../api/diagram.ts';
import { moveTitle, type Moving } from '../../../views/events/move-title.ts';
import { clockTime } from '../../../lib/time/clock-text.ts';
import { useNarrow } from '../parts/use-narrow.ts';
import { toneOf } from '../parts/state-sign.tsx';
import { plainWordOf } from '../../../machines/status-words.ts';
import { layOut, type Drawing } from './lay-out.ts';
import '../look/states.css';

/** With so much room for each the states stand in a row, in pixels. */
const ROOM = 145;

/** What events are called for people, by their types, and those that are about a call. */
type Titles = Pick<SentPath, 'titles' | 'callTitles'>;

type PathProps = { readonly path: MachinePath; readonly titles: Titles };

type StateDiagramProps = PathProps & {
  /** What goes through these states: `form`. */
  readonly name: string;
};

/** The states of a machine: where something is, which way it has gone, and where it can go. */
export function StateDiagram({ path, titles, name }: StateDiagramProps) {
  const [box, isTall] = useNarrow<HTMLDivElement>(path.states.length * ROOM);
  const drawing = layOut(path.states, passagesOf(path), isTall);
  return (
    <div ref={box} className="states">
      <Picture drawing={drawing} titles={titles} label={`${name} is ${stateText(path.now)}`} />
      <div className="states-words">
        <WaysOn path={path} titles={titles} />
        <Steps path={path} titles={titles} />
      </div>
    </div>
  );
}

function Picture({
  drawing: { width, height, states, ways },
  titles,
  label,
}: {
  readonly drawing: Drawing;
  readonly titles: Titles;
  readonly label: string;
}) {
  const id = useId();
  return (
    <svg
      className="diagram"
      viewBox={`0 0 ${width} ${height}`}
      width={width}
      height={height}
      role="img"
      aria-label={label}
    >
      <defs>
        {['taken', 'open'].map((kind) => (
          <marker
            key={kind}
            id={`${id}-${kind}`}
            viewBox="0 0 8 8"
            refX="7"
            refY="4"
            markerWidth="8"
            markerHeight="8"
            orient="auto"
          >
            <path className={`arrow ${kind}`} d="M0.5 0.5 7 4 0.5 7.5z" />
          </marker>
        ))}
      </defs>
      {ways.map(({ passage, d, x, y }) => {
        const kind = passage.count > 0 ? 'taken' : 'open';
        return (
          <g key={`${passage.from} ${passage.to}`} className={`way ${kind}`}>
            <path d={d} markerEnd={`url(#${id}-${kind})`}>
              <title>{`${outerText(passage.from)} → ${outerText(passage.to)}: ${passage.events.map((moving) => titleIn(titles, moving)).join(', ')}`}</title>
            </path>
            {passage.count > 1 && (
              <g transform={`translate(${x} ${y})`}>
                <rect x="-13" y="-9" width="26" height="18" rx="9" />
                <text y="4">×{passage.count}</text>
              </g>
            )}
          </g>
        );
      })}
      {states.map(({ state, children, ...place }) => (
        // What holds in it says how it stands: what failed is done, too.
        <g
          key={state.id}
          className={classOf(state, plainWordOf(state.name, state.children.find(({ isNow }) => isNow)?.name))}
        >
          <rect {...place} rx="10" />
          <text className="outer" x={place.x + 12} y={place.y + 22}>
            {outerText(state.name)}
          </text>
          {children.map(({ state: child, ...inner }) => (
            <g key={child.id} className={classOf(child, plainWordOf(state.name, child.name))}>
              <rect {...inner} rx="7" />
              <text x={inner.x + 10} y={inner.y + 19.5}>
                {child.name}
              </text>
              {child.visits > 1 && (
                <text className="visits" x={inner.x + inner.width - 10} y={inner.y + 19.5}>
                  ×{child.visits}
                </text>
              )}
            </g>
          ))}
        </g>
      ))}
    </svg>
  );
}

function classOf({ isNow, visits, children }: PathState, word: string): string {
  const is = isNow ? 'now' : visits > 0 ? 'been' : 'new';
  return `state ${children.length > 0 ? 'outside' : 'inside'} ${is} tone-${toneOf(word)}`;
}

function titleIn({ titles, callTitles }: Titles, moving: Moving): string {
  return moveTitle(moving, { of: (event) => titles[event] ?? event, ofCall: (event) => callTitles[event] });
}

function WaysOn({ path, titles }: PathProps) {
  const ways = waysOn(path);
  return (
    <section>
      <h3>What can happen next</h3>
      {ways.length === 0 ? (
        <p className="muted">Nothing leads out of this state.</p>
      ) : (
        <dl className="ways">
          {ways.map(([moving, targets]) => (
            <div key={titleIn(titles, moving)}>
              <dt>
                {titleIn(titles, moving)} <span className="event-type">{moving.event}</span>
              </dt>
              <dd>{targets.map(stateText).join(', ')}</dd>
            </div>
          ))}
        </dl>
      )}
    </section>
  );
}

function Steps({ path: { steps, length }, titles }: PathProps) {
  return (
    <section>
      <h3>
        How it got here <span className="muted number">{length} steps</span>
      </h3>
      {steps.length === 0 ? (
        <p className="muted">It is where it began.</p>
      ) : (
        <ol className="steps">
          {steps.slice(0, 20).map(({ from, to, count, time, ...moving }) => (
            <li key={`${from} ${titleIn(titles, moving)} ${to}`}>
              <span>
                {titleIn(titles, moving)}
                {count > 1 && ` ×${count}`} <span className="event-type">{moving.event}</span>
              </span>
              <span className="muted">
                {stateText(from)} → {stateText(to)}
              </span>
              <time className="muted number" dateTime={time}>
                {clockTime(time)}
              </time>
            </li>
          ))}
        </ol>
      )}
    </section>
  );
}

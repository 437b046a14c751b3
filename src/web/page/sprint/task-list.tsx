import { useEffect, useRef } from 'react';
import type { QuestionHead } from '../../api/question.ts';
import type { SentTask } from '../../api/sprint.ts';
import { visibleLine } from '../../../lib/text/visible.ts';
import { taskItem } from '../../../views/sprints/task-items.ts';
import { useNow } from '../parts/clock.ts';
import { Icon } from '../parts/icon.tsx';
import { scrollBehavior } from '../parts/scroll-behavior.ts';
import { StateSign, toneOf, type Tone } from '../parts/state-sign.tsx';
import { TaskId } from '../parts/task-id.tsx';
import { useBelow } from '../parts/use-below.ts';
import { hrefOf, routeNow } from '../route.ts';
import { WaitingCount } from '../question/waiting-count.tsx';

type TaskListProps = {
  readonly tasks: readonly SentTask[];
  readonly hasRunner: boolean;
  /** It waits in the queue for a worker. */
  readonly isQueued: boolean;
  /** When they are looked at, in ms since the epoch; `undefined`: now. */
  readonly at: number | undefined;
  readonly current: string | undefined;
  /** Of tasks that wait, by their ids, what does. */
  readonly waiting: ReadonlyMap<string | undefined, readonly QuestionHead[]>;
};

/** The tasks of a sprint, in the order in which they are worked on. */
export function TaskList({ tasks, hasRunner, isQueued, at, current, waiting }: TaskListProps) {
  const clock = useNow();
  const now = at ?? clock;
  const titles = new Map(tasks.map(({ id, title }) => [id, title]));
  const list = useRef<HTMLOListElement>(null);
  const below = useBelow(list, `${tasks.length} ${current} ${at === undefined}`);
  useEffect(() => {
    if (list.current) centre(list.current);
  }, [current]);
  if (tasks.length === 0) return <p className="empty muted">This sprint has no tasks yet.</p>;
  return (
    <div className="tasks">
      <ol ref={list} className={tasks.length > LONG ? 'task-list is-long' : 'task-list'}>
        {tasks.map((task) => {
          const { id, title, word, attempt, time, agent, cost, notes } = taskItem(task, {
            now,
            titles,
            hasRunner,
            isQueued,
          });
          const [note = ''] = notes;
          const ofIt = waiting.get(id);
          const hasFailed = note !== '' && visibleLine(task.lastFailure ?? '').endsWith(note);
          // The words of somebody would run into what stands behind them.
          const isApart = hasFailed || task.setAside?.reason !== undefined;
          const about = {
            agent,
            attempt: attempt === '' ? '' : `attempt ${attempt}`,
            cost,
          };
          return (
            <li key={task.id}>
              <a
                className="task"
                href={hrefOf({ ...routeNow(), task: task.id })}
                data-task={task.id}
                aria-current={task.id === current ? 'true' : undefined}
              >
                <StateSign word={word} />
                <span className="task-words">
                  <span className="task-title">
                    <bdi>{title === '' ? id : title}</bdi>
                    <TaskId id={id} title={title} />
                  </span>
                  <span className="task-about dotted">
                    <span>
                      {word}
                      {note !== '' && !isApart && ` · ${note}`}
                    </span>
                    {Object.entries(about).map(
                      ([of, text]) =>
                        text !== '' && (
                          <span key={of} className={`task-${of}`}>
                            {text}
                          </span>
                        ),
                    )}
                  </span>
                  {isApart && (
                    <span className={`task-why tone-${hasFailed ? 'bad' : 'calm'}`}>
                      {[note, ...(task.gaveUp ? [visibleLine(task.gaveUp)] : [])].join(' · ')}
                    </span>
                  )}
                </span>
                {ofIt ? <WaitingCount waiting={ofIt} /> : <span className="task-time number">{time}</span>}
              </a>
            </li>
          );
        })}
      </ol>
      {below > 0 && (
        // The keyboard goes through the tasks themselves.
        <button
          type="button"
          className="tasks-more"
          tabIndex={-1}
          aria-hidden="true"
          onClick={() =>
            list.current?.scrollBy({ top: list.current.clientHeight, behavior: scrollBehavior() })
          }
        >
          {[`${below} more ${below === 1 ? 'task' : 'tasks'}`, ...pressing(tasks.slice(-below))].join(' · ')}
          <Icon name="down" />
        </button>
      )}
    </div>
  );
}

/** Scrolls to the one that is open, where it is not in sight: the list alone, and not the page. */
function centre(list: HTMLElement): void {
  const open = list.querySelector('[aria-current]')?.getBoundingClientRect();
  const { top, bottom, height } = list.getBoundingClientRect();
  if (open && (open.top < top || open.bottom > bottom))
    list.scrollTop += open.top - top - (height - open.height) / 2;
}

/** With more of them than that, each has two lines. */
const LONG = 6;

const words: readonly (readonly [tone: Tone, one: string, several?: string])[] = [
  ['wait', 'waits', 'wait'],
  ['bad', 'failed'],
  ['go', 'active'],
];

/** How many of them wait, have failed or are worked on. */
function pressing(tasks: readonly SentTask[]): string[] {
  return words.flatMap(([tone, one, several = one]) => {
    const of = tasks.filter(({ word }) => toneOf(word) === tone).length;
    return of === 0 ? [] : [`${of} ${of === 1 ? one : several}`];
  });
}

import { AgentLine } from '../parts/agent-text.tsx';
import type { SentSprint } from '../../api/sprint.ts';
import { waitsText } from '../../../views/requests/waits-text.ts';
import { lacksRunner } from '../../../views/sprints/who-runs.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { useRead } from '../parts/use-read.ts';
import { later } from '../parts/later.tsx';
import { useWhom } from '../parts/use-whom.ts';
import { hrefOf, useRoute } from '../route.ts';
import { Icon } from '../parts/icon.tsx';
import { NoRunner } from './no-runner.tsx';
import { SprintHead } from './sprint-head.tsx';
import { SprintDetail } from './sprint-detail.tsx';
import { TaskDetail } from './task-detail.tsx';
import { TaskList } from './task-list.tsx';
import { useKeyboardAtTask } from './use-keyboard-at-task.ts';
import { WaitingHere } from './waiting-here.tsx';

const PastBar = later(async () => (await import('../past/past-bar.tsx')).PastBar, 'The past');

/** A sprint: its tasks, and what of it is looked at, now or at a moment of its past. */
export function SprintPage({ id }: { readonly id: string }) {
  const session = useSession();
  const now = useStore(session.sprint);
  const state = useStore(session.state);
  const waiting = state?.questions.filter(({ sprint }) => sprint === id) ?? [];
  const whom = useWhom();
  const { at, task: taskId } = useRoute();
  useKeyboardAtTask(taskId);
  const wanted = at === undefined ? undefined : `${id} ${at}`;
  const { value: moment, ...read } = useRead(wanted, () => session.api.moment(id, at ?? 1));
  // Of the one before it says nothing of this one.
  const error = read.of === wanted ? read.error : undefined;
  const shown: SentSprint | undefined = at === undefined ? now : moment?.sprint;
  if (!shown || shown.id !== id) {
    const isThere = state?.sprints.some((each) => each.id === id) ?? true;
    return <Missing id={id} why={isThere ? error : nothingOf(id)} />;
  }
  const { tasks, hasRunner, version } = shown;
  // Of a moment of the past it is said how long things took by then.
  const nowMs = at === undefined ? undefined : Date.parse(moment?.event.time ?? '');
  const task = tasks.find((each) => each.id === taskId);
  const ofTasks = Map.groupBy(at === undefined ? waiting : [], ({ task: of }) => of);
  const elsewhere = task
    ? waiting.filter((question) => question.task !== task.id).length
    : (state?.questions.length ?? 0) - waiting.length;
  return (
    <div className={`sprint${task ? ' at-task' : ''}${at === undefined ? '' : ' at-past'}`}>
      <a className="back" href={hrefOf(task ? { sprint: id } : {})}>
        <Icon name="back" />
        {task ? 'All tasks' : 'All sprints'}
        {elsewhere > 0 && at === undefined && (
          <span className="back-waits">
            {'· '}
            {waitsText(elsewhere)} {task ? `for ${whom}` : 'elsewhere'}
          </span>
        )}
      </a>
      <SprintHead sprint={shown} atMs={nowMs} isAtTask={task !== undefined} />
      {at === undefined && !task && <WaitingHere waiting={waiting} />}
      {at === undefined && lacksRunner(shown.runs) && <NoRunner sprint={shown} />}
      <div className="columns">
        <section className="column-tasks" aria-label="Tasks">
          {id === 'adhoc' ? (
            <p className="empty muted">Outside of sprints there are no tasks.</p>
          ) : (
            <TaskList
              tasks={tasks}
              at={nowMs}
              hasRunner={hasRunner}
              isQueued={shown.queuedAt !== undefined}
              current={task?.id}
              waiting={ofTasks}
            />
          )}
        </section>
        <section className="column-detail" aria-label={task ? `Task ${task.id}` : 'The sprint'}>
          {task ? (
            <TaskDetail
              key={task.id}
              sprint={shown}
              task={task}
              version={now?.version ?? version}
              at={at}
              atMs={nowMs}
              waiting={waiting.filter((question) => question.task === task.id)}
            />
          ) : (
            <>
              <h2 className="unseen">The sprint</h2>
              <SprintDetail sprint={shown} version={now?.version ?? version} at={at} />
            </>
          )}
        </section>
      </div>
      {at !== undefined && <PastBar id={id} now={now} at={at} moment={moment} error={error} />}
    </div>
  );
}

/** A link may lead to what is not there, or not any more. */
function Missing({ id, why }: { readonly id: string; readonly why: string | undefined }) {
  return (
    <div className="sprint">
      <a className="back" href={hrefOf({})}>
        <Icon name="back" />
        All sprints
      </a>
      <h1 className="unseen">
        <AgentLine text={id} />
      </h1>
      <p className="empty muted">{why ?? 'Reading…'}</p>
      {why !== undefined && (
        <p className="to-home">
          <a className="button" href={hrefOf({})}>
            To what waits
          </a>
        </p>
      )}
    </div>
  );
}

function nothingOf(id: string): string {
  return id === 'adhoc'
    ? 'Nothing waits outside of sprints.'
    : `There is no sprint ${id} in this project, or not any more.`;
}

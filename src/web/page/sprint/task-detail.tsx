import type { SentSprint, SentTask } from '../../api/sprint.ts';
import { taskFacts } from '../../../views/task-facts.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { ChangesPane } from '../changes/changes-pane.tsx';
import { EventsPane } from '../events/events-pane.tsx';
import { OutputPane } from '../output/output-pane.tsx';
import { PastOutput } from '../output/past-output.tsx';
import { AgentLine } from '../parts/agent-text.tsx';
import { useNow } from '../parts/clock.ts';
import { StateBadge } from '../parts/state-sign.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { goTo, routeNow, useRoute } from '../route.ts';
import { StatesPane } from '../states/states-pane.tsx';
import { TaskActs } from './acts.tsx';
import { TaskPane } from './task-pane.tsx';

/** In the order of the terminal's panes. */
const tabs = [
  { id: 'output', name: 'Output' },
  { id: 'task', name: 'Task' },
  { id: 'changes', name: 'Changes' },
  { id: 'events', name: 'Events' },
  { id: 'states', name: 'States' },
  { id: 'about', name: 'About' },
] as const;

type TaskDetailProps = {
  readonly sprint: SentSprint;
  readonly task: SentTask;
  /** Of the newest event of the sprint. */
  readonly version: number;
  readonly at: number | undefined;
  /** When that was, in ms since the epoch. */
  readonly atMs: number | undefined;
};

/** One task: what its agents write, what happened to it, where it stands and what is known of it. */
export function TaskDetail({ sprint, task, version, at, atMs }: TaskDetailProps) {
  const { state } = useSession();
  const mayDecide = useStore(state)?.reader.may === 'decide';
  // What there is to see of one that nobody has begun is what it says.
  const { view = task.attempt === 0 ? 'task' : 'output' } = useRoute();
  return (
    <>
      <header className="task-head">
        <h2>
          <AgentLine text={task.title === '' ? task.id : task.title} />
        </h2>
        <StateBadge word={task.word} />
        <span className="spring" />
        {at === undefined && mayDecide && <TaskActs sprint={sprint.id} task={task} />}
      </header>
      <Tabs
        label="What of it"
        tabs={tabs}
        current={view}
        onChoose={(tab) => goTo({ ...routeNow(), view: tab }, { replace: true })}
      >
        {view === 'output' &&
          (at === undefined ? <OutputPane /> : <PastOutput sprint={sprint.id} task={task.id} at={at} />)}
        {view === 'task' && <TaskPane sprint={sprint.id} task={task} isPast={at !== undefined} />}
        {view === 'changes' && <ChangesPane sprint={sprint.id} task={task} at={at} />}
        {view === 'events' && <EventsPane sprint={sprint.id} task={task.id} version={version} at={at} />}
        {view === 'states' && <StatesPane sprint={sprint.id} task={task.id} version={version} at={at} />}
        {view === 'about' && <About sprint={sprint} task={task} atMs={atMs} />}
      </Tabs>
    </>
  );
}

function About({
  sprint: { tasks, hasRunner },
  task,
  atMs,
}: Pick<TaskDetailProps, 'sprint' | 'task' | 'atMs'>) {
  const clock = useNow();
  const now = atMs ?? clock;
  return (
    <dl className="facts">
      {taskFacts(task, { now, tasks, hasRunner, isAgentGone: task.isAgentGone }).map(
        ({ label, text }, at) => (
          <div key={`${label} ${at}`}>
            <dt>{label}</dt>
            <dd>
              <bdi>{text}</bdi>
            </dd>
          </div>
        ),
      )}
    </dl>
  );
}

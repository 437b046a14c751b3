import type { QuestionHead } from '../../api/question.ts';
import type { SentSprint, SentTask } from '../../api/sprint.ts';
import { setAsideText } from '../../../views/requests/set-aside-text.ts';
import { attemptText } from '../../../views/sprints/attempt-text.ts';
import { useStore } from '../connection/store.ts';
import { useSession } from '../context.ts';
import { EventsPane } from '../events/events-pane.tsx';
import { MarkdownLine } from '../markdown/markdown.tsx';
import { AgentLine } from '../parts/agent-text.tsx';
import { later } from '../parts/later.tsx';
import { StateBadge } from '../parts/state-sign.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { TaskId } from '../parts/task-id.tsx';
import { goTo, routeNow, useRoute } from '../route.ts';
import { TaskActs } from './acts.tsx';
import { WaitingHere } from './waiting-here.tsx';

const OutputPane = later(async () => (await import('../output/output-pane.tsx')).OutputPane, 'The output');
const PastOutput = later(async () => (await import('../output/past-output.tsx')).PastOutput, 'The output');
const TaskPane = later(async () => (await import('./task-pane.tsx')).TaskPane, 'What it says');
const StatesPane = later(async () => (await import('../states/states-pane.tsx')).StatesPane, 'Its states');
const ChangesPane = later(
  async () => (await import('../changes/changes-pane.tsx')).ChangesPane,
  'The changes',
);
const CallsPane = later(async () => (await import('../calls/calls-pane.tsx')).CallsPane, 'The calls');
const AboutPane = later(async () => (await import('./about-pane.tsx')).AboutPane, 'What is known of it');

/** In the order of the terminal's panes. */
const tabs = [
  { id: 'output', name: 'Output' },
  { id: 'task', name: 'Task' },
  { id: 'changes', name: 'Changes' },
  { id: 'events', name: 'Events' },
  { id: 'calls', name: 'Calls' },
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
  /** What it asks. */
  readonly waiting: readonly QuestionHead[];
};

/** One task: what its agents write, what happened to it, where it stands and what is known of it. */
export function TaskDetail({ sprint, task, version, at, atMs, waiting }: TaskDetailProps) {
  const { state } = useSession();
  const mayDecide = useStore(state)?.reader.may === 'decide';
  // What there is to see of one that nobody has begun is what it says.
  const { view = task.attempt === 0 ? 'task' : 'output' } = useRoute();
  return (
    <>
      <header className="task-head">
        <h2 tabIndex={-1}>
          <MarkdownLine text={task.title === '' ? task.id : task.title} />
          <TaskId id={task.id} title={task.title} />
        </h2>
        <StateBadge word={task.word} isPast={at !== undefined} />
        {at === undefined && mayDecide && <TaskActs sprint={sprint.id} task={task} />}
        {task.detail === 'failed' && task.lastFailure !== undefined && (
          <div className="task-failure" role="region" aria-label="Why it failed" tabIndex={0}>
            <AgentLine text={task.lastFailure} />
          </div>
        )}
        {task.gaveUp !== undefined && (
          <p className="task-gave-up">
            Attempt {attemptText(task)}, <AgentLine text={task.gaveUp} />
          </p>
        )}
        {task.setAside && <p className="task-gave-up">{setAsideText(task.setAside)}</p>}
      </header>
      {at === undefined && <WaitingHere waiting={waiting} isOfTask />}
      <Tabs
        label="What of it"
        tabs={tabs}
        current={view}
        onChoose={(tab) => goTo({ ...routeNow(), view: tab }, { replace: true })}
      >
        {view === 'output' &&
          (at === undefined ? (
            <OutputPane task={task} />
          ) : (
            <PastOutput sprint={sprint.id} task={task} at={at} />
          ))}
        {view === 'task' && <TaskPane sprint={sprint.id} task={task} isPast={at !== undefined} />}
        {view === 'changes' && <ChangesPane sprint={sprint.id} task={task} at={at} />}
        {view === 'events' && <EventsPane sprint={sprint.id} task={task.id} version={version} at={at} />}
        {view === 'calls' && <CallsPane sprint={sprint.id} task={task.id} version={version} at={at} />}
        {view === 'states' && <StatesPane sprint={sprint.id} task={task.id} version={version} at={at} />}
        {view === 'about' && <AboutPane sprint={sprint} task={task} atMs={atMs} />}
      </Tabs>
    </>
  );
}

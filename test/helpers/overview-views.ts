import type { InboxItem } from '../../src/views/requests/inbox.ts';
import type { Overview, SprintRow } from '../../src/views/sprints/overview.ts';
import type { TaskStatus } from '../../src/views/sprints/sprint-status.ts';
import {
  openOverview,
  type OverviewRoom,
  type OverviewState,
} from '../../src/tui/overview/overview-state.ts';
import { plainWordOf } from '../../src/machines/status-words.ts';
import { sprintWord } from '../../src/views/sprints/standing.ts';
import { approval } from './approval.ts';
import { aQuestion, aSprint, aTask } from './screen-views.ts';

/** Something that waits for a human. */
export function anItem(over: Partial<InboxItem> = {}): InboxItem {
  const { earlierAnswer: _earlier, scopes: _scopes, ...question } = aQuestion();
  return { ...question, risk: 'none', sprint: 'checkout', ...over };
}

/** A call that waits, and may destroy something. */
export const aDangerousCall = anItem({
  id: 'q-drop',
  sprint: 'web',
  task: 'form',
  kind: 'approval',
  question: 'Allow db drop_table {"table":"orders"}?',
  risk: 'destroys',
  askedAt: '2026-01-31T11:48:00.000Z',
  approval: {
    ...approval,
    server: 'db',
    tool: 'drop_table',
    args: { table: 'orders' },
    annotations: { destructiveHint: true },
  },
});

/** A task that no agent is at. */
export function aStatus(over: Partial<TaskStatus> = {}): TaskStatus {
  const task = { ...aTask(), ...over };
  return { ...task, word: plainWordOf(task.state, task.detail), isAgentGone: false, ...over };
}

/** A sprint in the overview: two tasks, one done, nobody at it. */
export function aRow(
  id: string,
  {
    waiting = [],
    runs = { is: 'not-started' },
    ...over
  }: Partial<SprintRow['sprint']> & Partial<Pick<SprintRow, 'waiting' | 'runs'>> = {},
): SprintRow {
  const { open: _open, ...sprint } = aSprint({
    id,
    name: id,
    state: 'pending',
    detail: undefined,
    lastEventAt: undefined,
  });
  const tasks = [aStatus({ id: 'schema', state: 'done', detail: 'completed' }), aStatus({ id: 'parser' })];
  const hasRunner = runs.is === 'running';
  const view = { ...sprint, tasks, open: [], inLog: true, hasRunner, ...over };
  const status = { ...view, word: sprintWord(view, hasRunner) };
  const done = status.tasks.filter(({ detail }) => detail === 'completed').length;
  const failed = status.tasks.filter(({ detail }) => detail === 'failed').length;
  return {
    sprint: status,
    done,
    total: status.tasks.length,
    failed,
    setAside: 0,
    cancelled: 0,
    blocked: 0,
    runs,
    waiting,
  };
}

/** Sprints in several states, and two requests in them. */
export function anOverview(over: Partial<Overview> = {}): Overview {
  const question = anItem({ id: 'q-grammar' });
  const agents = ['claude-code'];
  return {
    rows: [
      aRow('checkout', {
        name: 'Checkout rewrite',
        state: 'active',
        detail: 'running',
        runs: { is: 'running', agents, waiting: [] },
        waiting: [question],
      }),
      aRow('web', {
        name: 'Web page',
        state: 'blocked',
        runs: { is: 'deserted' },
        waiting: [aDangerousCall],
      }),
      aRow('api', { name: 'Public API', inLog: false }),
      aRow('search', { name: 'Search', state: 'done', detail: 'failed', runs: { is: 'failed' } }),
      aRow('old', { name: 'Migration', state: 'done', detail: 'completed', runs: { is: 'over' } }),
    ],
    inbox: [aDangerousCall, question],
    problems: [],
    ...over,
  };
}

/** The overview with keys in one list. */
export function overviewAt(area: OverviewState['area'], over: Partial<OverviewState> = {}): OverviewState {
  return { ...openOverview(anOverview()), area, ...over };
}

/** Lists of ten rows. */
export const overviewRoom: OverviewRoom = { sprintsPage: 10, inboxPage: 10, helpMax: 5 };

import type { ProjectState, SprintState } from '../machines/project-state.ts';
import type { AgentRun, TaskState } from '../machines/task-state.ts';
import { readyTasks } from '../machines/ready-tasks.ts';
import { detailOf, plainWordOf, wordOf } from '../machines/status-words.ts';
import { inboxOf } from '../views/requests/inbox.ts';
import { byLabel, gauge, type Metric } from './metric.ts';

/** What the log does not say. */
export type Surroundings = {
  readonly isAlive: (agent: AgentRun) => boolean;
  /** Unix time in ms. */
  readonly now: number;
};

const SPRINT_WORDS = ['pending', 'active', 'paused', 'blocked'];
const TASK_WORDS = [
  'pending',
  'active',
  'retrying',
  'merging',
  'blocked',
  'done',
  'failed',
  'skipped',
  'cancelled',
];
const REQUEST_KINDS = ['help', 'clarification', 'approval', 'prompt'];

/** What a project's state says, in numbers. Of sprints that are over nothing is counted. */
export function projectMetrics(state: ProjectState, { isAlive, now }: Surroundings): Metric[] {
  const streams = state.streams.loaded();
  const sprints = streams.filter(isUnderWay);
  const tasks = sprints.flatMap((sprint) => [...sprint.tasks.values()]);
  const waiting = inboxOf(state);
  const agents = streams.flatMap((sprint) => [...sprint.tasks.values()].filter(hasAgent(isAlive)));
  const oldest = Math.min(now, ...waiting.map(({ askedAt }) => Date.parse(askedAt)));
  const longestQueued = Math.min(
    now,
    ...streams.flatMap(({ queuedAt }) => (queuedAt === undefined ? [] : [Date.parse(queuedAt)])),
  );
  return [
    byLabel(
      { name: 'clifford_sprints', type: 'gauge', help: 'Sprints that are not over, by state.' },
      'state',
      counted(
        SPRINT_WORDS,
        sprints.map(({ machine }) => plainWord(machine.value)),
      ),
    ),
    byLabel(
      { name: 'clifford_tasks', type: 'gauge', help: 'Tasks of sprints that are not over, by state.' },
      'state',
      counted(
        TASK_WORDS,
        tasks.map(({ machine }) => plainWord(machine.value)),
      ),
    ),
    gauge(
      'clifford_tasks_ready',
      'Tasks that wait for nothing but an agent.',
      sprints.filter((sprint) => !isPaused(sprint)).flatMap(readyTasks).length,
    ),
    byLabel(
      { name: 'clifford_requests_open', type: 'gauge', help: 'Requests that wait for a human, by kind.' },
      'kind',
      counted(
        REQUEST_KINDS,
        waiting.map(({ kind }) => kind),
      ),
    ),
    gauge(
      'clifford_oldest_request_seconds',
      'How long the request waits that waits longest; 0: none does.',
      (now - oldest) / 1_000,
    ),
    byLabel(
      {
        name: 'clifford_queue_sprints',
        type: 'gauge',
        help: 'Sprints in the queue of workers: waiting for one, or held by one.',
      },
      'state',
      counted(
        ['waiting', 'held'],
        streams.flatMap(({ job, queuedAt }) => (job ? ['held'] : queuedAt === undefined ? [] : ['waiting'])),
      ),
    ),
    gauge(
      'clifford_queue_oldest_seconds',
      'How long the sprint waits for a worker that waits longest; 0: none does.',
      (now - longestQueued) / 1_000,
    ),
    gauge('clifford_agents_alive', 'Agent processes at work on this machine.', agents.length),
  ];
}

function isUnderWay({ manifest, machine }: SprintState): boolean {
  return manifest !== undefined && wordOf(machine.value) !== 'done';
}

function isPaused({ machine }: SprintState): boolean {
  return detailOf(machine.value) === 'paused';
}

function hasAgent(isAlive: Surroundings['isAlive']): (task: TaskState) => boolean {
  return ({ agent }) => agent !== undefined && agent.end === undefined && isAlive(agent);
}

function plainWord(value: Parameters<typeof wordOf>[0]): string {
  return plainWordOf(wordOf(value), detailOf(value));
}

/** How often each word is there; the known ones also where they are not. */
function counted(known: readonly string[], words: readonly string[]): Map<string, number> {
  const counts = new Map(known.map((word) => [word, 0]));
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

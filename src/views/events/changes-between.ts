import { createSprintState, type SprintState } from '../../machines/project-state.ts';
import { createTaskState, type TaskState } from '../../machines/task-state.ts';
import { nameOf } from '../../machines/status-words.ts';
import type { Usage } from '../../machines/usage.ts';
import { describeRequest, type RequestView } from '../requests/describe-request.ts';
import { describeTask, type TaskView } from '../sprints/describe-sprint.ts';
import { setAsideText } from '../requests/set-aside-text.ts';

/** One thing that is otherwise at a later moment of a sprint. States are as in a history: `blocked.question`. */
export type Change =
  | { readonly kind: 'sprint'; readonly from: string; readonly to: string; readonly why: string | undefined }
  | {
      readonly kind: 'task';
      readonly task: string;
      /** `undefined`: it was not there. */
      readonly from: string | undefined;
      readonly to: string;
      readonly why: string | undefined;
    }
  | { readonly kind: 'attempt'; readonly task: string; readonly from: number; readonly to: number }
  | {
      readonly kind: 'failures';
      readonly task: string;
      readonly more: number;
      readonly last: string | undefined;
    }
  | { readonly kind: 'commit'; readonly task: string; readonly commit: NonNullable<TaskView['commit']> }
  /** A question or a call that a human was asked about; `closed`: answered or dismissed, see its `phase`. */
  | { readonly kind: 'asked' | 'closed'; readonly request: RequestView }
  /** What was used more, by the agents of a task, or `undefined` of all. */
  | { readonly kind: 'usage'; readonly task: string | undefined; readonly more: Usage }
  | { readonly kind: 'calls'; readonly more: number };

/**
 * What has changed in a sprint from one moment to a later one: of the sprint, of its tasks in their order, of requests in
 * theirs, and then what adds up. `undefined`: a moment before its first event.
 */
export function changesBetween(before: SprintState | undefined, after: SprintState | undefined): Change[] {
  const [then, now] = [before ?? createSprintState(''), after ?? createSprintState('')];
  return [
    ...sprintChanges(then, now),
    ...now.tasks.values().flatMap((task) => taskChanges(then.tasks.get(task.id), task)),
    ...requestChanges(then, now),
    ...usageChange(undefined, then.usage, now.usage),
    ...(now.toolCalls > then.toolCalls
      ? [{ kind: 'calls' as const, more: now.toolCalls - then.toolCalls }]
      : []),
  ];
}

function sprintChanges(then: SprintState, now: SprintState): Change[] {
  const [from, to] = [nameOf(then.machine.value), nameOf(now.machine.value)];
  if (from === to) return [];
  return [{ kind: 'sprint', from, to, why: whyOf(to, now) }];
}

function taskChanges(then: TaskState | undefined, now: TaskState): Change[] {
  const { id: task, file } = now;
  const [before, after] = [describeTask(then ?? createTaskState({ id: task, file })), describeTask(now)];
  const [from, to] = [then && nameOf(then.machine.value), nameOf(now.machine.value)];
  const changes: Change[] = [];
  if (from !== to) changes.push({ kind: 'task', task, from, to, why: whyOf(to, now) });
  if (after.attempt > before.attempt)
    changes.push({ kind: 'attempt', task, from: before.attempt, to: after.attempt });
  const more = after.failures - before.failures;
  if (more > 0) changes.push({ kind: 'failures', task, more, last: now.lastFailure });
  if (after.commit && JSON.stringify(after.commit) !== JSON.stringify(before.commit))
    changes.push({ kind: 'commit', task, commit: after.commit });
  return [...changes, ...usageChange(task, before.usage, after.usage)];
}

function requestChanges(then: SprintState, now: SprintState): Change[] {
  return [...now.requests.values()].flatMap((request): Change[] => {
    const before = then.requests.get(request.id);
    const isClosed = request.phase !== 'open' && (before?.phase ?? 'open') === 'open';
    const view = describeRequest(request);
    return [
      ...(before ? [] : [{ kind: 'asked' as const, request: view }]),
      ...(isClosed ? [{ kind: 'closed' as const, request: view }] : []),
    ];
  });
}

function usageChange(task: string | undefined, then: Usage, now: Usage): Change[] {
  const more = {
    input: now.input - then.input,
    output: now.output - then.output,
    costUsd: now.costUsd - then.costUsd,
  };
  return more.input + more.output + more.costUsd > 0 ? [{ kind: 'usage', task, more }] : [];
}

function whyOf(
  state: string,
  { lastFailure, setAside }: Pick<TaskState, 'lastFailure' | 'setAside'>,
): string | undefined {
  if (state === 'done.failed' || state === 'active.retrying') return lastFailure;
  return state.startsWith('done.') && setAside ? setAsideText(setAside) : undefined;
}

import { describe, expect, it } from 'vitest';
import { currentTask, undelivered } from '../../../src/workflow/task/current-task.ts';
import { History, on } from '../../helpers/history.ts';

const tasks = ['a', 'b', 'c'].map((id) => ({ id, file: `${id}.md` }));
const started = [on('demo', 'sprint.created', { tasks }), on('demo', 'sprint.started')];
const asked = (requestId: string, task?: string) =>
  on(task === undefined ? 'demo' : `demo/${task}`, 'help.requested', {
    requestId,
    origin: { agent: 'session' },
  });

describe('the task an agent is to work on', () => {
  it('is that of its attempt, whatever else is under way', () => {
    const history = new History(
      ...started,
      on('demo/a', 'task.started', { runId: 'run-1' }),
      on('demo/b', 'task.started', { runId: 'run-2' }),
    );
    expect(currentTask(history.sprint(), 'run-2')?.id).toBe('b');
    expect(currentTask(history.sprint(), 'run-1')?.id).toBe('a');
  });

  it('is else the first under way, else the first that is ready', () => {
    const history = new History(...started);
    expect(currentTask(history.sprint(), undefined)?.id).toBe('a');
    history.add(on('demo/b', 'task.started'));
    history.add(asked('q-1', 'b'));
    expect(currentTask(history.sprint(), 'run-9')?.id).toBe('b');
  });
});

describe('what no agent has received', () => {
  const ids = (history: History, taskId?: string) =>
    undelivered(history.sprint(), taskId).map(({ id }) => id);

  it('is an answer, or a dismissal by a human, until an agent gets it', () => {
    const history = new History(
      ...started,
      on('demo/a', 'task.started'),
      asked('q-1', 'a'),
      asked('q-2', 'a'),
    );
    expect(ids(history, 'a')).toEqual([]);
    history.add(on('demo/a', 'help.answered', { requestId: 'q-1' }));
    history.add(on('demo/a', 'help.dismissed', { requestId: 'q-2' }));
    expect(ids(history, 'a')).toEqual(['q-1', 'q-2']);
    for (const requestId of ['q-1', 'q-2']) history.add(on('demo/a', 'help.delivered', { requestId }));
    expect(ids(history, 'a')).toEqual([]);
  });

  it('is of the task or of its sprint, not of another task', () => {
    const history = new History(...started, on('demo/a', 'task.started'), asked('q-1', 'a'), asked('q-2'));
    history.add(on('demo/a', 'help.answered', { requestId: 'q-1' }));
    history.add(on('demo', 'help.answered', { requestId: 'q-2' }));
    expect(ids(history, 'a')).toEqual(['q-1', 'q-2']);
    expect(ids(history, 'b')).toEqual(['q-2']);
  });

  it('is not what ended with its task: that was nobody’s word', () => {
    const history = new History(...started, on('demo/a', 'task.started'), asked('q-1', 'a'));
    history.add(on('demo/a', 'task.skipped'));
    history.add(on('demo/a', 'task.reset'));
    expect(ids(history, 'a')).toEqual([]);
  });
});

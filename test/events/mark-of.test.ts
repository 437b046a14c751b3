import { expect, it } from 'vitest';
import { markOf } from '../../src/events/mark-of.ts';
import { approval } from '../helpers/approval.ts';
import { History, on } from '../helpers/history.ts';

it('tells what stands out in a history from what does not', () => {
  const history = new History(
    on('demo', 'sprint.created'),
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started'),
    on('demo/a', 'agent.started'),
    on('demo/a', 'tool.requested'),
    on('demo/a', 'help.requested', { requestId: 'q-1' }),
    on('demo/a', 'help.answered', { requestId: 'q-1' }),
    on('demo/a', 'help.delivered', { requestId: 'q-1' }),
    on('demo/a', 'help.requested', { requestId: 'q-2', kind: 'approval', approval }),
    on('demo/a', 'help.answered', { requestId: 'q-2', verdict: 'approved', scope: 'once' }),
    on('demo/a', 'help.requested', { requestId: 'q-3' }),
    on('demo/a', 'help.dismissed', { requestId: 'q-3' }),
    on('demo/a', 'verify.returned', { code: 1, baseline: true }),
    on('demo/a', 'verify.returned', { code: 0 }),
    on('demo/a', 'verify.returned', { code: null }),
    on('demo/a', 'task.retried', { attempt: 2 }),
    on('demo/a', 'task.skipped'),
    on('demo', 'sprint.completed'),
  );
  expect(history.events.map((event) => [event.type, markOf(event)])).toEqual([
    ['sprint.created', 'sprint'],
    ['sprint.started', 'sprint'],
    ['task.started', 'attempt'],
    ['agent.started', undefined],
    ['tool.requested', undefined],
    ['help.requested', 'question'],
    ['help.answered', 'answer'],
    ['help.delivered', undefined],
    ['help.requested', 'approval'],
    ['help.answered', 'answer'],
    ['help.requested', 'question'],
    ['help.dismissed', 'answer'],
    ['verify.returned', undefined],
    ['verify.returned', undefined],
    ['verify.returned', 'failure'],
    ['task.retried', 'failure'],
    ['task.skipped', 'steered'],
    ['sprint.completed', 'sprint'],
  ]);
});

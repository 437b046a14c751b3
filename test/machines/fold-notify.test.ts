import { expect, it } from 'vitest';
import { withSent } from '../../src/machines/fold-notify.ts';
import { History, on } from '../helpers/history.ts';

const channel = { channel: 'phone', service: 'telegram' };
const asked = on('demo/a', 'help.requested', { requestId: 'q-1' });
const history = () =>
  new History(
    on('demo', 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started'),
    asked,
  );
const time = '2027-01-15T08:00:05.000Z';
const question = { ...channel, about: 'question', requests: ['q-1'], ref: '7', sentAt: time };

it('what was sent and is not recorded changes nothing of the sprint that it is folded over', () => {
  const sprint = history().sprint();
  const before = structuredClone({ requests: sprint.requests, tasks: sprint.tasks, told: sprint.told });
  const failures = [{ task: 'a', attempt: 1 }];
  const after = withSent(sprint, [
    question,
    { ...channel, about: 'failures', failures, sentAt: time },
    { ...channel, about: 'left', sentAt: time },
  ]);
  expect(after.requests.get('q-1')?.told).toMatchObject([{ channel: 'phone', at: time }]);
  expect(after.tasks.get('a')?.failuresTold).toEqual([{ channel: 'phone', attempt: 1 }]);
  expect(after.told).toMatchObject([{ about: 'left', at: time }]);
  expect({ requests: sprint.requests, tasks: sprint.tasks, told: sprint.told }).toEqual(before);
});

it('what was sent and may be recorded counts once, at the time when it was sent', () => {
  const told = history();
  told.add(on('demo/a', 'notify.sent', question));
  const later = '2027-01-15T09:00:00.000Z';
  const both = withSent(told.sprint(), [question, { ...question, sentAt: later }]);
  expect(both.requests.get('q-1')?.told?.map(({ at }) => at)).toEqual([time, later]);
});

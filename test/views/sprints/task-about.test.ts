import { expect, it } from 'vitest';
import { eventLine } from '../../../src/views/events/event-line.ts';
import { eventLog } from '../../helpers/stored-events.ts';

it('a question that holds no task up is of the task that it names', () => {
  const asked = [
    ...eventLog('demo', ['help.requested', { task: 'b' }]),
    ...eventLog('demo', ['sprint.paused']),
  ];
  const own = eventLog('demo/a', ['help.requested', { task: 'b' }]);
  expect([...asked, ...own].map((event) => eventLine(event).task)).toEqual(['b', undefined, 'a']);
});

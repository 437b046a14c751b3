import { expect, it } from 'vitest';
import { eventLine } from '../../../src/views/events/event-line.ts';
import { hasWords } from '../../../src/views/events/event-words.ts';
import { askedIn } from '../../../src/views/sprints/task-about.ts';
import { applyEvent } from '../../../src/machines/fold.ts';
import { createProjectState } from '../../../src/machines/project-state.ts';
import { eventLog } from '../../helpers/stored-events.ts';

it('a question that holds no task up is of the task that it names, and so is what becomes of it', () => {
  const merging = eventLog(
    'demo',
    ['help.requested', { requestId: 'q-1', task: 'b' }],
    ['help.answered', { requestId: 'q-1' }],
    ['help.requested', { requestId: 'q-2' }],
    ['help.dismissed', { requestId: 'q-2' }],
    ['sprint.paused'],
  );
  const state = createProjectState();
  for (const event of merging) applyEvent(state, event);
  const tasks = merging.map((event) => eventLine(event, askedIn(state, event)).task);
  expect(tasks).toEqual(['b', 'b', undefined, undefined, undefined]);
  const [, answered] = merging;
  expect(answered && hasWords('answered b', askedIn(state, answered))(answered)).toBe(true);
});

it('a question of a task is of that one, whichever it names', () => {
  const [own] = eventLog('demo/a', ['help.requested', { task: 'b' }]);
  expect(own && eventLine(own, undefined).task).toBe('a');
});

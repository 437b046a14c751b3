import { expect, it } from 'vitest';
import { createSprintState } from '../../../src/machines/project-state.ts';
import { askedText } from '../../../src/views/requests/asked-text.ts';
import { History, on } from '../../helpers/history.ts';

const stream = 'sprint-13';
const a = `${stream}/a`;

/** One event a second. */
function textOf(...events: Parameters<typeof on>[]) {
  const { state } = new History(
    on(stream, 'sprint.created', { tasks: [{ id: 'a', file: 'a.md' }] }),
    on(stream, 'sprint.started'),
    on(a, 'task.started', { attempt: 1, runId: 'r1' }),
    ...events.map(([subject, type, data]) => on(subject, type, data)),
  );
  return askedText(state.streams.get(stream) ?? createSprintState(stream));
}

it('says what was answered, and how long that took', () => {
  expect(
    textOf([a, 'help.requested', { requestId: 'q-1' }], [a, 'help.answered', { requestId: 'q-1' }]),
  ).toBe('1 question answered, waited 1 s for humans');
});

it('says nothing where nothing was asked, or answered', () => {
  expect(textOf()).toBe('');
  expect(textOf([a, 'help.requested', { requestId: 'q-1' }])).toBe('');
});

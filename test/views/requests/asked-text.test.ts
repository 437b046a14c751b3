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

it('tells apart what was said to calls', () => {
  const approval = { server: 's', tool: 't', args: {}, callDigest: 'd' } as never;
  const verdicts = ['approved', 'edited', 'questioned', 'denied'] as const;
  const events = verdicts.flatMap((verdict, at): Parameters<typeof on>[] => {
    const requestId = `q-${at}`;
    const edited = verdict === 'edited' ? { edited: { args: { a: 1 }, callDigest: 'e' } as never } : {};
    return [
      [a, 'help.requested', { requestId, kind: 'approval', approval }],
      [a, 'help.answered', { requestId, verdict, scope: 'once', ...edited }],
    ];
  });
  expect(textOf(...events)).toBe(
    '1 call allowed, 1 call allowed as changed, 1 call sent back with a question, 1 call denied, waited 4 s for humans',
  );
});

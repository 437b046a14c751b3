import { describe, expect, it } from 'vitest';
import { shownAnswer } from '../../src/views/calls/shown-words.ts';
import { summarise, WorkMeter } from '../../src/views/sprints/sprint-summary.ts';
import { summaryFacts } from '../../src/views/sprints/summary-facts.ts';
import { History, on } from '../helpers/history.ts';

describe('an answer as others than its agent are told of it', () => {
  it('shows what was chosen at a prompt, and nothing that was typed there', () => {
    const asked = { kind: 'prompt', options: ['yes', 'no'] } as const;
    expect(shownAnswer(asked, { response: 'yes' })).toBe('yes');
    expect(shownAnswer(asked, { response: 'hunter2' })).toBe("[not shown: it answers a program's prompt]");
    expect(shownAnswer({ kind: 'help' }, { response: 'hunter2' })).toBe('hunter2');
  });

  it('shows why a prompt gets no answer: that was typed nowhere', () => {
    const response = 'use a token instead';
    expect(shownAnswer({ kind: 'prompt' }, { response, rejected: true })).toBe(response);
  });
});

it('a summary counts the questions that nobody answered', () => {
  const history = new History(
    on('demo', 'sprint.created'),
    on('demo', 'sprint.started'),
    on('demo/a', 'task.started'),
    on('demo/a', 'help.requested', { requestId: 'q-0' }),
    on('demo/a', 'help.answered', { requestId: 'q-0' }),
    on('demo/a', 'help.requested', { requestId: 'q-1' }),
    on('demo/a', 'help.answered', { requestId: 'q-1' }),
    on('demo/a', 'help.requested', { requestId: 'q-2' }),
    on('demo/a', 'help.dismissed', { requestId: 'q-2', by: 'run-1', via: 'log' }),
    on('demo/a', 'help.requested', { requestId: 'q-3' }),
  );
  const sprint = history.state.streams.get('demo');
  if (!sprint) throw new Error('no sprint');
  const summary = summarise(sprint, new WorkMeter());
  expect(summary).toMatchObject({ questions: 4, unanswered: 1 });
  expect(summaryFacts(summary).find(({ label }) => label === 'Asked')?.text).toContain(
    '4 questions (1 that nobody answered)',
  );
});

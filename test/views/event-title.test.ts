import { expect, it } from 'vitest';
import { eventCatalog, type EventType } from '../../src/events/catalog.ts';
import { eventTitle } from '../../src/views/event-title.ts';

const types = Object.keys(eventCatalog) as EventType[];

it('every event has words of its own for people', () => {
  const titles = types.map((type) => eventTitle(type, undefined));
  expect(new Set(titles).size).toBe(types.length);
  for (const title of titles) expect(title).toMatch(/^[A-Z][a-z]+(?: [a-z]+)*$/);
});

it.each([
  ['task.started', 'Task started'],
  ['tool.returned', 'Call returned'],
  ['help.answered', 'Question answered'],
  ['policy.ruleadded', 'Rule added'],
  ['offer.unmerged', 'Merge lost'],
] as const)('%s is %j', (type, title) => {
  expect(eventTitle(type, undefined)).toBe(title);
});

it('what is asked about a call is no question', () => {
  expect(eventTitle('help.requested', 'approval')).toBe('Approval asked for');
  expect(eventTitle('help.requested', 'question')).toBe('Question asked');
});

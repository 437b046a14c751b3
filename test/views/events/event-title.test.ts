import { expect, it } from 'vitest';
import { eventCatalog, type EventType } from '../../../src/events/catalog.ts';
import { callTitleOfType, eventTitle, titleOfType } from '../../../src/views/events/event-title.ts';
import { moveTitle } from '../../../src/views/events/move-title.ts';
import { approval } from '../../helpers/approval.ts';
import { eventLog } from '../../helpers/stored-events.ts';

const types = Object.keys(eventCatalog) as EventType[];

function titleOf(type: EventType, data: object = {}): string {
  return eventLog('demo/a', [type, data]).map(eventTitle).join();
}

it('every event has words of its own for people', () => {
  const titles = types.map((type) => titleOf(type));
  expect(new Set(titles).size).toBe(types.length);
  for (const title of titles) expect(title).toMatch(/^[A-Z][a-z]+(?: [a-z]+)*$/);
});

it.each(types)('%s is called the same where there is only its type to go by', (type) => {
  expect(titleOfType(type)).toBe(titleOf(type));
});

it.each([
  ['task.started', 'Task started'],
  ['tool.returned', 'Call returned'],
  ['help.answered', 'Question answered'],
  ['policy.ruleadded', 'Rule added'],
  ['offer.unmerged', 'Merge lost'],
] as const)('%s is %j', (type, title) => {
  expect(titleOf(type)).toBe(title);
});

it('what is asked about a call is no question', () => {
  expect(titleOf('help.requested', { kind: 'approval', approval })).toBe('Approval asked for');
  expect(
    moveTitle({ event: 'help.requested', isOfCall: true }, { of: titleOfType, ofCall: callTitleOfType }),
  ).toBe('Approval asked for');
  expect(titleOf('help.requested')).toBe('Question asked');
});

it.each([
  ['approved', 'Call allowed'],
  ['edited', 'Call allowed as changed'],
  ['denied', 'Call denied'],
  ['questioned', 'Call asked about'],
])('a call that is %s is no answered question, but %j', (verdict, title) => {
  expect(titleOf('help.answered', { verdict })).toBe(title);
});

it.each([
  [{ rejected: true }, 'Question rejected'],
  [{ rephrase: true }, 'Question sent back'],
])('a question that was turned down was not answered: %j', (word, title) => {
  expect(titleOf('help.answered', word)).toBe(title);
});

it('a call is allowed once, by a rule or by a human, whose yes lets it through', () => {
  expect(titleOf('tool.allowed', { requestId: undefined, rule: 'rules[0]' })).toBe('Call allowed');
  expect(titleOf('tool.allowed', { requestId: 'q-1', by: 'ada' })).toBe('Call let through');
});

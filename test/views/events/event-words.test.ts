import { expect, it } from 'vitest';
import { hasWords } from '../../../src/views/events/event-words.ts';
import { eventLog } from '../../helpers/stored-events.ts';

const [failed, noted] = eventLog(
  'sprint-13/parser',
  ['task.failed', { reason: 'The Grammar is ambiguous' }],
  ['task.noted', { text: 'grammar' }],
);

it.each([
  ['grammar', [true, true]],
  ['PARSER grammar', [true, true]],
  ['task.failed', [true, false]],
  ['failure', [true, false]],
  ['ambiguous noted', [false, false]],
  ['sprint-13', [false, false]],
  ['  ', [false, false]],
])('%j is found in type, task, text and what stands out', (words, expected) => {
  expect([failed, noted].map((event) => event && hasWords(words, undefined)(event))).toEqual(expected);
});

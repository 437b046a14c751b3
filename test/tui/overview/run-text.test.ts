import { expect, it } from 'vitest';
import { runTexts } from '../../../src/tui/overview/run-text.ts';

it.each([
  [['a'], [], 'a at work'],
  [['a'], ['b'], 'a at work, 1 waits for you'],
  [['a', 'b'], ['c', 'd'], '2 agents at work, 2 wait for you'],
  [[], ['c'], 'c waits for you'],
] as const)('says who is at work, and how many wait: %j, %j', (agents, waiting, text) => {
  expect(runTexts({ is: 'running', agents, waiting })[0]).toBe(text);
});

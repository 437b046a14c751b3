import { expect, it } from 'vitest';
import { runTexts } from '../../../src/views/sprints/run-text.ts';
import type { WhoRuns } from '../../../src/views/sprints/who-runs.ts';

const running = (agents: readonly string[], waiting: readonly string[] = []): WhoRuns => ({
  is: 'running',
  agents,
  waiting,
});

it.each<[string, WhoRuns, readonly string[]]>([
  ['nobody yet', running([]), ['a runner is at work', 'runner', 'runs']],
  ['one', running(['codex']), ['codex at work', 'codex', 'at work']],
  [
    'several, of which some have one name',
    running(['claude', 'codex', 'claude']),
    ['claude ×2, codex at work', '3 agents at work', '3 agents', 'at work'],
  ],
  [
    'one that waits for a human',
    running([], ['codex']),
    ['codex waits for you', '1 agent waits for you', 'waits for you', 'waits'],
  ],
  [
    'several that wait',
    running([], ['codex', 'codex']),
    ['codex ×2 wait for you', '2 agents wait for you', 'wait for you', 'wait'],
  ],
])('agents at work, the fullest text first: %s', (_what, runs, texts) => {
  expect([...new Set(runTexts(runs))]).toEqual(texts);
});

it('agents that wait for a human are not at work', () => {
  expect(runTexts(running(['codex'], ['codex', 'codex']))).toEqual(
    expect.arrayContaining([
      'codex at work, codex ×2 wait for you',
      'codex at work, 2 wait for you',
      'codex at work',
      'codex',
    ]),
  );
  expect(runTexts(running(['a', 'b'], ['c']))[0]).toBe('a, b at work, c waits for you');
  expect(runTexts(running(['a', 'b'], ['c']))).toContain('2 agents at work, 1 waits for you');
});

it('they wait for others where whoever reads it may only look', () => {
  expect(runTexts(running(['a', 'b'], ['c']), 'others')).toEqual(
    expect.arrayContaining(['a, b at work, c waits for others', '2 agents at work, 1 waits for others']),
  );
  expect(runTexts(running([], ['c', 'c']), 'others')[0]).toBe('c ×2 wait for others');
});

it('a name that would reorder the line is shown as it is', () => {
  expect(runTexts(running(['co\u202Edex']))[0]).toBe('co\\u202edex at work');
});

it('nobody at work, in the same words on each face', () => {
  const first = (runs: WhoRuns) => runTexts(runs)[0];
  expect(first({ is: 'not-started' })).toBe('nobody runs it');
  expect(first({ is: 'deserted' })).toBe('no runner at work');
  expect(first({ is: 'unusable', why: 'its folder\nis gone' })).toBe('its folder is gone');
  expect(first({ is: 'over' })).toBe('');
});

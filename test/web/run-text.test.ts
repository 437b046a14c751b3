import { expect, it } from 'vitest';
import { runText } from '../../src/web/page/sprint/run-text.ts';

it('agents of one name are counted', () => {
  expect(runText({ is: 'running', agents: ['claude', 'codex', 'claude'], waiting: [] })).toBe(
    'claude ×2, codex at work',
  );
});

it('agents that wait for a human are not at work', () => {
  expect(runText({ is: 'running', agents: [], waiting: ['codex'] })).toBe('codex waits for you');
  expect(runText({ is: 'running', agents: ['codex'], waiting: ['codex', 'codex'] })).toBe(
    'codex at work, codex ×2 wait for you',
  );
  expect(runText({ is: 'running', agents: [], waiting: [] })).toBe('a runner is at work');
});

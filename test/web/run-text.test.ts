import { expect, it } from 'vitest';
import { runText } from '../../src/web/page/sprint/run-text.ts';

it('agents of one name are counted', () => {
  expect(runText({ is: 'running', agents: ['claude', 'codex', 'claude'] })).toBe('claude ×2, codex at work');
});

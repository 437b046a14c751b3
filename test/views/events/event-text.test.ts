import { expect, it } from 'vitest';
import type { EventData } from '../../../src/events/catalog.ts';
import { eventText } from '../../../src/views/events/event-text.ts';
import { approval } from '../../helpers/approval.ts';
import { eventLog } from '../../helpers/stored-events.ts';

const asked = (over: Partial<EventData<'tool.requested'>>) => {
  const [event] = eventLog('sprint-13/parser', ['tool.requested', over]);
  return event && eventText(event, undefined);
};

it('a call is told by what it does, not by its arguments', () => {
  expect(asked({ server: 'fs', tool: 'write_file', args: { path: 'a.txt', content: 'x' } })).toBe(
    'fs/write_file a.txt',
  );
  const args = { path: 'src/a.ts', old_string: 'one\ntwo\n', new_string: 'one\n2\n' };
  expect(asked({ server: '@codex', tool: 'edit', args })).toBe('Edit src/a.ts');
  expect(asked({ server: '@codex', tool: 'execute', args: { command: 'rm -rf /\u001B[2J\nls' } })).toBe(
    String.raw`rm -rf /\u001b[2J ⏎ ls`,
  );
});

it('a call names files from the folder on in which its agent works', () => {
  const args = { path: '/p/src/a.ts', old_string: 'a', new_string: 'b' };
  const [event] = eventLog('s/t', ['tool.requested', { server: '@codex', tool: 'edit', args }]);
  expect(event && [undefined, '/p'].map((folder) => eventText(event, undefined, { folder }))).toEqual([
    'Edit /p/src/a.ts',
    'Edit src/a.ts',
  ]);
});

it('a long command is told by both of its ends', () => {
  const command = `echo ${'a'.repeat(400)} && rm -rf dist`;
  const text = asked({ server: '@codex', tool: 'execute', args: { command } }) ?? '';
  expect(text).toMatch(/^echo a+…a+ && rm -rf dist$/);
  expect(text.length).toBeLessThanOrEqual(160);
});

it('what waits for a yes says which call, and the rule that asks', () => {
  const [event] = eventLog('sprint-13/parser', [
    'help.requested',
    { kind: 'approval', question: 'Allow it?', approval },
  ]);
  expect(event && eventText(event, undefined)).toBe(
    'Allow fs/write_file notes.txt? (rule: none matches, so the default asks)',
  );
});

it('an agent that was started is told by its name, not by its process and its whole command', () => {
  const started = (over: Partial<EventData<'agent.started'>>) =>
    eventLog('sprint-13/parser', ['agent.started', over]).map((event) => eventText(event, undefined))[0];
  const argv = ['node', '.home/demo-agent.js', '--verbose', 'a whole prompt'];
  expect(started({ argv, attempt: 2 })).toBe('demo-agent, attempt 2');
  expect(started({ argv, agent: 'reviewer' })).toBe('reviewer, attempt 1');
});

it('a branch that was removed is told with its last commit, so that it can be had back', () => {
  const sha = '0123456789abcdef0123456789abcdef01234567';
  const [event] = eventLog('sprint-13/parser', [
    'worktree.removed',
    { path: '/trees/parser', branch: 'clifford/sprint-13/parser', sha },
  ]);
  expect(event && eventText(event, undefined)).toBe(
    '/trees/parser, branch clifford/sprint-13/parser, which was at 0123456789ab',
  );
});

it('an answer is not told where what it answers is not known: it may have been typed at a prompt', () => {
  const [event] = eventLog('sprint-13/parser', [
    'help.answered',
    { requestId: 'q-1', response: 'sonnen_blume9' },
  ]);
  expect(event && eventText(event, undefined)).toMatch(
    /^(?!.*sonnen_blume9).*not shown: what it answers is not known/,
  );
});

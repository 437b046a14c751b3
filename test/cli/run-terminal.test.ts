import { stripVTControlCharacters } from 'node:util';
import { expect, it, onTestFinished } from 'vitest';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { openPty } from '../helpers/pty-screen.ts';
import { agentCmd, freshSprint } from '../helpers/sprint-run.ts';

it.each([
  [[], 'give-up', /demo failed, [^]*next: clifford replay demo shows what happened; the same command/, 1],
  [
    ['--no-wait'],
    'ask-and-leave',
    /demo blocked, [^]*next: clifford questions and clifford answer; the same/,
    3,
  ],
])(
  'clifford run %j, whose agent does %s, says to a person what can be done next',
  async (flags, agent, seen, code) => {
    const { root } = await freshSprint();
    const args = [cliFile, 'run', '--plain', ...flags, '--agent-cmd', agentCmd(agent)];
    const terminal = openPty(process.execPath, args, { cwd: root, columns: 120 });
    onTestFinished(terminal.kill);
    expect(await terminal.exited).toBe(code);
    expect(stripVTControlCharacters(terminal.bytes())).toMatch(seen);
  },
);

it('clifford run says nothing of that to a program', async () => {
  const { root } = await freshSprint();
  const { out, err } = await clifford(['run', '--agent-cmd', agentCmd('give-up')], { cwd: root });
  expect(out).toContain('demo failed');
  expect(out + err).not.toContain('next:');
});

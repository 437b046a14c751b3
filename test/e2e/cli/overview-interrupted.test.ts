import { closeSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { nativeLocks } from '../../../src/lib/files/native-locks.ts';
import { cliFile } from '../../helpers/clifford-process.ts';
import { openPty } from '../../helpers/pty-screen.ts';
import { agentCmd, freshSprint, typesOf } from '../../helpers/sprint-run.ts';

it('a run begun in the overview whose terminal is closed while it is made ready starts no agent', async () => {
  const { root, stateDir, project } = await freshSprint();
  const env = { CLIFFORD_AGENT_CMD: agentCmd('fail-or-hang'), USER: 'ada' };
  const screen = openPty(process.execPath, [cliFile], { cwd: root, env });
  onTestFinished(screen.kill);
  await screen.see('r run');
  screen.press('r');
  await screen.see('Enter run it');
  // It cannot be made ready before the log can be written.
  const log = openSync(join(stateDir, 'events.jsonl'), 'a');
  try {
    if (process.env['L']) expect(nativeLocks().tryLock(log)).toBe(true);
    await new Promise((r) => setTimeout(r, 1500)); screen.press('\r');
    for (let i = 0; i < 8; i++) { await new Promise((r) => setTimeout(r, 700)); console.log(screen.buffer(), screen.lines().filter(Boolean).join('\n')); }
    await vi.waitFor(() => expect(screen.buffer()).toBe('normal'), { timeout: 15_000 });
    screen.hangUp();
    await vi.waitFor(() => expect(screen.buffer()).toBe('normal'));
  } finally {
    closeSync(log);
  }
  expect(await screen.exited).toBe(130);
  expect(await typesOf(project)).toEqual(['sprint.created']);
});

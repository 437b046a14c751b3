import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startAgent } from '../../../src/runner/attempt/agent-process.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

it('what an agent started outside of its group takes its leave before it is ended', async () => {
  const cwd = await tempRoot();
  // On a machine that is too slow for its time it is told to end, and has time for that as well.
  const script = `trap 'echo bye > bye; exit' TERM; echo ready; sleep 0.2 & wait; echo bye > bye`;
  const left = spawn('/bin/sh', ['-c', script], { cwd, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void left.kill('SIGKILL'));
  await once(left.stdout, 'data');
  const isThere = () => left.exitCode === null && left.signalCode === null;
  const agent = await startAgent({
    file: '/bin/sh',
    args: ['-c', 'exit 3'],
    cwd,
    env: {},
    onOutput: () => {},
    findEscaped: () => (isThere() && left.pid !== undefined ? [left.pid] : []),
    killGraceMs: 5_000,
  });
  expect(await ('ended' in agent && agent.ended)).toMatchObject({ code: 3 });
  expect(await readFile(join(cwd, 'bye'), 'utf8')).toBe('bye\n');
});

import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';
import { OUT_OF_TIME, withinTime } from '../../../src/gateway/tools/within-time.ts';

/** It stops itself, its own shell lets it go on: it computes next to nothing in the time of its first try. */
const stopped = `
  import { spawn } from 'node:child_process';
  import { withinTime } from ${JSON.stringify(new URL('../../../src/gateway/tools/within-time.ts', import.meta.url))};
  const shell = spawn('sh', ['-c', 'while kill -CONT "$0"; do sleep 0.05; done', process.pid], { stdio: 'ignore' });
  let tries = 0;
  const result = withinTime(200, () => {
    if (tries++ === 0) for (;;) process.kill(process.pid, 'SIGSTOP');
    return 'done';
  });
  shell.kill();
  console.log(result, tries);
`;

it('begins work anew that was ended while the process did not compute', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', stopped]);
  expect(stdout).toBe('done 2\n');
});

it('ends work that computes without end', () => {
  expect(
    withinTime(20, () => {
      for (;;);
    }),
  ).toBe(OUT_OF_TIME);
});

import { spawn } from 'node:child_process';
import { expect, it } from 'vitest';
import { OUT_OF_TIME, withinTime } from '../../../src/gateway/tools/within-time.ts';

it('begins work anew that was ended while the process did not compute', () => {
  const goOn = `sleep 0.3; kill -CONT ${process.pid}`;
  let tries = 0;
  const result = withinTime(100, () => {
    if (tries++ === 0) {
      spawn('sh', ['-c', goOn], { stdio: 'ignore' });
      process.kill(process.pid, 'SIGSTOP');
      // It is ended here.
      for (;;);
    }
    return 'done';
  });
  expect({ result, tries }).toEqual({ result: 'done', tries: 2 });
});

it('ends work that computes without end', () => {
  expect(
    withinTime(20, () => {
      for (;;);
    }),
  ).toBe(OUT_OF_TIME);
});

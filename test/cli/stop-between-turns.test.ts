import { readFile } from 'node:fs/promises';
import { expect, it } from 'vitest';
import { preload, startClifford } from '../helpers/clifford-process.ts';
import { projectWithSprint } from '../helpers/temp-project.ts';

/** Ctrl-Z in the middle of a turn, as soon as the program handles it, and a word at the end of that turn. */
const stoppedInATurn = preload(`
  import { writeSync } from 'node:fs';
  process.once('newListener', (event) => event === 'SIGTSTP' && setImmediate(() => {
    process.kill(process.pid, 'SIGTSTP');
    writeSync(2, 'the turn is over\\n');
  }));
`);

it.runIf(process.platform === 'linux')(
  'Ctrl-Z stops clifford only when its turn is over, and it goes on from there',
  async () => {
    const { root } = await projectWithSprint();
    const status = startClifford(['status'], { cwd: root, nodeArgs: stoppedInATurn });

    await status.warned(/the turn is over/);
    await expect.poll(() => stateOf(status.pid)).toBe('T');
    status.kill('SIGCONT');

    const { code, out } = await status.ended;
    expect({ code, out }).toEqual({ code: 0, out: expect.stringContaining('Sprint demo') });
  },
);

/** What the kernel says of a process: `T` is stopped. */
async function stateOf(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2)[0];
}

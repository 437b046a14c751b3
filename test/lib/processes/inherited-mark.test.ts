import { spawnSync } from 'node:child_process';
import { chmod, writeFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { canMark, markProblem, withMark } from '../../../src/lib/processes/inherited-mark.ts';
import { startGroup } from '../../../src/lib/processes/start-group.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const here = { cwd: '/', path: process.env['PATH'] };

it.skipIf(process.platform !== 'linux')(
  'is not set by a program of that name that does not know it, or where it is refused',
  async () => {
    const prlimit = join(await tempRoot(), 'prlimit');
    await writeFile(prlimit, '#!/bin/sh\necho "failed to set the LOCKS resource limit" >&2\nexit 1\n');
    await chmod(prlimit, 0o755);
    expect([canMark(prlimit), canMark(join(prlimit, 'none'))]).toEqual([false, false]);
  },
);

describe.skipIf(process.platform !== 'linux' || markProblem() !== undefined)(
  'the mark of what is started',
  () => {
    it('is a limit of the program that was asked for, with its arguments', () => {
      const order = { file: 'sh', args: ['-c', 'grep locks /proc/$$/limits; echo "$1"', 'sh', '-x'] };
      const command = withMark(order, here);
      const { stdout } = spawnSync(command?.file ?? '', command?.args, { encoding: 'utf8' });
      expect(stdout).toMatch(/^Max file locks +4611686018427387904 +4611686018427387904 +locks *\n-x\n$/);
    });

    it('is no reason to start what is not there now, and would have none', async () => {
      const cwd = await tempRoot();
      await writeFile(join(cwd, 'script'), '#!/bin/sh\n');
      await writeFile(join(cwd, 'lost'), '#! /no/such/interpreter -x\n', { mode: 0o755 });
      const start = (file: string) => startGroup({ file, args: [], cwd, env: {} });
      expect(withMark({ file: './no-such-program', args: [] }, { cwd })).toBeUndefined();
      expect(await start('./no-such-program')).toEqual({ problem: 'there is no program ./no-such-program' });
      expect(await start('./script')).toEqual({ problem: './script may not be run' });
      expect(await start('./lost')).toEqual({ problem: 'the interpreter that ./lost names is not there' });
    });

    it('is not named where the folder to start in is gone', async () => {
      const cwd = join(await tempRoot(), 'gone');
      const problem = `there is no folder ${cwd}`;
      expect(await startGroup({ file: '/bin/sh', args: [], cwd, env: {} })).toEqual({ problem });
    });

    it('is that of the system’s program where there is no PATH, and of none in the folder', async () => {
      const cwd = await tempRoot();
      await writeFile(join(cwd, 'sh'), '#!/bin/sh\n', { mode: 0o755 });
      expect(withMark({ file: 'sh', args: [] }, { cwd })?.args[2]).toMatch(/^\/(usr\/)?bin\/sh$/);
    });

    it('is there already where what starts it is limited, and that is said', () => {
      const module = pathToFileURL(
        join(import.meta.dirname, '../../../src/lib/processes/inherited-mark.ts'),
      ).href;
      const script = `const { markProblem, withMark } = await import('${module}');
      console.log(markProblem(), withMark({ file: 'true', args: [] }, { cwd: '/', path: '/bin' }).file);`;
      const args = ['--locks=9', '--', process.execPath, '--input-type=module', '--eval', script];
      const { stdout } = spawnSync('prlimit', args, { encoding: 'utf8' });
      expect(stdout).toBe('the limit of file locks is set here (ulimit -x), as for what agents start true\n');
    });
  },
);

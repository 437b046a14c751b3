import { spawnSync } from 'node:child_process';
import { pathToFileURL } from 'node:url';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { markProblem, withMark } from '../../../src/lib/processes/inherited-mark.ts';

const here = { cwd: '/', path: process.env['PATH'] };

describe.skipIf(process.platform !== 'linux' || markProblem() !== undefined)(
  'the mark of what is started',
  () => {
    it('is a limit of the program that was asked for, with its arguments', () => {
      const { file, args } = withMark(
        { file: 'sh', args: ['-c', 'grep locks /proc/$$/limits; echo "$1"', 'sh', '-x'] },
        here,
      );
      const { stdout } = spawnSync(file, args, { encoding: 'utf8' });
      expect(stdout).toMatch(/^Max file locks +4611686018427387904 +4611686018427387904 +locks *\n-x\n$/);
    });

    it('leaves it to the system to say that there is no such program', () => {
      const command = { file: './no-such-program', args: ['a'] };
      expect(withMark(command, here)).toBe(command);
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

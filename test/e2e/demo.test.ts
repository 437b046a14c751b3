import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { cliFile, clifford } from '../helpers/clifford-process.ts';
import { tempRoot } from '../helpers/temp-project.ts';

describe('clifford demo without a terminal', () => {
  it(
    'shows its question, answers it by itself, and ends with a verified record',
    { timeout: 120_000 },
    async () => {
      const root = join(await tempRoot(), 'demo');
      const { code, out, err } = await clifford(['demo', '--keep', root], {
        cwd: '/',
        env: { CLIFFORD_DEMO_PACE_MS: '0' },
      });
      expect({ code, err }).toEqual({ code: 0, err: '' });

      const at = (text: string | RegExp) => out.search(text);
      const inOrder = [
        /module \| Checked it: Hello, Ada! Bonjour, Ada! Guten Tag, Ada! Hola, Ada!\n/,
        / {4}Which language should be the default: english, french, german, spanish\?\n/,
        /\n\$ clifford answer q-\S+ "French, please"\n/,
        /help\.answered ada through cli: French, please\n/,
        /program \| Wrote src\/hello\.mjs\. It says: Bonjour, Ada!\n/,
        /changelog \| Wrote CHANGELOG\.md\.\n/,
        /\ndemo completed, 3 of 3 tasks done/,
        `recorded in ${join(root, '.clifford/events.jsonl')}`,
        /\n\$ clifford replay --verify\nverified .*: \d+ events in 1 stream/,
        /\n\$ clifford replay\ndemo, /,
        / sprint\.completed +done\.completed by clifford\n/,
        `\nWhere this says clifford, type: ${process.execPath} ${cliFile}\n`,
        `rm -r ${root}`,
      ].map(at);
      expect(inOrder).not.toContain(-1);
      expect(inOrder).toEqual(inOrder.toSorted((a, b) => a - b));

      const hello = (...args: string[]) =>
        promisify(execFile)(process.execPath, [join(root, 'src/hello.mjs'), ...args]).then(
          ({ stdout }) => stdout,
        );
      expect(await hello('Grace')).toBe('Bonjour, Grace!\n');
      expect(await hello('Grace', 'spanish')).toBe('Hola, Grace!\n');
      expect(await readFile(join(root, 'spec/decisions.md'), 'utf8')).toContain(
        'the human said: French, please',
      );
      expect(await readFile(join(root, 'CHANGELOG.md'), 'utf8')).toContain('`src/hello.mjs` (4 lines)');
    },
  );

  it('touches no folder that has something in it', async () => {
    const root = await tempRoot();
    const { code, err } = await clifford(['demo', '--keep', root], { cwd: '/' });
    expect(code).toBe(2);
    expect(err).toMatch(/the folder has to be empty\n {2}Name a folder that does not exist yet/);
  });
});

import { execFileSync } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { prepareDemo } from '../../src/cli/demo/prepare-demo.ts';
import { tempRoot } from '../helpers/temp-project.ts';
import { filesIn } from '../signals/support/serve-files.ts';

const real = execFileSync('which', ['git'], { encoding: 'utf8' }).trim();

it.each([
  ['hangs', 'exec /bin/sleep 600', 'git version was ended after 2 s'],
  [
    'makes no commit',
    `case "$*" in *commit\\ --quiet*) exit 3;; esac; exec ${real} "$@"`,
    'git commit ended with exit code 3',
  ],
])('runs without git, and says so, where git %s', async (_what, script, how) => {
  const bin = await tempRoot();
  await writeFile(join(bin, 'git'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', bin);
  onTestFinished(() => void vi.unstubAllEnvs());
  const told: string[] = [];
  const root = join(await tempRoot(), 'demo');
  await prepareDemo(root, { tell: (line) => told.push(line) });
  expect(told).toEqual([`The demo runs without git, and makes no commits: ${how}.`]);
  const files = filesIn(root);
  expect(files.has('.git')).toBe(false);
  expect(files.has('.gitignore')).toBe(false);
  expect(await readFile(files.at('clifford.json'), 'utf8')).not.toContain('commit');
});

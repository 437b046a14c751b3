import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { ifThere } from '../../../src/lib/files/if-there.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { withoutGitConfig } from '../../helpers/temp-repository.ts';
import { livesOf, parallelSprint } from './support.ts';

beforeEach(withoutGitConfig);

/** Enough that a run can be killed between the first and the last. */
const FILES = 2_000;

it.each(['secrets', 'config/secrets'])(
  'of %s, which a run that was killed had half copied, git has nothing afterwards',
  async (copied) => {
    const config = { worktrees: { copy: [copied] } };
    const { root, worktrees, git, run, project } = await parallelSprint(
      { a: { 'a.txt': 'a\n' } },
      { config },
    );
    git.write({ '.gitignore': `/${copied}/\n` });
    git.commitAll();
    mkdirSync(join(root, copied), { recursive: true });
    for (let n = 0; n < FILES; n += 1) writeFileSync(join(root, copied, `token-${n}`), `TOKEN=${n}\n`);
    const copies = () =>
      ifThere(() => readdirSync(worktrees, { recursive: true, encoding: 'utf8' }), []).filter((path) =>
        path.includes('token-'),
      ).length;

    const child = spawn(process.execPath, [
      fixtureProgram('run-sprint.ts'),
      join(root, '.clifford'),
      'true',
      'demo',
      '2',
    ]);
    onTestFinished(() => void child.kill('SIGKILL'));
    const exit = once(child, 'exit');
    await vi.waitUntil(() => copies() > 20, { interval: 1, timeout: 30_000 });
    child.kill('SIGKILL');
    expect(await exit).toEqual([null, 'SIGKILL']);
    expect(copies()).toBeLessThan(FILES);

    expect(await run().ended).toMatchObject({ outcome: 'completed' });
    expect(git('rev-list', '--objects', '--all')).not.toContain('token-');
    expect(await livesOf(project)).not.toContain('a kept');
  },
);

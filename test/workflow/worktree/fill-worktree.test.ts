import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, vi } from 'vitest';
import { fillWorktree } from '../../../src/workflow/worktree/fill-worktree.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const FILES = 800;

/** A project with a folder of many files that git does not have, and a worktree without it. */
async function place() {
  const base = await tempRoot();
  const [root, workRoot] = [join(base, 'project'), join(base, 'work')];
  mkdirSync(join(root, 'vendor'), { recursive: true });
  mkdirSync(workRoot);
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(root, 'vendor', `f${n}`), 'x'.repeat(1_000));
  const { signal } = new AbortController();
  return {
    root,
    workRoot,
    aside: `${workRoot}~copying`,
    fill: () =>
      fillWorktree(
        { root, worktree: workRoot, workRoot },
        { setup: undefined, copy: ['vendor'] },
        { taskId: 'a', env: {}, signal },
      ),
    expectWhole: () => {
      expect(readdirSync(workRoot)).toEqual(['vendor']);
      expect(readdirSync(join(workRoot, 'vendor'))).toHaveLength(FILES);
    },
  };
}

it('a copy that was killed half way is made again, and leaves nothing in the worktree, nor beside it', async () => {
  const { root, workRoot, aside, fill, expectWhole } = await place();
  const child = spawn(process.execPath, [fixtureProgram('processes/worktree-filler.ts'), root, workRoot]);
  const exit = once(child, 'exit');
  await vi.waitUntil(() => existsSync(aside) && readdirSync(aside, { recursive: true }).length > 20, {
    interval: 1,
    timeout: 20_000,
  });
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  // Where git sees it, it would be taken for somebody's work.
  expect(readdirSync(workRoot)).toEqual([]);
  expect(await fill()).toEqual(['vendor']);
  expectWhole();
  expect(existsSync(aside)).toBe(false);
  expect(await fill()).toEqual([]);
});

it('a copy that fails half way leaves nothing, and is made again', async () => {
  const { root, workRoot, fill, expectWhole } = await place();
  const pipe = join(root, 'vendor', 'pipe');
  execFileSync('mkfifo', [pipe]);
  await expect(fill()).rejects.toThrow('pipe');
  expect(readdirSync(workRoot)).toEqual([]);
  rmSync(pipe);
  expect(await fill()).toEqual(['vendor']);
  expectWhole();
});

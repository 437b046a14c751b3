import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { tryHold } from '../../../src/lib/files/kernel-lock.ts';
import { fillWorktree } from '../../../src/workflow/worktree/fill-worktree.ts';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { folderForAll } from '../../helpers/folder-for-all.ts';
import { giveToOrdinary, ordinaryUser } from '../../helpers/ordinary-user.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const FILES = 800;

/** A project with a folder of many files that git does not have, and a worktree without it. */
async function place() {
  const base = await tempRoot(await folderForAll());
  const [root, workRoot] = [join(base, 'project'), join(base, 'work')];
  mkdirSync(join(root, 'vendor'), { recursive: true });
  mkdirSync(workRoot);
  for (let n = 0; n < FILES; n += 1) writeFileSync(join(root, 'vendor', `f${n}`), 'x'.repeat(1_000));
  const { signal } = new AbortController();
  return {
    root,
    workRoot,
    /** Where copies are made. */
    aside: () => readdirSync(base).flatMap((name) => (name.includes('~') ? [join(base, name)] : [])),
    filler: (...args: readonly string[]) => {
      const program = fixtureProgram('processes/worktree-filler.ts');
      return spawn(process.execPath, [program, root, workRoot, ...args]);
    },
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
  const { workRoot, aside, filler, fill, expectWhole } = await place();
  const child = filler();
  const exit = once(child, 'exit');
  const copies = () =>
    aside().flatMap((folder) => readdirSync(folder, { recursive: true, encoding: 'utf8' }));
  await vi.waitUntil(() => copies().length > 20, { interval: 1, timeout: 20_000 });
  child.kill('SIGKILL');
  expect(await exit).toEqual([null, 'SIGKILL']);
  // Where git sees it, it would be taken for somebody's work.
  expect(readdirSync(workRoot)).toEqual([]);
  expect(await fill()).toEqual(['vendor']);
  expectWhole();
  expect(aside()).toEqual([]);
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

it('two that fill it at once leave each other alone: the copy is whole, and one of them has made it', async () => {
  const { aside, fill, expectWhole } = await place();
  const copied = await Promise.all([fill(), fill()]);
  expect(copied.flat()).toEqual(['vendor']);
  expectWhole();
  expect(aside()).toEqual([]);
});

it('what somebody else copies just now, or has just begun to, is left alone, and goes once it is left behind', async () => {
  const { workRoot, aside, fill } = await place();
  const [begun, held] = [`${workRoot}~copying-begun`, `${workRoot}~copying-held`];
  for (const folder of [begun, held]) mkdirSync(folder);
  const lock = tryHold(join(held, 'lock'));
  await fill();
  expect(aside()).toEqual([begun, held]);
  lock?.release();
  utimesSync(begun, 0, 0);
  await fill();
  expect(aside()).toEqual([]);
});

it('a read-only folder is copied as it is, and nothing is left beside the worktree', async () => {
  const { root, workRoot, aside, filler, expectWhole } = await place();
  const inner = join(root, 'vendor/inner');
  mkdirSync(inner);
  writeFileSync(join(inner, 'file'), '');
  rmSync(join(root, 'vendor/f0'));
  const folders = [inner, dirname(inner), join(workRoot, 'vendor/inner'), join(workRoot, 'vendor')];
  for (const folder of folders.slice(0, 2)) chmodSync(folder, 0o555);
  onTestFinished(() => {
    for (const folder of folders.filter(existsSync)) chmodSync(folder, 0o755);
  });
  giveToOrdinary(root, workRoot, dirname(root));
  const child = filler(...ordinaryUser);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  expect([...(await once(child, 'close')), err]).toEqual([0, null, '']);
  expectWhole();
  expect(folders.map((folder) => statSync(folder).mode & 0o777)).toEqual([0o555, 0o555, 0o555, 0o555]);
  expect(aside()).toEqual([]);
});

it('what cannot be read is named, and nothing is left', async () => {
  const { root, workRoot, aside, filler } = await place();
  const shut = join(root, 'vendor/shut');
  writeFileSync(shut, '', { mode: 0 });
  giveToOrdinary(dirname(root));
  const child = filler(...ordinaryUser);
  let err = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (err += text));
  await once(child, 'close');
  expect(err).toMatch(/Cannot copy vendor into the worktree of task a: EACCES.*vendor\/shut/);
  expect([readdirSync(workRoot), aside()]).toEqual([[], []]);
});

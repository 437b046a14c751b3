import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { commitOf, makeWorld, type World } from './landing-world.ts';

/** A folder of another file system than the one that tests make their files in. */
const ELSEWHERE = '/dev/shm';

/** Whether this user may mount something for one program, and has somewhere else to mount it from. */
function mayMount(): boolean {
  const other = statSync(ELSEWHERE, { throwIfNoEntry: false });
  return (
    other !== undefined &&
    other.dev !== statSync(tmpdir()).dev &&
    spawnSync('unshare', ['-rm', 'true']).status === 0
  );
}

const program = `
const { landCommit } = await import(process.env.LAND);
const { root, sha } = JSON.parse(process.env.ORDER);
const place = { cwd: root, signal: new AbortController().signal, env: {} };
const order = { sha, into: 'main', message: 'landed', dir: root + '/.clifford', tell: console.error };
console.log(await landCommit(place, order).catch((error) => error.message));
`;

/** Kills the process in front of the first change of a name that was given for the time being. */
const killed = `
const fs = require('node:fs');
const { renameSync } = fs;
fs.renameSync = (from, to) => (from.endsWith('.tmp') ? process.kill(process.pid, 'SIGKILL') : renameSync(from, to));
require('node:module').syncBuiltinESMExports();
`;

/** Lands a commit where the shell has mounted something. @returns what came of it; `''`: it was killed. */
function landWith(
  { root }: World,
  sha: string,
  { mount, preload = '' }: { mount: string; preload?: string },
): string {
  const before = join(root, '.clifford', 'preload.cjs');
  writeFileSync(before, preload);
  const node = [process.execPath, '--require', before, '--input-type=module', '--eval', program];
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', `${mount} && exec "$@"`, 'sh', ...node],
    {
      cwd: root,
      encoding: 'utf8',
      env: {
        ...process.env,
        LAND: join(import.meta.dirname, '../../../src/workflow/landing/land-commit.ts'),
        ORDER: JSON.stringify({ root, sha }),
      },
    },
  );
  expect(stderr).toBe('');
  return stdout.trim();
}

describe.runIf(mayMount())('a landing over a mount', () => {
  it('that keeps a file from being replaced says what the system says, and takes the rest back', async () => {
    const world = await makeWorld();
    const { git, one } = world;
    expect(landWith(world, one, { mount: 'mount --bind lines.txt lines.txt' })).toMatch(
      /^lines\.txt cannot be written: EBUSY/,
    );
    expect(git.status()).toEqual([]);
  });

  it('of another file system, that was killed between a copy and its name, leaves nothing of it', async () => {
    const world = await makeWorld();
    const { root, git, one } = world;
    git.write({ 'disk/a.txt': 'a', 'disk/b.txt': 'b' });
    git.commitAll('disk');
    const sha = commitOf(world, () => git.write({ 'disk/a.txt': 'after', 'disk/b.txt': 'after' }));
    const disk = mkdtempSync(join(ELSEWHERE, 'clifford-disk-'));
    onTestFinished(() => rmSync(disk, { recursive: true }));
    cpSync(join(root, 'disk'), disk, { recursive: true });
    const mount = `mount --bind ${disk} disk`;
    expect(landWith(world, sha, { mount, preload: killed })).toBe('');
    expect(readdirSync(disk)).toEqual([expect.stringMatching(/\.tmp$/), 'a.txt', 'b.txt']);
    expect(landWith(world, one, { mount })).toBe('moved');
    expect(readdirSync(disk)).toEqual(['a.txt', 'b.txt']);
    expect(readFileSync(join(disk, 'a.txt'), 'utf8')).toBe('a');
    expect(landWith(world, sha, { mount })).toBe('landed');
    expect(readFileSync(join(disk, 'b.txt'), 'utf8')).toBe('after');
  });
});

import { mkdirSync, renameSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { FolderWatch } from '../../../src/lib/files/folder-watch.ts';
import { FileChanges } from '../../../src/events/jsonl/file-changes.ts';

async function tempFolder(): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'clifford-watch-')));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const PATIENCE = { timeout: 10_000, interval: 2 };

/** What a watch of this folder tells by notification: its look once a second stands still. */
function watched(folder: string): (string | null)[] {
  const names: (string | null)[] = [];
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const watch = new FolderWatch(folder, { onChange: (name) => names.push(name), onLook: () => {} });
  vi.useRealTimers();
  onTestFinished(() => watch.close());
  return names;
}

afterEach(() => {
  vi.useRealTimers();
});

/** New files in a folder are named to its watch. Its `null` may come once more, and swallow the first of them. */
async function isNamedOf(folder: string, names: readonly (string | null)[]): Promise<void> {
  let count = 0;
  const makeOne = async () => {
    await writeFile(join(folder, `new-${(count += 1)}`), '');
    return names;
  };
  await expect.poll(makeOne, PATIENCE).toContainEqual(expect.stringMatching(/^new-/));
}

describe('a watch of a folder', () => {
  it('tells what changes in it', async () => {
    const folder = await tempFolder();
    const names = watched(folder);
    await writeFile(join(folder, 'a'), '');
    await expect.poll(() => names, PATIENCE).toContain('a');
  });

  it('goes on in a folder that replaced it', async () => {
    const root = await tempFolder();
    const folder = join(root, 'inner');
    await mkdir(folder);
    const names = watched(folder);
    // Both before anybody can be told: when it looks, a folder of that name is there.
    renameSync(folder, join(root, 'old'));
    mkdirSync(folder);
    await expect.poll(() => names, PATIENCE).toContain(null);
    await isNamedOf(folder, names);
  });

  it('begins when the folder is made, however much of the way to it is missing', async () => {
    const root = await tempFolder();
    const folder = join(root, 'x', 'y', 'z');
    const names = watched(folder);
    for (const part of [['x'], ['x', 'y'], ['x', 'y', 'z']]) await mkdir(join(root, ...part));
    await expect.poll(() => names, PATIENCE).toContain(null);
    await isNamedOf(folder, names);
  });
});

it('the look once a second wakes nobody when the file is as it was', async () => {
  const path = join(await tempFolder(), 'a');
  await writeFile(path, '1');
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const changes = new FileChanges(path);
  onTestFinished(() => changes.close());
  let wasWoken = false;
  void changes.next().then(() => {
    wasWoken = true;
  });
  vi.advanceTimersByTime(5_000);
  await nextTurn();
  expect(wasWoken).toBe(false);
});

import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { fixtureProgram } from '../../helpers/fixture-program.ts';
import { folderForAll } from '../../helpers/folder-for-all.ts';
import { giveToOrdinary, isRoot, ordinaryUser } from '../../helpers/ordinary-user.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

/** A folder with this in it, of an ordinary user, who removes it. */
async function place(files: readonly string[]) {
  const base = await tempRoot(await folderForAll());
  for (const file of files) {
    mkdirSync(dirname(join(base, file)), { recursive: true });
    writeFileSync(join(base, file), '');
  }
  const shut = (mode: number, ...folders: readonly string[]) => {
    for (const folder of folders) chmodSync(join(base, folder), mode);
    onTestFinished(() => {
      for (const path of folders.map((each) => join(base, each)).filter(existsSync)) chmodSync(path, 0o755);
    });
  };
  /** @param before - What somebody else does there first. */
  const remove = (name: string, env = {}, before: () => void = () => undefined) => {
    giveToOrdinary(base);
    before();
    const program = fixtureProgram('processes/tree-remover.ts');
    return execFileSync(process.execPath, [program, join(base, name), ...ordinaryUser], {
      encoding: 'utf8',
      env: { ...process.env, ...env },
    });
  };
  return { base, shut, remove };
}

it('read-only folders go, and what a link in them leads to stays as it is', async () => {
  const { base, shut, remove } = await place(['tree/mod/in/file', 'outside/file']);
  symlinkSync(join(base, 'outside'), join(base, 'tree/mod/link'));
  shut(0o555, 'tree/mod/in', 'tree/mod', 'outside');
  expect(remove('tree')).toBe('');
  expect(existsSync(join(base, 'tree'))).toBe(false);
  expect(existsSync(join(base, 'outside/file'))).toBe(true);
  expect(statSync(join(base, 'outside')).mode & 0o777).toBe(0o555);
});

it('a folder that cannot be looked into stays, and is named', async () => {
  const { base, shut, remove } = await place(['tree/shut/file', 'tree/other/file']);
  shut(0, 'tree/shut');
  expect(remove('tree')).toMatch(/EACCES.*tree\/shut/);
  chmodSync(join(base, 'tree/shut'), 0o755);
  expect(existsSync(join(base, 'tree/shut/file'))).toBe(true);
});

it('others have their turn behind each read-only folder: there may be many', async () => {
  const folders = ['a', 'b', 'c', 'd'].map((name) => `tree/${name}`);
  const { base, shut, remove } = await place(folders.map((folder) => `${folder}/file`));
  shut(0o555, ...folders);
  expect(remove('tree', { LOOK: '1' })).toBe('seen between');
  expect(existsSync(join(base, 'tree'))).toBe(false);
});

it.runIf(isRoot)('a file that only its owner may remove stays, and is named', async () => {
  const { base, remove } = await place(['tree/shared/own']);
  const theirs = join(base, 'tree/shared/theirs');
  // As a container leaves a folder for all to write to.
  const before = () => {
    writeFileSync(theirs, '');
    chownSync(join(base, 'tree/shared'), 0, 0);
    chmodSync(join(base, 'tree/shared'), 0o1777);
  };
  expect(remove('tree', {}, before)).toMatch(/EPERM.*tree\/shared\/theirs/);
  expect(existsSync(theirs)).toBe(true);
});

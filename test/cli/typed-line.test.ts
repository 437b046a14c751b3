import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { otherName, otherNameText, typedAnywhere, typedLine } from '../../src/cli/project/typed-line.ts';
import { cliFile } from '../helpers/clifford-process.ts';
import { tempRoot } from '../helpers/temp-project.ts';

it('a command is named as it starts Clifford here, in the folder that is meant', async () => {
  const [root, elsewhere] = [await tempRoot(), await tempRoot()];
  const bin = join(root, 'bin');
  await mkdir(bin);
  const place = { cwd: root, calledIn: root, calledLog: undefined, env: { PATH: bin } };
  const byPath = `${process.execPath} ${cliFile}`;
  expect(typedLine(place, 'attach', 'demo')).toBe(`${byPath} attach demo`);
  expect(otherName(place)).toBe(byPath);
  expect(otherNameText(place)).toBe(`clifford is not on your PATH: in its place type ${byPath}`);

  await symlink(cliFile, join(bin, 'clifford'));
  expect(typedLine(place, 'attach', 'a b')).toBe(`clifford attach 'a b'`);
  expect(otherName(place)).toBeUndefined();
  expect(typedLine({ ...place, calledIn: elsewhere }, 'attach')).toBe(`cd ${root} && clifford attach`);
  for (const cwd of [root, bin])
    expect(typedAnywhere({ ...place, cwd, calledIn: cwd }, root, 'replay', 'a b')).toBe(
      `cd ${root} && clifford replay 'a b'`,
    );

  await mkdir(join(root, 'node_modules'));
  await symlink(join(cliFile, '../..'), join(root, 'node_modules/clifford'));
  expect(otherName(place)).toBe('npx --no clifford');
  expect(otherNameText(place)).toBe(
    'the clifford on your PATH may be another one: in its place type npx --no clifford',
  );
});

it('a command names the log where the shell in which it is typed names another one, or none', async () => {
  const root = await tempRoot();
  const [url, prefix] = ['nats://127.0.0.1:4222/team', `${process.execPath} ${cliFile} run`];
  const typed = (calledLog: string | undefined, log: string | undefined) =>
    typedLine({ cwd: root, calledIn: root, calledLog, env: { PATH: '', CLIFFORD_LOG: log } }, 'run');
  expect(typed(undefined, url)).toBe(`CLIFFORD_LOG=${url} ${prefix}`);
  expect(typed(url, '')).toBe(`CLIFFORD_LOG= ${prefix}`);
  expect(typed(undefined, '')).toBe(prefix);
  expect(typed(url, url)).toBe(prefix);
});

import {
  chmod,
  mkdir,
  readdir,
  readFile,
  readlink,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { TemporaryEdits, giveBackLeftFiles } from '../../../src/runner/temporary-edits/temporary-edits.ts';
import { currentEdits } from '../../../src/workflow/temporary-edits/current-edits.ts';
import { fileDigest } from '../../../src/lib/files/file-digest.ts';
import { tempRoot } from '../../helpers/temp-project.ts';

const mine = '{\n  // mine\n  "mcpServers": { "db": { "command": "db" } },\n}\n';

/** A project whose `.cursor/mcp.json` can be changed by several runners, each with notes of its own. */
async function project(text?: string, mode = 0o640) {
  const root = await tempRoot();
  const stateDir = join(root, '.clifford');
  const path = join(root, '.cursor/mcp.json');
  if (text !== undefined) {
    await mkdir(dirname(path));
    await writeFile(path, text);
    await chmod(path, mode);
  }
  const file = { path, keys: ['mcpServers', 'clifford'], value: { command: 'node' } };
  const runner = () => {
    const notes: string[] = [];
    const temporaryEdits = new TemporaryEdits(stateDir, (note) => notes.push(note));
    onTestFinished(() => temporaryEdits.undoAll());
    return { temporaryEdits, notes };
  };
  const text_ = () => readFile(path, 'utf8');
  const isLeft = async () => (await readdir(stateDir)).includes('temporary-edits');
  return { root, stateDir, path, file, runner, text: text_, isLeft };
}

describe('a file of the user', () => {
  it('has the entry while a run needs it, and is then as it was, mode and all', async () => {
    const { path, file, runner, text, isLeft } = await project(mine);
    const { temporaryEdits, notes } = runner();
    await temporaryEdits.apply('run-1', [file]);
    expect(await text()).toBe(mine.replace('{ "db"', '{"clifford": {"command":"node"},  "db"'));
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    await temporaryEdits.undo('run-1');
    expect(await text()).toBe(mine);
    expect((await stat(path)).mode & 0o777).toBe(0o640);
    expect(await readdir(dirname(path))).toEqual(['mcp.json']);
    expect(await isLeft()).toBe(false);
    expect(notes).toEqual([]);
  });

  it('that was not there is gone again, and so is its folder', async () => {
    const { root, file, runner, text } = await project();
    const { temporaryEdits } = runner();
    await temporaryEdits.apply('run-1', [file]);
    expect(JSON.parse(await text())).toEqual({ mcpServers: { clifford: { command: 'node' } } });
    await temporaryEdits.undo('run-1');
    expect(await readdir(root)).toEqual(['.clifford']);
  });

  it('keeps its folder when somebody put something into it', async () => {
    const { root, file, runner } = await project();
    const { temporaryEdits } = runner();
    await temporaryEdits.apply('run-1', [file]);
    await writeFile(join(root, '.cursor/rules'), 'be kind');
    await temporaryEdits.undo('run-1');
    expect(await readdir(join(root, '.cursor'))).toEqual(['rules']);
  });

  it('that is a link stays one', async () => {
    const { root, path, file, runner } = await project();
    await mkdir(dirname(path));
    await writeFile(join(root, 'real.json'), mine);
    await symlink('../real.json', path);
    const { temporaryEdits } = runner();
    await temporaryEdits.apply('run-1', [file]);
    expect(await readFile(join(root, 'real.json'), 'utf8')).toContain('clifford');
    await temporaryEdits.undo('run-1');
    expect(await readFile(join(root, 'real.json'), 'utf8')).toBe(mine);
    expect(await realpath(path)).toBe(join(root, 'real.json'));
    expect((await readdir(root)).toSorted()).toEqual(['.clifford', '.cursor', 'real.json']);
  });

  it.each([
    ['a file that is not there', '.cursor/mcp.json', '../conf/mcp.json', 'conf/mcp.json'],
    ['a folder that has none', '.cursor', 'conf', 'conf/mcp.json'],
  ])('is made behind a link to %s, and the link stays', async (_, link, to, made) => {
    const { root, stateDir, file, runner, text } = await project();
    await mkdir(join(root, 'conf'));
    await mkdir(dirname(join(root, link)), { recursive: true });
    await symlink(to, join(root, link));
    const { temporaryEdits } = runner();
    await temporaryEdits.apply('run-1', [file]);
    expect(await text()).toContain('clifford');
    expect([...currentEdits({ root, dir: stateDir }).keys()]).toContain(made);
    await temporaryEdits.undo('run-1');
    expect(await readlink(join(root, link))).toBe(to);
    expect(await readdir(join(root, 'conf'))).toEqual([]);
  });

  it('is given back when the last of two runs is over, whoever was first', async () => {
    const { file, runner, text } = await project(mine);
    const [one, other] = [runner(), runner()];
    await one.temporaryEdits.apply('run-1', [file]);
    const temporaryEdits = await text();
    await other.temporaryEdits.apply('run-2', [file]);
    expect(await text()).toBe(temporaryEdits);
    await one.temporaryEdits.undo('run-1');
    expect(await text()).toBe(temporaryEdits);
    expect(await giveBackLeftFiles(file.path.replace('.cursor/mcp.json', '.clifford'))).toEqual([]);
    expect(await text()).toBe(temporaryEdits);
    await other.temporaryEdits.undo('run-2');
    expect(await text()).toBe(mine);
  });

  it('that was changed meanwhile keeps the change, without the entry', async () => {
    const { path, file, runner, text, isLeft } = await project(mine);
    const { temporaryEdits, notes } = runner();
    await temporaryEdits.apply('run-1', [file]);
    await writeFile(path, (await text()).replace('"command": "db"', '"command": "other"'));
    await temporaryEdits.undo('run-1');
    expect(await text()).toBe(mine.replace('"command": "db"', '"command": "other"'));
    expect(notes).toEqual([
      `${path} was changed while an agent needed mcpServers.clifford in it: the change stays, mcpServers.clifford was taken out`,
    ]);
    expect(await isLeft()).toBe(false);
  });

  it('that was changed between two runs keeps the change for good', async () => {
    const { path, file, runner, text } = await project(mine);
    const [one, other] = [runner(), runner()];
    await one.temporaryEdits.apply('run-1', [file]);
    await writeFile(path, (await text()).replace('mine', 'ours'));
    await other.temporaryEdits.apply('run-2', [file]);
    await one.temporaryEdits.undo('run-1');
    await other.temporaryEdits.undo('run-2');
    expect(await text()).toBe(mine.replace('mine', 'ours'));
    expect([...one.notes, ...other.notes]).toEqual([]);
  });

  it('that was removed meanwhile stays removed', async () => {
    const { path, file, runner } = await project(mine);
    const { temporaryEdits, notes } = runner();
    await temporaryEdits.apply('run-1', [file]);
    await rm(path);
    await temporaryEdits.undo('run-1');
    expect(await readdir(dirname(path))).toEqual([]);
    expect(notes).toEqual([]);
  });

  it('is as it was when a crash came before it was changed, or in between', async () => {
    const { path, file, runner, text } = await project(mine);
    const { temporaryEdits, notes } = runner();
    await temporaryEdits.apply('run-1', [file]);
    await writeFile(path, mine);
    await writeFile(join(dirname(path), '.mcp.json.clifford'), mine.slice(0, 9));
    await temporaryEdits.undo('run-1');
    expect(await text()).toBe(mine);
    expect(await readdir(dirname(path))).toEqual(['mcp.json']);
    expect(notes).toEqual([]);
  });

  it('that cannot be read any more is left to its owner', async () => {
    const { path, file, runner, text } = await project(mine);
    const { temporaryEdits, notes } = runner();
    await temporaryEdits.apply('run-1', [file]);
    await writeFile(path, '{ half');
    await temporaryEdits.undo('run-1');
    expect(await text()).toBe('{ half');
    expect(notes).toEqual([
      `${path} was changed while an agent needed mcpServers.clifford in it, and cannot be read any more: take mcpServers.clifford out by hand`,
    ]);
  });

  it('is known to whoever asks while it is changed, as it was', async () => {
    const { root, stateDir, path, file, runner } = await project(mine, 0o755);
    const place = { root, dir: stateDir };
    const digest = await fileDigest(path, new AbortController().signal);
    const { temporaryEdits } = runner();
    expect([...currentEdits(place)]).toEqual([]);
    await temporaryEdits.apply('run-1', [file]);
    const temporary = '.cursor/.mcp.json.clifford';
    expect([...currentEdits(place)]).toEqual([
      ['.cursor/mcp.json', digest],
      [temporary, undefined],
    ]);
    await rm(path);
    await temporaryEdits.apply('run-2', [file]);
    expect([...currentEdits(place)]).toEqual([
      ['.cursor/mcp.json', undefined],
      [temporary, undefined],
    ]);
    await temporaryEdits.undoAll();
    expect([...currentEdits(place)]).toEqual([]);
  });

  it.each([
    ['a folder', '.cursor/mcp.json/x', /^Cannot change .*mcp\.json for a run: it is a folder/],
    ['below a file', '.cursor', /^Cannot change .*mcp\.json for a run: (EEXIST|ENOTDIR)/],
  ])('that is %s is not touched, and the run says why', async (_, name, message) => {
    const { root, file, runner, isLeft } = await project();
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), 'x');
    await expect(runner().temporaryEdits.apply('run-1', [file])).rejects.toThrow(
      expect.objectContaining({ code: 'FILE_UNWRITABLE', message: expect.stringMatching(message) }),
    );
    expect(await readFile(join(root, name), 'utf8')).toBe('x');
    expect(await isLeft()).toBe(false);
  });

  it('is given back though a crash left a page of the journal half written', async () => {
    const { stateDir, file, runner, text, isLeft } = await project(mine);
    const { temporaryEdits } = runner();
    await temporaryEdits.apply('run-1', [file]);
    await writeFile(join(stateDir, 'temporary-edits/0123456789abcdef.applied.json.tmp'), '{"version"');
    await temporaryEdits.undo('run-1');
    expect(await text()).toBe(mine);
    expect(await isLeft()).toBe(false);
  });

  it('that has no place for the entry is not touched', async () => {
    const { path, file, runner, text, isLeft } = await project('{ half');
    const { temporaryEdits } = runner();
    await expect(temporaryEdits.apply('run-1', [file])).rejects.toThrow(
      `Cannot change ${path} for a run: it is not JSON (line 1, column 3)`,
    );
    expect(await text()).toBe('{ half');
    expect(await isLeft()).toBe(false);
  });
});

import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, readdir, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { projectWithSprint, tempRoot, writeSprint } from '../helpers/temp-project.ts';
import { connectAgent, textOf } from './support/connect-agent.ts';
import { startServer } from './support/mcp-process.ts';
import { eventsOf } from './support/project-log.ts';

const update = { sprintId: 'demo', sprintName: 'Doors', entries: ['Added: a door', 'Fixed: the lock'] };
const changelog = (root: string, name = 'CHANGELOG.md') => readFile(join(root, name), 'utf8');
const configure = (root: string, settings: object) =>
  writeFile(join(root, 'clifford.json'), JSON.stringify({ changelog: settings }));

describe('update_changelog', () => {
  it('records the entries and writes them into a file that it makes', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    expect(await text('update_changelog', update)).toBe('CHANGELOG.md has the entries of sprint demo');
    const [event] = await eventsOf(project, 'changelog.updated');
    expect(event).toMatchObject({ subject: 'demo', data: { entries: update.entries, sprintName: 'Doors' } });
    expect(await changelog(root)).toMatch(
      /^# Changelog\n\n[^#]*\n## \[Unreleased\]\n\n<!-- clifford:demo \S+ -->\n\n\*\*Doors\*\*\n\n### Added\n\n- a door\n\n### Fixed\n\n- the lock\n\n<!-- \/clifford:demo -->\n$/,
    );
  });

  it('again changes neither log nor file, and new entries join the old ones', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    await writeFile(join(root, 'CHANGELOG.md'), '# Ours\r\n\r\n## 1.0.0\r\n- old');
    await text('update_changelog', update);
    const once = await changelog(root);
    await text('update_changelog', update);
    await text('update_changelog', { ...update, entries: ['Fixed: the lock'] });
    expect(await changelog(root)).toBe(once);
    expect(await eventsOf(project, 'changelog.updated')).toHaveLength(1);

    await text('update_changelog', { ...update, sprintName: 'Doors', entries: ['Fixed: the bell'] });
    expect(await changelog(root)).toMatch(
      /- a door\r\n[^]*- the lock\r\n- the bell\r\n[^]*\r\n## 1\.0\.0\r\n- old$/,
    );
    expect(await eventsOf(project, 'changelog.updated')).toHaveLength(2);
  });

  it('writes again what is not in the file any more', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    await text('update_changelog', update);
    const once = await changelog(root);
    await rm(join(root, 'CHANGELOG.md'));
    await text('update_changelog', update);
    expect(await changelog(root)).toBe(once);
    expect(await eventsOf(project, 'changelog.updated')).toHaveLength(1);
  });

  it('of a sprint that nobody knows is refused', async () => {
    const { root } = await projectWithSprint();
    const result = await (await connectAgent(root)).call('update_changelog', { ...update, sprintId: 'nope' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^Cannot find sprint nope: the known ones are demo\. [^\n]*$/);
    expect(existsSync(join(root, 'CHANGELOG.md'))).toBe(false);
  });

  it('that is switched off records, and says that there is no file', async () => {
    const { root, project } = await projectWithSprint();
    const { text } = await connectAgent(root);
    await configure(root, { enabled: false });
    expect(await text('update_changelog', update)).toBe(
      'The entries are in the log. No file was written: changelog.enabled is false',
    );
    expect(await eventsOf(project, 'changelog.updated')).toHaveLength(1);
    expect(existsSync(join(root, 'CHANGELOG.md'))).toBe(false);
    await configure(root, { enabled: true, file: 'docs/HISTORY.md' });
    expect(await text('update_changelog', update)).toBe('docs/HISTORY.md has the entries of sprint demo');
    expect(await changelog(root, 'docs/HISTORY.md')).toContain('- a door');
  });

  it.each([['../outside.md'], ['/tmp/outside.md'], ['linked/outside.md']])(
    'never writes outside the project: %s',
    async (file) => {
      const { root, project } = await projectWithSprint();
      const elsewhere = await tempRoot();
      await symlink(elsewhere, join(root, 'linked'));
      await configure(root, { file });
      const result = await (await connectAgent(root)).call('update_changelog', update);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(
        /^Cannot write \S+outside\.md: changelog\.file has to be inside the project \S+; what was decided is in the log\. [^\n]*$/,
      );
      expect(await eventsOf(project, 'changelog.updated')).toHaveLength(1);
      expect(await readdir(elsewhere)).toEqual(['.clifford']);
    },
  );

  it.each([
    '.clifford/events.jsonl',
    '.clifford/sprints/demo/notes.md',
    '.git/hooks/pre-commit',
    'nested/.GIT/config',
    'state/events.jsonl',
    'mcp.json',
    'docs/../clifford.json',
    'sprints/demo/manifest.json',
  ])("never writes what is git's or Clifford's: %s", async (file) => {
    const { root, project } = await projectWithSprint();
    await symlink('.clifford', join(root, 'state'));
    await configure(root, { file });
    const result = await (await connectAgent(root)).call('update_changelog', update);
    expect(textOf(result)).toMatch(
      /^Cannot write \S+: changelog\.file may be nothing of git's or Clifford's; what was decided is in the log\. /,
    );
    expect(await eventsOf(project, 'changelog.updated')).toHaveLength(1);
    expect(existsSync(join(root, file)) ? await readFile(join(root, file), 'utf8') : '').not.toContain(
      '# Changelog',
    );
  });

  it.each<[string, (path: string) => Promise<unknown>]>([
    ['a folder', (path) => mkdir(path)],
    ['a symbolic link', (path) => symlink('/etc/hostname', path)],
    ['a named pipe', (path) => promisify(execFile)('mkfifo', [path])],
    ['in UTF-16', (path) => writeFile(path, Buffer.from('\uFEFF# Changelog', 'utf16le'))],
  ])('says so when the file is %s, and loses nothing', async (what, make) => {
    const { root } = await projectWithSprint();
    const path = join(root, 'CHANGELOG.md');
    await make(path);
    const { call, text } = await connectAgent(root);
    const result = await call('update_changelog', update);
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(
      new RegExp(`^Cannot write ${path}: it is ${what}; what was decided is in the log\\. [^\\n]*$`),
    );
    await rm(path, { recursive: true });
    await text('update_changelog', update);
    expect(await changelog(root)).toContain('- a door');
  });

  it('keeps the mode of the file', async () => {
    const { root } = await projectWithSprint();
    await writeFile(join(root, 'CHANGELOG.md'), '# C\n');
    await chmod(join(root, 'CHANGELOG.md'), 0o664);
    await (await connectAgent(root)).text('update_changelog', update);
    expect((await stat(join(root, 'CHANGELOG.md'))).mode & 0o777).toBe(0o664);
  });

  it('from several processes at once has one block per sprint, with every entry once', async () => {
    const root = await tempRoot();
    for (const id of ['one', 'two']) await writeSprint(root, { id });
    const agents = await Promise.all([1, 2, 3].map(() => startServer(root).connect()));
    const calls = [1, 2, 3].flatMap((number) =>
      agents.map(({ call }, index) =>
        call('update_changelog', {
          sprintId: number % 2 ? 'one' : 'two',
          sprintName: 'Raced',
          entries: ['Added: the same', `Added: number ${number} of ${index}`],
        }),
      ),
    );
    for (const result of await Promise.all(calls)) expect(result.isError, textOf(result)).toBeFalsy();
    const text = await changelog(root);
    expect(text.match(/<!-- clifford:\w+/g)?.toSorted()).toEqual(['<!-- clifford:one', '<!-- clifford:two']);
    expect(text.match(/^- the same$/gm)).toHaveLength(2);
    expect(text.match(/^- number \d of \d$/gm)).toHaveLength(9);
    expect(text.match(/^## /gm)).toHaveLength(1);
  });
});
